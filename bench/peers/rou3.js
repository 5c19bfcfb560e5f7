import { addRoute, createRouter, findRoute } from "rou3";

/** What has no params has no object for them either. */
export const router = {
  takes: "path",
  spell: {
    param: (name) => `:${name}`,
    optional: (name, expression) => (expression === undefined ? `:${name}?` : `:${name}(${expression})?`),
    constrained: (name, expression) => `:${name}(${expression})`,
    rest: () => "**:rest",
  },
  restName: "rest",
  build(entries) {
    const router = createRouter();
    for (const { method, path, handler } of entries) addRoute(router, method, path, handler);
    return { router, findRoute, withoutParams: { params: false } };
  },
  find: "findRoute(router, method, path)",
  findOnly: "findRoute(router, method, path, withoutParams)",
  isMiss: "found === undefined",
  handler: "found.data",
  param: (name, _, kind) => `found.params${kind === "optional" ? "?." : ""}[${JSON.stringify(name)}]`,
};
