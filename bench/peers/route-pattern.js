import { createMultiMatcher } from "@remix-run/route-pattern/match";

/** Takes whole URLs; what is no URL gets an origin in front. */
export const router = {
  isPathOnly: true,
  takes: "url",
  spell: { param: (name) => `:${name}`, optional: "expand", rest: () => "*rest" },
  restName: "rest",
  build(entries) {
    const router = createMultiMatcher();
    for (const { path, record } of entries) router.add(path, record);
    return { router };
  },
  find: {
    url: "router.match(path)",
    target: 'router.match("http://h" + path)',
    slice: 'router.match("http://h" + path)',
  },
  isMiss: "found === null",
  handler: "found.data.of(method)",
  param: (name) => `found.params[${JSON.stringify(name)}]`,
};
