import { readFileSync } from "node:fs";
import * as hono from "../tables/hono.js";
import { hostile, missOf } from "../tables/misses.js";
import { constrainedHeavy, expressionHeavy, optionalHeavy } from "../tables/special.js";
import { linesOf as synthetic } from "../tables/synthetic.js";
import { oracleOf } from "./oracle.js";
import { randomFrom } from "./random.js";
import { inputsOf, routesOf } from "./routes.js";

const published = (file) =>
  readFileSync(new URL(`../tables/${file}.txt`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "");

/** A table with its usual rows: what has no params, what has some, and all of it. */
function tableOfLines(routes) {
  const isStatic = (line) => !line.includes(":");
  return {
    routes,
    rows: {
      static: routes.filter(isStatic),
      dynamic: routes.filter((line) => !isStatic(line)),
      "all together": routes,
    },
  };
}

const tables = {
  hono: () => hono,
  "github-v3": () => tableOfLines(published("github-v3")),
  "github-octokit": () => tableOfLines(published("github-octokit")),
  "optional-heavy": optionalHeavy,
  "constrained-heavy": constrainedHeavy,
  "expression-heavy": expressionHeavy,
  hostile: () => ({ routes: published("github-v3"), rows: {}, extra: hostile }),
};
for (const count of [10, 100, 1000, 10_000, 100_000]) {
  tables[`synthetic-${count}`] = () => tableOfLines(synthetic(count));
}
/** Of a table that has more routes in a row, as many are asked for, which are chosen at random. */
const mostInputs = 20_000;
const withoutMisses = ["expression-heavy"];

/** The routes of a table, the oracle for it, and for each of its rows the inputs that the clock runs over. */
export function tableOf(name) {
  if (!(name in tables)) throw new Error(`There is no table "${name}"; there are ${Object.keys(tables).join(", ")}`);
  const { routes: lines, rows, samples, extra = {} } = tables[name]();
  const routes = routesOf(lines);
  const oracle = oracleOf(routes);
  const byLine = new Map(routes.map((route) => [route.line, route]));
  const inputs = {};
  for (const [row, members] of Object.entries(rows)) {
    const count = Math.max(1024, Math.min(members.length, mostInputs));
    inputs[row] = inputsOf(
      members.map((line) => byLine.get(line)),
      { samples, count },
    );
  }
  if (!withoutMisses.includes(name)) inputs.miss = missesOf(routes, oracle, samples);
  const random = randomFrom(3);
  for (const [row, pathOf] of Object.entries(extra)) {
    inputs[row] = Array.from({ length: 64 }, () => ({ method: "GET", path: pathOf(random) }));
  }
  return { name, routes, oracle, rows: inputs, isOfSizes: name.startsWith("synthetic-") };
}

function missesOf(routes, oracle, samples) {
  const random = randomFrom(2);
  const count = Math.max(1024, Math.min(routes.length, mostInputs));
  return inputsOf(routes, { seed: 2, samples, count })
    .map(({ path }) => ({ method: "GET", path: missOf(path, random) }))
    .filter(({ path }) => oracle(undefined, path) === null);
}
