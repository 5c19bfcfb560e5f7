import { Memoirist } from "memoirist";

export const router = {
  takes: "path",
  spell: { param: (name) => `:${name}`, optional: "expand", rest: () => "*" },
  restName: "*",
  build(entries) {
    const router = new Memoirist();
    for (const { method, path, handler } of entries) router.add(method, path, handler);
    return { router };
  },
  find: "router.find(method, path)",
  isMiss: "found === null",
  handler: "found.store",
  param: (name) => `found.params[${JSON.stringify(name)}]`,
};
