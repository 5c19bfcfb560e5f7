import { adapterNames, ownName } from "./adapters.js";
import { disagreement, expectedOf } from "./agreement.js";
import { build, Refusal } from "./candidate.js";
import { baseLoopOf, loopOf } from "./loop.js";
import { randomFrom, shuffled } from "./random.js";
import { clocked, median, sample } from "./sampling.js";

/**
 * Builds the router of each adapter for a table; says of those that cannot be measured why.
 *
 * They are built, and then warmed up and timed for the first time, in random order: of two that are the same, the one
 * that comes first takes some 6 % less of a large table.
 */
export async function routersOf(adapters, table) {
  const routers = [];
  const excluded = {};
  for (const adapter of shuffled(adapters, randomFrom(Date.now()))) {
    try {
      if (adapter.isLinear && table.routes.length > 1014)
        throw new Refusal("tries one pattern after the other: not for so many");
      routers.push({ adapter, scope: await build(adapter, table) });
    } catch (error) {
      if (!(error instanceof Refusal) || adapter.name === ownName) throw error;
      excluded[adapter.name] = error.message;
    }
  }
  return { routers, excluded };
}

/** Has every router answer all that the table asks, until the engine has compiled it. One that fails is left out. */
export function warmUp({ routers, excluded }, table, mode, consumption) {
  const everything = Object.values(table.rows).flat();
  const warmupMs = 150 + Math.min(1000, table.routes.length);
  for (const router of routers.slice()) {
    const { adapter, scope } = router;
    try {
      const { run } = loopOf(adapter, scope, everything, mode, consumption);
      const clock = clocked(run);
      for (let total = 0; total < warmupMs;) total += clock(adapter.isLinear ? 64 : 4096);
    } catch (error) {
      if (adapter.name === ownName) throw error;
      excluded[adapter.name] = `fails: ${error.message}`;
      routers.splice(routers.indexOf(router), 1);
    }
  }
}

/** Times all routers on one row of a table. A router that differs from the oracle is not timed; ours must not. */
export async function measureRow({ routers, excluded, table, row, mode, consumption, rounds }) {
  const inputs = table.rows[row];
  const expected = expectedOf(table.oracle, inputs);
  const clocks = { base: clocked(baseLoopOf(inputs, mode, consumption).run) };
  const excludedHere = { ...excluded };
  for (const { adapter, scope } of routers) {
    const { run, collect } = loopOf(adapter, scope, inputs, mode, consumption);
    const difference = disagreement(expected, collect(inputs.length), inputs);
    if (difference === null) clocks[adapter.name] = clocked(run);
    else if (adapter.name === ownName) throw new Error(`We differ from the oracle: ${difference}`);
    else excludedHere[adapter.name] = `differs: ${difference}`;
  }
  const results = compared(routers, await sample(clocks, { rounds }));
  return { table: table.name, row, mode, consumption, results, excluded: excludedHere };
}

/** The nanoseconds that can be told from none. */
const least = 0.1;

/** The medians over rounds, in one order: what each router costs besides the base loop, and what ours costs over it. */
function compared(routers, times) {
  const net = (name) => times[name].map((time, round) => time - times.base[round]);
  const ours = net(ownName);
  return routers
    .filter(({ adapter: { name } }) => name in times)
    .map(({ adapter: { name, generatesCode = false, isLinear = false } }) => {
      const theirs = net(name);
      const ratio = median(ours.map((time, round) => time / Math.max(least, theirs[round])));
      return { name, generatesCode, isLinear, ns: median(theirs), ratio };
    })
    .toSorted((a, b) => adapterNames.indexOf(a.name) - adapterNames.indexOf(b.name));
}
