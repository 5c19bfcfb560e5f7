// A coverage-guided fuzzer: V8 counts how often each block of a script ran, and an input that makes a block run more
// often than any before it, by a power of two, is kept to be changed further. Run by fuzz.js, in a process of its own,
// since V8 counts in everything that is loaded:
//
//     node scripts/check/lib/guided-fuzzer.js <script> <function of it> <how many inputs> <seed>
import { Session } from "node:inspector";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { randomFrom } from "../../../bench/lib/random.js";
import { changed } from "./changed-input.js";

const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });

/**
 * Calls `attempt` with lists of strings until it throws, or so many were tried.
 *
 * @param script the end of the name of the script whose blocks are counted.
 * @param longest the most characters of a string.
 */
function fuzz(attempt, { script, seeds, runs, seed, longest = 60, most = 6 }) {
  const reached = new Map();
  const fraction = randomFrom(seed);
  const random = (below) => Math.floor(fraction() * below);
  const corpus = [];
  let failure = null;
  let tried = 0;

  /** Whether something ran more often than ever. */
  function isNew() {
    let isMore = false;
    session.post("Profiler.takePreciseCoverage", (error, { result }) => {
      if (error) throw error;
      const { functions } = result.find(({ url }) => url.endsWith(script)) ?? { functions: [] };
      for (const { ranges } of functions) {
        for (const { startOffset, endOffset, count } of ranges) {
          const block = startOffset * 2 ** 24 + endOffset;
          const magnitude = Math.min(8, 32 - Math.clz32(count));
          if (magnitude <= (reached.get(block) ?? 0)) continue;
          reached.set(block, magnitude);
          isMore = true;
        }
      }
    });
    return isMore;
  }

  function run(input) {
    tried++;
    try {
      attempt(input);
    } catch (error) {
      failure = { input, error };
    }
    if (isNew()) corpus.push(input);
  }

  for (const input of seeds) if (failure === null) run(input);
  const seeded = corpus.length;
  while (failure === null && tried < runs) run(changed(corpus, random, longest, most));
  return { tried, seeded, corpus: corpus.length, blocks: reached.size, failure };
}

const [script, name, runs, seed] = process.argv.slice(2);
const { seeds, [name]: attempt } = await import(pathToFileURL(resolve(script)));
const from = performance.now();
const { tried, seeded, corpus, blocks, failure } = fuzz(attempt, {
  script,
  seeds,
  runs: Number(runs),
  seed: Number(seed),
});
const seconds = Math.ceil((performance.now() - from) / 1000);
const verdict = failure === null ? "nothing found" : `${failure.error.message}, by ${JSON.stringify(failure.input)}`;
console.log(
  `fuzz: ${name}: ${tried} inputs in ${seconds} s, of them ${seeds.length} seeds, ${blocks} blocks reached, ` +
    `${seeded} seeds ` +
    `and ${corpus - seeded} other inputs reached something new: ${verdict}`,
);
process.exitCode = failure === null ? 0 : 1;
