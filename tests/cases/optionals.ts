import type { CaseTable } from "./case.ts";

/** C4.3: optional params. */
export const optionals: readonly CaseTable[] = [
  {
    patterns: ["/users/:id?"],
    rows: [
      ["/users", "/users/:id?", { id: undefined }, "an optional param may be absent"],
      ["/users/", "/users/:id?", { id: undefined }, "the slash in front of it is ignored then"],
      ["/users/7", "/users/:id?", { id: "7" }, "or supplied"],
      ["/users/7/", "/users/:id?", { id: "7" }, "with a slash behind it"],
      ["/users//", 404, "an empty segment is neither"],
      ["/users/7/8", 404, "it is one segment"],
      ["/", 404, "what stands in front is not optional"],
    ],
  },
  {
    patterns: ["/:id?"],
    rows: [
      ["/", "/:id?", { id: undefined }, "an optional param at the root may be absent"],
      ["/7", "/:id?", { id: "7" }, "or supplied at the root"],
      ["//", 404, "an empty segment is no value"],
      ["/7/8", 404, "two segments are too many"],
    ],
  },
  {
    patterns: ["/log/:year?/:month?/:day?"],
    rows: [
      ["/log", "/log/:year?/:month?/:day?", { year: undefined, month: undefined, day: undefined }, "none of three"],
      ["/log/2026", "/log/:year?/:month?/:day?", { year: "2026", month: undefined, day: undefined }, "one of three"],
      ["/log/2026/11", "/log/:year?/:month?/:day?", { year: "2026", month: "11", day: undefined }, "two of three"],
      ["/log/2026/11/21", "/log/:year?/:month?/:day?", { year: "2026", month: "11", day: "21" }, "all three"],
      ["/log/2026/11/21/x", 404, "one more than there are"],
      ["/log//11", 404, "one in the middle cannot be left out"],
    ],
  },
  {
    patterns: ["/a/:b/:c?"],
    rows: [
      ["/a/1", "/a/:b/:c?", { b: "1", c: undefined }, "an optional behind a required param, absent"],
      ["/a/1/2", "/a/:b/:c?", { b: "1", c: "2" }, "an optional behind a required param, supplied"],
      ["/a", 404, "the required one stays required"],
    ],
  },
  {
    patterns: ["/items/:id(\\d+)?"],
    rows: [
      ["/items", "/items/:id(\\d+)?", { id: undefined }, "an optional param with a constraint may be absent"],
      ["/items/7", "/items/:id(\\d+)?", { id: "7" }, "or satisfy it"],
      ["/items/x", 404, "but not anything else"],
    ],
  },
  {
    patterns: ["/range/:from(\\d+)?/:to(\\d+)?"],
    rows: [
      ["/range", "/range/:from(\\d+)?/:to(\\d+)?", { from: undefined, to: undefined }, "both absent"],
      ["/range/1", "/range/:from(\\d+)?/:to(\\d+)?", { from: "1", to: undefined }, "one supplied"],
      ["/range/1/2", "/range/:from(\\d+)?/:to(\\d+)?", { from: "1", to: "2" }, "both supplied"],
      ["/range/1/x", 404, "the second refused"],
      ["/range/x/2", 404, "the first refused"],
    ],
  },
  {
    patterns: ["/a/:x?", "/a/b/:y?"],
    rows: [
      ["/a", "/a/:x?", { x: undefined }, "the shorter pattern without its param"],
      ["/a/b", "/a/b/:y?", { y: undefined }, "a static segment wins over an optional param"],
      ["/a/c", "/a/:x?", { x: "c" }, "any other text is the param's"],
      ["/a/b/c", "/a/b/:y?", { y: "c" }, "the longer pattern with its param"],
      ["/a/c/d", 404, "and nothing else"],
    ],
  },
  {
    patterns: ["/:lang?", "/about"],
    rows: [
      ["/", "/:lang?", { lang: undefined }, "the root by an absent param"],
      ["/about", "/about", {}, "static wins over an optional param at the root"],
      ["/en", "/:lang?", { lang: "en" }, "the rest of the names"],
    ],
  },
  {
    patterns: ["/x/:a?/:b?", "/x/:a/:b/:c"],
    rows: [
      ["/x/1/2", "/x/:a?/:b?", { a: "1", b: "2" }, "an optional chain beside a longer required one"],
      ["/x/1/2/3", "/x/:a/:b/:c", { a: "1", b: "2", c: "3" }, "the longer required one"],
    ],
  },
];
