import Router from "@medley/router";

/** Params are named by position: two names at one place are refused. It finds the end of the path by itself. */
export const router = {
  isPathOnly: true,
  isPositional: true,
  takes: "target",
  spell: { param: (name) => `:${name}`, optional: "expand", rest: () => "*" },
  restName: "*",
  build(entries) {
    let store;
    const router = new Router({ storeFactory: () => store });
    for (const { path, record } of entries) {
      store = record;
      router.register(path);
    }
    return { router };
  },
  find: "router.find(path)",
  isMiss: "found === null",
  handler: "found.store.of(method)",
  param: (name) => `found.params[${JSON.stringify(name)}]`,
};
