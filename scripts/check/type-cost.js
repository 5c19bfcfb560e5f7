// Measures what inferred types cost the compiler: the params of 600 handlers in 300 resources, against the same classes
// untyped; declared operations of 100, 300 and 600 handlers, against their schemas alone; and calls of a typed client,
// one for each handler, against the same application without calls; and a completion of paths in an editor. With --all,
// by TypeScript 5 and 6 as well, which count nearly alike.
import { completionCost } from "./lib/completion-cost.js";
import {
  calls,
  clientOf,
  compilerOf,
  declarationsOf,
  instantiations,
  operations,
  schemasOf,
} from "./lib/type-sources.js";

const limit = 40_000;
/**
 * Instantiations for each declared handler, schemas aside: of a mix of kinds, and of any one kind. Some 15,000 are for
 * the first handler. A mix of 300 needs 250 each: results are compared at `Call` as well (decision 178).
 */
const declaredLimits = { mix: 265, kind: 290 };
/** Instantiations for each call of a client, of any kind, but for what two declarations make together. */
const callLimit = 150;
/** A schema of the path below a prefix with params: each of both says what the other one leaves out. */
const joinedLimits = { "a path schema, params of a prefix": 158 };
/** Instantiations for a completion in a file that imports an application of 300 handlers, by TypeScript 5. */
const completionLimit = 60_000;
const compiler = compilerOf("typescript");

const kinds = {
  static: { paths: (n) => [`/things${n}`], name: null },
  required: { paths: (n) => [`/things${n}/:id${n}`], name: (n) => `id${n}` },
  optional: { paths: (n) => [`/things${n}/:id${n}?`], name: (n) => `id${n}` },
  "three params": { paths: (n) => [`/orgs${n}/:org/repos/:repo/issues/:issue${n}`], name: (n) => `issue${n}` },
  "two patterns": { paths: (n) => [`/a${n}/:id${n}`, `/b${n}/:id${n}/:page?`], name: (n) => `id${n}` },
  constrained: { paths: (n) => [`/things${n}/:id${n}(\\d+)`], name: (n) => `id${n}` },
  affixed: { paths: (n) => [`/files${n}/:file${n}.:ext`], name: (n) => `file${n}` },
  expression: { paths: (n) => [`/images${n}/(.+\\.jpg)`], name: () => "0" },
  rest: { paths: (n) => [`/files${n}/:path${n}+`], name: (n) => `path${n}` },
};
const chains = {
  native: { alias: "RequestOf", use: (value) => `return new Response(${value});`, result: "Response" },
  polyfill: { alias: "ContextOf", use: (value) => `return ${value};`, result: "unknown" },
};

function moduleOf(chain, kindOf, isTyped) {
  const { alias, use, result } = chains[chain];
  const classes = Array.from({ length: 300 }, (_, n) => {
    const { paths, name } = kindOf(n);
    const value = name === null ? "input.params.pattern" : `input.params.pathParam(${JSON.stringify(name(n))})`;
    const type = isTyped ? `${alias}<Thing${n}>` : alias;
    const handler = (method) => `${method}(input: ${type}): ${result} { ${use(value)} }`;
    return `export class Thing${n} extends Resource {
      paths = ${JSON.stringify(paths(n))}${isTyped ? " as const" : ""};
      ${handler("GET")}
      ${handler("PUT")}
    }`;
  });
  return `import { Resource, type ${alias} } from "fingerpost/modules/http.${chain}.js";\n${classes.join("\n")}`;
}

function isCallCostOver(name, by, sizes) {
  const areOver = Object.entries(calls).map(([what, kind]) => {
    const costs = sizes.map((handlers) => {
      const [without, all] = [false, true].map((isCalled) => instantiations(clientOf(handlers, kind, isCalled), by));
      return (all - without) / handlers;
    });
    const figures = costs.map((cost, place) => `${cost.toFixed(1)} at ${sizes[place]}`).join(", ");
    const most = joinedLimits[what] ?? callLimit;
    console.log(`type cost: ${name}, calls of a client, ${what}: ${figures} handlers, of at most ${most} each`);
    return costs.some((cost) => cost > most || cost > costs[0] * 1.05);
  });
  return areOver.includes(true);
}

function isDeclaredCostOver(name, by, sizes) {
  const alone = new Map(sizes.map((handlers) => [handlers, instantiations(schemasOf(handlers), by)]));
  const isOverAt = (what, at, kindOf, isAnnotated, most) => {
    const costs = at.map((handlers) => {
      const text = schemasOf(handlers) + declarationsOf(handlers, kindOf, isAnnotated);
      return (instantiations(text, by) - alone.get(handlers)) / handlers;
    });
    const figures = costs.map((cost, place) => `${cost.toFixed(1)} at ${at[place]}`).join(", ");
    console.log(`type cost: ${name}, declared, ${what}: ${figures} handlers, of at most ${most} each`);
    // What grows faster than the handlers does costs more for each of many.
    return costs.some((cost) => cost > most || cost > costs[0] * 1.05);
  };
  const mixed = Object.values(operations);
  const mix = (n) => mixed[n % mixed.length];
  const isMixOver = [
    isOverAt("all kinds", sizes, mix, true, declaredLimits.mix),
    isOverAt("all kinds, results not annotated", sizes, mix, false, declaredLimits.mix),
  ].includes(true);
  if (by !== compiler) return isMixOver;
  const isKindOver = Object.entries(operations).map(([kind, operation]) => {
    return isOverAt(kind, [300], () => operation, true, declaredLimits.kind);
  });
  return isMixOver || isKindOver.includes(true);
}

let isOver = false;
const all = Object.values(kinds);
const mixes = [["all kinds", (n) => all[n % all.length]]];
for (const [name, kind] of Object.entries(kinds)) mixes.push([name, () => kind]);
for (const chain of Object.keys(chains)) {
  for (const [name, kindOf] of mixes) {
    const untyped = instantiations(moduleOf(chain, kindOf, false));
    const cost = instantiations(moduleOf(chain, kindOf, true)) - untyped;
    console.log(`type cost: ${chain}, 300 resources, ${name}: ${cost} instantiations of at most ${limit}`);
    isOver ||= cost > limit;
  }
}
const others = process.argv.includes("--all") ? ["typescript6", "typescript5"] : [];
for (const name of ["typescript", ...others]) {
  const by = compilerOf(name);
  if (by === null) console.log(`type cost: ${name} is not installed`);
  // The compiler of the repository at all sizes: the others count alike.
  else {
    const sizes = by === compiler ? [100, 300, 600] : [300];
    isOver = isDeclaredCostOver(name, by, sizes) || isOver;
    isOver = isCallCostOver(name, by, sizes) || isOver;
  }
}
if (compilerOf("typescript5") !== null) {
  const cost = completionCost(300);
  console.log(`type cost: a completion, 300 handlers: ${cost} instantiations of at most ${completionLimit}`);
  isOver ||= cost > completionLimit;
}
process.exitCode = isOver ? 1 : 0;
