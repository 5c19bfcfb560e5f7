// A coverage-guided fuzzer of a page: V8 counts how often each block of a script ran, and an input that makes a block run
// more often than any before it, by a power of two, is kept to be changed further. Run by fuzz.js, in a process of its own,
// since V8 counts in everything that is loaded:
//
//     node scripts/guided-fuzzer.js <script> <function of it> <how many inputs> <seed>
import { Session } from "node:inspector";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });

/** What patterns and targets are made of, besides what is already in the inputs. */
const words = [
  ..."/ // : :a :b :c ? * + ( ) (a) (\\d+) (.*) (a|b) [^-]+ a b 7 . .. - % %2F %2f %61 %zz %C3%A9 é \\ # @ ; http://h".split(
    " ",
  ),
  ..."\t|\n|\0|\ud800|__proto__|%2e|%25|(?!a)|(a$)|{2}|\u{1d4b3}".split("|"),
];

/** Numbers that look random, the same ones for a seed (mulberry32). */
function randomNumbers(seed) {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/**
 * Calls `attempt` with lists of strings until it throws, or so many were tried.
 *
 * @param script the end of the name of the script whose blocks are counted.
 * @param longest the most characters of a string.
 */
function fuzz(attempt, { script, seeds, runs, seed, longest = 60, most = 6 }) {
  const reached = new Map();
  const random = randomNumbers(seed);
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

/** An input of the corpus with one to four changes; those that were found last are taken more often. */
function changed(corpus, random, longest, most) {
  const pick = () =>
    corpus[random(3) === 0 ? corpus.length - 1 - random(Math.min(50, corpus.length)) : random(corpus.length)];
  const input = [...pick()];
  for (let left = 1 + random(4); left > 0; left--) {
    const at = random(input.length);
    const text = input[at];
    const [from, to] = [random(text.length + 1), random(text.length + 1)].toSorted((a, b) => a - b);
    const other = pick();
    const what = random(8);
    if (what <= 2) input[at] = text.slice(0, from) + words[random(words.length)] + text.slice(from);
    else if (what === 3) input[at] = text.slice(0, from) + text.slice(to);
    else if (what === 4) input[at] = text.slice(0, from) + other[random(other.length)].slice(0, 20) + text.slice(to);
    else if (what === 5) input[at] = text.slice(0, to) + text.slice(from);
    else if (what === 6 && input.length < most) input.splice(random(input.length), 0, other[0]);
    else if (what === 7 && input.length > 2) input.splice(random(input.length - 1), 1);
  }
  return input.map((text) => text.slice(0, longest));
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
  `fuzz: ${name}: ${tried} inputs in ${seconds} s, of them ${seeds.length} seeds, ${blocks} blocks reached, ${seeded} seeds ` +
    `and ${corpus - seeded} other inputs reached something new: ${verdict}`,
);
process.exitCode = failure === null ? 0 : 1;
