import type { CaseTable } from "./case.ts";

/** C4.3: every kind of segment behind every kind that may stand in front of it. */
export const neighbors: readonly CaseTable[] = [
  {
    patterns: ["/static/a/z"],
    rows: [
      ["/static/a/z", "/static/a/z", {}, "static behind static"],
      ["/static/a", 404, "and not without it"],
    ],
  },
  {
    patterns: ["/static/a/w:y"],
    rows: [
      ["/static/a/w2", "/static/a/w:y", { y: "2" }, "affixed behind static"],
      ["/static/a", 404, "and not without it"],
      ["/static/a/w", 404, "and not if it does not fit"],
    ],
  },
  {
    patterns: ["/static/a/:y(\\d+)"],
    rows: [
      ["/static/a/2", "/static/a/:y(\\d+)", { y: "2" }, "constrained behind static"],
      ["/static/a", 404, "and not without it"],
      ["/static/a/x", 404, "and not if it does not fit"],
    ],
  },
  {
    patterns: ["/static/a/([a-c]+)"],
    rows: [
      ["/static/a/c", "/static/a/([a-c]+)", { "0": "c" }, "expression behind static"],
      ["/static/a", 404, "and not without it"],
      ["/static/a/z", 404, "and not if it does not fit"],
    ],
  },
  {
    patterns: ["/static/a/:y"],
    rows: [
      ["/static/a/c", "/static/a/:y", { y: "c" }, "param behind static"],
      ["/static/a", 404, "and not without it"],
    ],
  },
  {
    patterns: ["/static/a/:y?"],
    rows: [
      ["/static/a/c", "/static/a/:y?", { y: "c" }, "optional param behind static"],
      ["/static/a", "/static/a/:y?", { y: undefined }, "and without it"],
    ],
  },
  {
    patterns: ["/static/a/:y(\\d+)?"],
    rows: [
      ["/static/a/2", "/static/a/:y(\\d+)?", { y: "2" }, "optional constrained behind static"],
      ["/static/a", "/static/a/:y(\\d+)?", { y: undefined }, "and without it"],
      ["/static/a/x", 404, "and not if it does not fit"],
    ],
  },
  {
    patterns: ["/static/a/:r+"],
    rows: [
      ["/static/a/c/d", "/static/a/:r+", { r: "c/d" }, "one or more behind static"],
      ["/static/a", 404, "and not without it"],
    ],
  },
  {
    patterns: ["/static/a/:r*"],
    rows: [
      ["/static/a/c/d", "/static/a/:r*", { r: "c/d" }, "zero or more behind static"],
      ["/static/a", "/static/a/:r*", { r: undefined }, "and without it"],
    ],
  },
  {
    patterns: ["/affixed/v:x/z"],
    rows: [
      ["/affixed/v1/z", "/affixed/v:x/z", { x: "1" }, "static behind affixed"],
      ["/affixed/v1", 404, "and not without it"],
    ],
  },
  {
    patterns: ["/affixed/v:x/w:y"],
    rows: [
      ["/affixed/v1/w2", "/affixed/v:x/w:y", { x: "1", y: "2" }, "affixed behind affixed"],
      ["/affixed/v1", 404, "and not without it"],
      ["/affixed/v1/w", 404, "and not if it does not fit"],
    ],
  },
  {
    patterns: ["/affixed/v:x/:y(\\d+)"],
    rows: [
      ["/affixed/v1/2", "/affixed/v:x/:y(\\d+)", { x: "1", y: "2" }, "constrained behind affixed"],
      ["/affixed/v1", 404, "and not without it"],
      ["/affixed/v1/x", 404, "and not if it does not fit"],
    ],
  },
  {
    patterns: ["/affixed/v:x/([a-c]+)"],
    rows: [
      ["/affixed/v1/c", "/affixed/v:x/([a-c]+)", { x: "1", "0": "c" }, "expression behind affixed"],
      ["/affixed/v1", 404, "and not without it"],
      ["/affixed/v1/z", 404, "and not if it does not fit"],
    ],
  },
  {
    patterns: ["/affixed/v:x/:y"],
    rows: [
      ["/affixed/v1/c", "/affixed/v:x/:y", { x: "1", y: "c" }, "param behind affixed"],
      ["/affixed/v1", 404, "and not without it"],
    ],
  },
  {
    patterns: ["/affixed/v:x/:y?"],
    rows: [
      ["/affixed/v1/c", "/affixed/v:x/:y?", { x: "1", y: "c" }, "optional param behind affixed"],
      ["/affixed/v1", "/affixed/v:x/:y?", { x: "1", y: undefined }, "and without it"],
    ],
  },
  {
    patterns: ["/affixed/v:x/:y(\\d+)?"],
    rows: [
      ["/affixed/v1/2", "/affixed/v:x/:y(\\d+)?", { x: "1", y: "2" }, "optional constrained behind affixed"],
      ["/affixed/v1", "/affixed/v:x/:y(\\d+)?", { x: "1", y: undefined }, "and without it"],
      ["/affixed/v1/x", 404, "and not if it does not fit"],
    ],
  },
  {
    patterns: ["/affixed/v:x/:r+"],
    rows: [
      ["/affixed/v1/c/d", "/affixed/v:x/:r+", { x: "1", r: "c/d" }, "one or more behind affixed"],
      ["/affixed/v1", 404, "and not without it"],
    ],
  },
  {
    patterns: ["/affixed/v:x/:r*"],
    rows: [
      ["/affixed/v1/c/d", "/affixed/v:x/:r*", { x: "1", r: "c/d" }, "zero or more behind affixed"],
      ["/affixed/v1", "/affixed/v:x/:r*", { x: "1", r: undefined }, "and without it"],
    ],
  },
  {
    patterns: ["/constrained/:x(\\d+)/z"],
    rows: [
      ["/constrained/1/z", "/constrained/:x(\\d+)/z", { x: "1" }, "static behind constrained"],
      ["/constrained/1", 404, "and not without it"],
    ],
  },
  {
    patterns: ["/constrained/:x(\\d+)/w:y"],
    rows: [
      ["/constrained/1/w2", "/constrained/:x(\\d+)/w:y", { x: "1", y: "2" }, "affixed behind constrained"],
      ["/constrained/1", 404, "and not without it"],
      ["/constrained/1/w", 404, "and not if it does not fit"],
    ],
  },
  {
    patterns: ["/constrained/:x(\\d+)/:y(\\d+)"],
    rows: [
      ["/constrained/1/2", "/constrained/:x(\\d+)/:y(\\d+)", { x: "1", y: "2" }, "constrained behind constrained"],
      ["/constrained/1", 404, "and not without it"],
      ["/constrained/1/x", 404, "and not if it does not fit"],
    ],
  },
  {
    patterns: ["/constrained/:x(\\d+)/([a-c]+)"],
    rows: [
      ["/constrained/1/c", "/constrained/:x(\\d+)/([a-c]+)", { x: "1", "0": "c" }, "expression behind constrained"],
      ["/constrained/1", 404, "and not without it"],
      ["/constrained/1/z", 404, "and not if it does not fit"],
    ],
  },
  {
    patterns: ["/constrained/:x(\\d+)/:y"],
    rows: [
      ["/constrained/1/c", "/constrained/:x(\\d+)/:y", { x: "1", y: "c" }, "param behind constrained"],
      ["/constrained/1", 404, "and not without it"],
    ],
  },
  {
    patterns: ["/constrained/:x(\\d+)/:y?"],
    rows: [
      ["/constrained/1/c", "/constrained/:x(\\d+)/:y?", { x: "1", y: "c" }, "optional param behind constrained"],
      ["/constrained/1", "/constrained/:x(\\d+)/:y?", { x: "1", y: undefined }, "and without it"],
    ],
  },
  {
    patterns: ["/constrained/:x(\\d+)/:y(\\d+)?"],
    rows: [
      [
        "/constrained/1/2",
        "/constrained/:x(\\d+)/:y(\\d+)?",
        { x: "1", y: "2" },
        "optional constrained behind constrained",
      ],
      ["/constrained/1", "/constrained/:x(\\d+)/:y(\\d+)?", { x: "1", y: undefined }, "and without it"],
      ["/constrained/1/x", 404, "and not if it does not fit"],
    ],
  },
  {
    patterns: ["/constrained/:x(\\d+)/:r+"],
    rows: [
      ["/constrained/1/c/d", "/constrained/:x(\\d+)/:r+", { x: "1", r: "c/d" }, "one or more behind constrained"],
      ["/constrained/1", 404, "and not without it"],
    ],
  },
  {
    patterns: ["/constrained/:x(\\d+)/:r*"],
    rows: [
      ["/constrained/1/c/d", "/constrained/:x(\\d+)/:r*", { x: "1", r: "c/d" }, "zero or more behind constrained"],
      ["/constrained/1", "/constrained/:x(\\d+)/:r*", { x: "1", r: undefined }, "and without it"],
    ],
  },
  {
    patterns: ["/expression/(\\d+)/z"],
    rows: [
      ["/expression/1/z", "/expression/(\\d+)/z", { "0": "1" }, "static behind expression"],
      ["/expression/1", 404, "and not without it"],
    ],
  },
  {
    patterns: ["/expression/(\\d+)/w:y"],
    rows: [
      ["/expression/1/w2", "/expression/(\\d+)/w:y", { "0": "1", y: "2" }, "affixed behind expression"],
      ["/expression/1", 404, "and not without it"],
      ["/expression/1/w", 404, "and not if it does not fit"],
    ],
  },
  {
    patterns: ["/expression/(\\d+)/:y(\\d+)"],
    rows: [
      ["/expression/1/2", "/expression/(\\d+)/:y(\\d+)", { "0": "1", y: "2" }, "constrained behind expression"],
      ["/expression/1", 404, "and not without it"],
      ["/expression/1/x", 404, "and not if it does not fit"],
    ],
  },
  {
    patterns: ["/expression/(\\d+)/([a-c]+)"],
    rows: [
      ["/expression/1/c", "/expression/(\\d+)/([a-c]+)", { "0": "1", "1": "c" }, "expression behind expression"],
      ["/expression/1", 404, "and not without it"],
      ["/expression/1/z", 404, "and not if it does not fit"],
    ],
  },
  {
    patterns: ["/expression/(\\d+)/:y"],
    rows: [
      ["/expression/1/c", "/expression/(\\d+)/:y", { "0": "1", y: "c" }, "param behind expression"],
      ["/expression/1", 404, "and not without it"],
    ],
  },
  {
    patterns: ["/expression/(\\d+)/:y?"],
    rows: [
      ["/expression/1/c", "/expression/(\\d+)/:y?", { "0": "1", y: "c" }, "optional param behind expression"],
      ["/expression/1", "/expression/(\\d+)/:y?", { "0": "1", y: undefined }, "and without it"],
    ],
  },
  {
    patterns: ["/expression/(\\d+)/:y(\\d+)?"],
    rows: [
      [
        "/expression/1/2",
        "/expression/(\\d+)/:y(\\d+)?",
        { "0": "1", y: "2" },
        "optional constrained behind expression",
      ],
      ["/expression/1", "/expression/(\\d+)/:y(\\d+)?", { "0": "1", y: undefined }, "and without it"],
      ["/expression/1/x", 404, "and not if it does not fit"],
    ],
  },
  {
    patterns: ["/expression/(\\d+)/:r+"],
    rows: [
      ["/expression/1/c/d", "/expression/(\\d+)/:r+", { "0": "1", r: "c/d" }, "one or more behind expression"],
      ["/expression/1", 404, "and not without it"],
    ],
  },
  {
    patterns: ["/expression/(\\d+)/:r*"],
    rows: [
      ["/expression/1/c/d", "/expression/(\\d+)/:r*", { "0": "1", r: "c/d" }, "zero or more behind expression"],
      ["/expression/1", "/expression/(\\d+)/:r*", { "0": "1", r: undefined }, "and without it"],
    ],
  },
  {
    patterns: ["/param/:x/z"],
    rows: [
      ["/param/b/z", "/param/:x/z", { x: "b" }, "static behind param"],
      ["/param/b", 404, "and not without it"],
    ],
  },
  {
    patterns: ["/param/:x/w:y"],
    rows: [
      ["/param/b/w2", "/param/:x/w:y", { x: "b", y: "2" }, "affixed behind param"],
      ["/param/b", 404, "and not without it"],
      ["/param/b/w", 404, "and not if it does not fit"],
    ],
  },
  {
    patterns: ["/param/:x/:y(\\d+)"],
    rows: [
      ["/param/b/2", "/param/:x/:y(\\d+)", { x: "b", y: "2" }, "constrained behind param"],
      ["/param/b", 404, "and not without it"],
      ["/param/b/x", 404, "and not if it does not fit"],
    ],
  },
  {
    patterns: ["/param/:x/([a-c]+)"],
    rows: [
      ["/param/b/c", "/param/:x/([a-c]+)", { x: "b", "0": "c" }, "expression behind param"],
      ["/param/b", 404, "and not without it"],
      ["/param/b/z", 404, "and not if it does not fit"],
    ],
  },
  {
    patterns: ["/param/:x/:y"],
    rows: [
      ["/param/b/c", "/param/:x/:y", { x: "b", y: "c" }, "param behind param"],
      ["/param/b", 404, "and not without it"],
    ],
  },
  {
    patterns: ["/param/:x/:y?"],
    rows: [
      ["/param/b/c", "/param/:x/:y?", { x: "b", y: "c" }, "optional param behind param"],
      ["/param/b", "/param/:x/:y?", { x: "b", y: undefined }, "and without it"],
    ],
  },
  {
    patterns: ["/param/:x/:y(\\d+)?"],
    rows: [
      ["/param/b/2", "/param/:x/:y(\\d+)?", { x: "b", y: "2" }, "optional constrained behind param"],
      ["/param/b", "/param/:x/:y(\\d+)?", { x: "b", y: undefined }, "and without it"],
      ["/param/b/x", 404, "and not if it does not fit"],
    ],
  },
  {
    patterns: ["/param/:x/:r+"],
    rows: [
      ["/param/b/c/d", "/param/:x/:r+", { x: "b", r: "c/d" }, "one or more behind param"],
      ["/param/b", 404, "and not without it"],
    ],
  },
  {
    patterns: ["/param/:x/:r*"],
    rows: [
      ["/param/b/c/d", "/param/:x/:r*", { x: "b", r: "c/d" }, "zero or more behind param"],
      ["/param/b", "/param/:x/:r*", { x: "b", r: undefined }, "and without it"],
    ],
  },
  {
    patterns: ["/optional-param/:x?/:y?"],
    rows: [
      ["/optional-param/b/c", "/optional-param/:x?/:y?", { x: "b", y: "c" }, "optional param behind optional param"],
      ["/optional-param/b", "/optional-param/:x?/:y?", { x: "b", y: undefined }, "without the second"],
      ["/optional-param", "/optional-param/:x?/:y?", { x: undefined, y: undefined }, "without both"],
    ],
  },
  {
    patterns: ["/optional-param/:x?/:y(\\d+)?"],
    rows: [
      [
        "/optional-param/b/2",
        "/optional-param/:x?/:y(\\d+)?",
        { x: "b", y: "2" },
        "optional constrained behind optional param",
      ],
      ["/optional-param/b", "/optional-param/:x?/:y(\\d+)?", { x: "b", y: undefined }, "without the second"],
      ["/optional-param", "/optional-param/:x?/:y(\\d+)?", { x: undefined, y: undefined }, "without both"],
    ],
  },
  {
    patterns: ["/optional-constrained/:x(\\d+)?/:y?"],
    rows: [
      [
        "/optional-constrained/1/c",
        "/optional-constrained/:x(\\d+)?/:y?",
        { x: "1", y: "c" },
        "optional param behind optional constrained",
      ],
      [
        "/optional-constrained/1",
        "/optional-constrained/:x(\\d+)?/:y?",
        { x: "1", y: undefined },
        "without the second",
      ],
      ["/optional-constrained", "/optional-constrained/:x(\\d+)?/:y?", { x: undefined, y: undefined }, "without both"],
    ],
  },
  {
    patterns: ["/optional-constrained/:x(\\d+)?/:y(\\d+)?"],
    rows: [
      [
        "/optional-constrained/1/2",
        "/optional-constrained/:x(\\d+)?/:y(\\d+)?",
        { x: "1", y: "2" },
        "optional constrained behind optional constrained",
      ],
      [
        "/optional-constrained/1",
        "/optional-constrained/:x(\\d+)?/:y(\\d+)?",
        { x: "1", y: undefined },
        "without the second",
      ],
      [
        "/optional-constrained",
        "/optional-constrained/:x(\\d+)?/:y(\\d+)?",
        { x: undefined, y: undefined },
        "without both",
      ],
    ],
  },
];
