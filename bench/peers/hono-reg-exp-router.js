import { RegExpRouter } from "hono/router/reg-exp-router";

export const router = {
  takes: "path",
  takesFirst: true,
  spell: {
    param: (name) => `:${name}`,
    optional: "expand",
    constrained: (name, expression) => `:${name}{${expression}}`,
    expression: (name, expression) => `:${name}{${expression}}`,
    rest: () => ":rest{.+}",
  },
  restName: "rest",
  build(entries) {
    const router = new RegExpRouter();
    for (const { method, path, handler } of entries) router.add(method, path, handler);
    // It builds its expression, and refuses what it cannot express, when it is first asked.
    router.match("GET", "/");
    return { router };
  },
  find: "router.match(method, path)",
  isMiss: "found[0].length === 0",
  handler: "found[0][0][0]",
  param: (name) => `found[1][found[0][0][1][${JSON.stringify(name)}]]`,
};
