import createRouter from "find-my-way";

const unused = () => {};

/** It finds the end of the path by itself, so that it is given the target; its query parser is turned off. */
export const router = {
  takes: "target",
  spell: {
    param: (name) => `:${name}`,
    optional: "expand",
    constrained: (name, expression) => `:${name}(^${expression}$)`,
    rest: () => "*",
  },
  restName: "*",
  build(entries) {
    const router = createRouter({ querystringParser: () => null, maxParamLength: 10_000 });
    for (const { method, path, handler } of entries) router.on(method, path, unused, handler);
    return { router };
  },
  find: "router.find(method, path)",
  isMiss: "found === null",
  handler: "found.store",
  param: (name) => `found.params[${JSON.stringify(name)}]`,
};
