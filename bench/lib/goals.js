import {
  allocated,
  build,
  growth,
  handled,
  hono,
  isStaticRow,
  overMiss,
  overPatternLists,
  rowsOf,
  scale,
  served,
  table,
  worst,
} from "./readings.js";

const byNode20 = (yes, no) => (label) => (label === "node-20" ? yes : no);
const atMost = (limit) => ({
  limit: typeof limit === "function" ? limit : () => limit,
  isMet: (value, most) => value <= most,
  sign: "≤",
});
const atLeast = (limit) => ({ limit: () => limit, isMet: (value, least) => value >= least, sign: "≥" });

/** What is promised, as figures; the limits are those of each runtime. */
export const goals = [
  {
    id: "S1",
    what: "Hono's table, all rows mixed, all params read, x the fastest peer",
    ...atMost(byNode20(0.8, 0.85)),
    read: table("hono", "hono", "all together"),
  },
  { id: "S1", what: "the same, match only", ...atMost(0.65), read: table("hono", "hono", "all together", "match") },
  {
    id: "S2",
    what: "its worst row, x the fastest peer without code generation",
    ...atMost(1),
    read: (result) => worst(hono("read", "url")(result), ({ generatesCode }) => !generatesCode),
  },
  {
    id: "S2",
    what: "its worst row, x the fastest peer that generates code",
    ...atMost(1.2),
    read: (result) => worst(hono("read", "url")(result), ({ generatesCode }) => generatesCode),
  },
  {
    id: "S2",
    what: "its worst static row without a query, x the fastest peer",
    ...atMost(0.75),
    read: (result) => worst(hono("read", "urlnq")(result).filter(({ row }) => isStaticRow(row))),
  },
  {
    id: "S3",
    what: "GitHub v3, 203 routes, all params read",
    ...atMost(0.85),
    read: table("github", "github-v3", "all together"),
  },
  {
    id: "S3",
    what: "the same, match only",
    ...atMost(0.55),
    read: table("github", "github-v3", "all together", "match"),
  },
  {
    id: "S3",
    what: "octokit, 1,014 routes, all params read",
    ...atMost(0.85),
    read: table("github", "github-octokit", "all together"),
  },
  {
    id: "S3",
    what: "the same, match only",
    ...atMost(0.55),
    read: table("github", "github-octokit", "all together", "match"),
  },
  {
    id: "S4",
    what: "optional params, x the best peer",
    ...atMost(0.65),
    read: table("special", "optional-heavy", "all together"),
  },
  {
    id: "S4",
    what: "constrained params",
    ...atMost(0.55),
    read: table("special", "constrained-heavy", "all together"),
  },
  {
    id: "S4",
    what: "expressions that span segments",
    ...atMost(0.25),
    read: table("special", "expression-heavy", "all together"),
  },
  { id: "S4", what: "times faster than a list of 100 URLPatterns", ...atLeast(500), read: overPatternLists },
  { id: "S5", what: "1,000 routes over 10 routes", ...atMost(1.6), read: growth },
  { id: "S5", what: "100,000 routes, static, x the best radix peer", ...atMost(0.6), read: scale("static") },
  { id: "S5", what: "the same, miss", ...atMost(1), read: scale("miss") },
  { id: "S5", what: "the same, dynamic", ...atMost(1), read: scale("dynamic") },
  { id: "S5", what: "microseconds to build a route, of 100,000", ...atMost(10), read: build("warm") },
  { id: "S5", what: "bytes a route, of 100,000", ...atMost(300), read: build("bytes") },
  {
    id: "S6",
    what: "handle() over the floor, x Elysia",
    ...atMost((label) => (label === "deno" ? 0.3 : 0.5)),
    read: handled("elysia"),
  },
  { id: "S6", what: "handle() over the floor, x Hono", ...atMost(0.45), read: handled("hono") },
  { id: "S6", what: "bytes a request over the floor", ...atMost(160), read: allocated("handle", "all together") },
  { id: "S6", what: "bytes of a static match", ...atMost(0), read: allocated("match", "long static") },
  {
    id: "S7",
    what: "CPU over raw node:http, polyfill door, microseconds",
    ...atMost(0.6),
    read: served("fingerpost polyfill", "over"),
  },
  {
    id: "S7",
    what: "the same, native door on a light Response",
    ...atMost(1),
    read: served("fingerpost native on srvx", "over"),
  },
  {
    id: "S7",
    what: "requests a second, polyfill door, x raw node:http",
    ...atLeast(0.95),
    read: served("fingerpost polyfill", "rate"),
  },
  {
    id: "S8",
    what: "a 404 or 501, x an ordinary error thrown",
    ...atMost(0.5),
    read: (result) => worst(rowsOf(result, "refuse"), ({ name }) => name !== "ordinary error"),
  },
  { id: "S9", what: "8 kB that match nothing, x an ordinary miss", ...atMost(2), read: overMiss },
  {
    id: "S10",
    what: "cold start, x the fastest peer",
    ...atMost(1.2),
    read: (result) => worst(rowsOf(result, "cold", { row: "router" })),
  },
];
