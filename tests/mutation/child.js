// A process that runs tests of the program of `program.js`, as `trials.js` asks for them.
import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const path = pathToFileURL(process.argv[2]).href;
const stryker = {};
Reflect.set(globalThis, "__stryker__", stryker);
/** No test takes a tenth of it. */
const patienceMs = 10_000;

// What nobody waits for fails no test.
process.on("uncaughtException", () => {});
process.on("unhandledRejection", () => {});
for (const name of ["debug", "error", "info", "log", "warn"]) console[name] = () => {};

/** An instance of the program, with the tests of its files, which load when the first of them is asked for. */
class Instance {
  #program;
  #loaded = new Map();

  constructor(program) {
    this.#program = program;
  }

  get files() {
    return this.#program.files.map(([name]) => name);
  }

  async testsOf(file) {
    if (!this.#loaded.has(file)) {
      const [name, load] = this.#program.files[file];
      process.send({ begins: name });
      try {
        await load();
      } finally {
        this.#loaded.set(file, this.#program.registered());
      }
    }
    return this.#loaded.get(file);
  }

  /** What becomes of a test: null if it passes, "skipped", "late", or why it fails. */
  async outcomeOf({ file, nth }, id = stryker.activeMutant, hitLimit = undefined) {
    process.send({ begins: [file, nth] });
    const { activeMutant } = stryker;
    let timer;
    let outcome;
    try {
      const test = (await this.testsOf(file))[nth];
      Object.assign(stryker, { activeMutant: id, hitLimit });
      const late = new Promise((resolve) => {
        timer = setTimeout(resolve, patienceMs, "late");
      });
      outcome = await Promise.race([this.#program.runOnce(test).then(() => null), late]);
    } catch (error) {
      outcome = error instanceof this.#program.NotHere ? "skipped" : String(error?.message ?? error);
    }
    clearTimeout(timer);
    this.#program.restoreAllMocks();
    // What a test has left to be done is not done in the next one.
    await setImmediate();
    Object.assign(stryker, { activeMutant, hitLimit: undefined });
    return outcome;
  }
}

let instances = 0;
const common = new Instance(await import(path));
const answers = { rehearse, attempt, attemptAfresh };
process.on("message", async ({ ask, ...rest }) => process.send({ answer: await answers[ask](rest) }));
process.send({ answer: "ready" });

/**
 * Runs all tests without a mutant, twice, and notes which mutants each of them reaches, and how often. By the other
 * order of the second time, each test has run before each. What is only reached the first time is done once.
 */
async function rehearse() {
  const unloadable = [];
  const tests = [];
  for (const [file, place] of common.files.entries()) {
    const found = await common.testsOf(file).catch((error) => void unloadable.push(`${place}: ${error}`));
    for (const [nth, { scope, name }] of (found ?? []).entries()) {
      tests.push({ file, nth, title: [place, ...scope.names, name].join(" > ") });
    }
  }
  const coverage = (stryker.mutantCoverage ??= { static: {}, perTest: {} });
  const reachedAtLoad = Object.keys(coverage.static);
  const run = async (test, id) => {
    stryker.currentTestId = id;
    const from = performance.now();
    const outcome = await common.outcomeOf(test);
    stryker.currentTestId = undefined;
    return { outcome, ms: performance.now() - from, hits: coverage.perTest[id] ?? {} };
  };
  for (const [at, test] of tests.entries()) test.first = await run(test, `${at} first`);
  for (const [at, test] of [...tests.entries()].toReversed()) test.again = await run(test, `${at} again`);
  return { unloadable, reachedAtLoad, tests };
}

/**
 * Runs tests with a mutant until one fails, and that one once more without the mutant. Answers which it was, and
 * whether the mutant alone may be to blame. With `isProof` each test runs without the mutant first, and counts only if
 * it passes.
 */
async function attempt({ id, order, hitLimit, isProof }) {
  for (const [by, test] of order.entries()) {
    if (isProof && (await common.outcomeOf(test)) !== null) continue;
    stryker.hitCount = 0;
    const outcome = await common.outcomeOf(test, id, hitLimit);
    const isEndless = stryker.hitCount > hitLimit;
    stryker.hitCount = undefined;
    if (outcome === null && !isEndless) continue;
    const isLate = isEndless || outcome === "late";
    const passesWithout = (await common.outcomeOf(test)) === null;
    return { by, isLate, isCertain: passesWithout && (isEndless || outcome !== "late") };
  }
  return { by: null };
}

/**
 * Has another instance of the program, in which a mutant is there from the beginning, run tests until one fails. What
 * is done once is done by the mutant, then: when a file loads, or when somebody asks first.
 */
async function attemptAfresh({ id, order }) {
  stryker.activeMutant = id;
  try {
    const own = new Instance(await import(`${path}?${++instances}`));
    for (const [by, test] of order.entries()) {
      const outcome = await own.outcomeOf(test);
      if (outcome !== null) return { by, isLate: outcome === "late" };
    }
    return { by: null };
  } finally {
    stryker.activeMutant = undefined;
  }
}
