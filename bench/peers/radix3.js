import { createRouter } from "radix3";

export const router = {
  isPathOnly: true,
  takes: "path",
  spell: { param: (name) => `:${name}`, optional: "expand", rest: () => "**:rest" },
  restName: "rest",
  build(entries) {
    const router = createRouter();
    for (const { path, record } of entries) router.insert(path, { record });
    return { router };
  },
  find: "router.lookup(path)",
  isMiss: "found === null",
  handler: "found.record.of(method)",
  param: (name, _, kind) => `found.params${kind === "optional" ? "?." : ""}[${JSON.stringify(name)}]`,
};
