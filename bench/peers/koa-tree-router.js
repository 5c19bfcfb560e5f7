import Router from "koa-tree-router";

/**
 * Params come as a list of pairs, in order: they are read by position, which costs it least. A rest begins with its
 * slash.
 */
export const router = {
  isPositional: true,
  takes: "path",
  spell: { param: (name) => `:${name}`, optional: "expand", rest: () => "*rest" },
  restName: "rest",
  build(entries) {
    const router = new Router();
    for (const { method, path, handler } of entries) router.on(method, path, handler);
    return { router };
  },
  find: "router.find(method, path)",
  isMiss: "found.handle === null",
  handler: "found.handle[0]",
  param: (_, at, kind) =>
    `found.params[${at}]${kind === "optional" ? "?" : ""}.value${kind === "rest" ? ".slice(1)" : ""}`,
};
