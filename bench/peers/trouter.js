import { Trouter } from "trouter";

/** One expression per route; collects the handlers of all that match, of which the first counts. */
export const router = {
  isLinear: true,
  takesFirst: true,
  takes: "path",
  spell: { param: (name) => `:${name}`, optional: (name) => `:${name}?`, rest: () => "*" },
  restName: "*",
  build(entries) {
    const router = new Trouter();
    for (const { method, path, handler } of entries) router.add(method, path, handler);
    return { router };
  },
  find: "router.find(method, path)",
  isMiss: "found.handlers.length === 0",
  handler: "found.handlers[0]",
  param: (name) => `found.params[${JSON.stringify(name)}]`,
};
