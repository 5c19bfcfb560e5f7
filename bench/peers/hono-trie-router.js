import { TrieRouter } from "hono/router/trie-router";

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
    const router = new TrieRouter();
    for (const { method, path, handler } of entries) router.add(method, path, handler);
    return { router };
  },
  find: "router.match(method, path)",
  isMiss: "found[0].length === 0",
  handler: "found[0][0][0]",
  param: (name) => `found[0][0][1][${JSON.stringify(name)}]`,
};
