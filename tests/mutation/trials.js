// Tries mutants: processes that have loaded tests run those that reach a mutant, the most likely first.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const child = fileURLToPath(new URL("child.js", import.meta.url));
/** Which tests run in an instance of the program: so many, of less than so long. A mutant may survive by that. */
const mostTests = 300;
const longestMs = 50;
/** How many instances of the program a process makes: they stay in its memory. */
const mostInstances = 50;
/** How long a process may say nothing. It is in a loop without an end, then. */
const silenceMs = 60_000;

/**
 * Returns the mutants with what became of each, and the test that noticed it. "Killed" is a mutant with which a test
 * fails that passes without it, in the same process. "Timeout" is one with which a test does not end.
 */
export async function tried(program, mutants, workers, say = console.log) {
  const rehearsing = await started(program);
  const rehearsal = await answerOf(rehearsing, { ask: "rehearse" });
  const { tests, reachedAtLoad } = rehearsal ?? { tests: [], reachedAtLoad: [] };
  const failing = tests.filter(({ first: { outcome } }) => outcome !== null && outcome !== "skipped");
  const faults = {
    "a test ends the process, or never ends itself": rehearsal === null ? [""] : [],
    "these tests were not run": rehearsal?.unloadable ?? [],
    "these tests fail without a mutant": failing.map(({ title, first: { outcome } }) => `${title}: ${outcome}`),
  };
  for (const [fault, list] of Object.entries(faults)) {
    if (list.length === 0) continue;
    rehearsing.kill("SIGKILL");
    throw new Error(`${fault}: ${list.join(", ")}`);
  }
  const fit = tests.filter((test) => test.first.outcome === null && test.again.outcome === null);
  for (const test of fit) test.kills = 0;
  say(`mutation: ${mutants.length} mutants, tried by ${fit.length} of ${tests.length} tests`);

  const quick = fit.filter(({ again }) => again.ms < longestMs);
  const byConcern = concernOf(quick, mutants);
  const atLoad = new Set(reachedAtLoad);
  const states = new Map();
  const proofs = new Map();
  const waiting = mutants.values();
  const spare = [rehearsing];
  await Promise.all(Array.from({ length: workers }, work));
  return mutants.map((mutant) => ({ ...mutant, ...states.get(mutant) }));

  async function work() {
    let running = spare.pop() ?? (await started(program));
    let instances = 0;
    for (const mutant of waiting) {
      states.set(mutant, mutant.status === "Ignored" ? { state: "Ignored" } : await stateOf(mutant));
      if (states.size % 100 === 0) say(`mutation: ${states.size} of ${mutants.length} tried`);
    }
    running.kill("SIGKILL");

    async function stateOf({ id, fileName }) {
      const reaching = fit.filter(({ again }) => again.hits[id] !== undefined);
      const hitLimit = 10_000 + 100 * Math.max(0, ...reaching.map(({ again }) => again.hits[id]));
      const doneOnce = fit.filter(({ first, again }) => first.hits[id] !== undefined && again.hits[id] === undefined);
      const places = new Set(doneOnce.map(({ file }) => file));
      const sharing = quick.filter(({ file }) => atLoad.has(id) || places.has(file));
      if (reaching.length === 0 && sharing.length === 0) return { state: "NoCoverage" };
      return (
        (await noticed(byLikelihood(reaching), { id, hitLimit })) ??
        (await noticedAfresh(byConcern(byLikelihood(sharing), fileName).slice(0, mostTests), id)) ?? {
          state: "Survived",
        }
      );
    }

    /**
     * Tries a mutant. If what came before may be to blame, or that the machine has other things to do, it tries once
     * more in another process.
     */
    async function noticed(order, question) {
      let answer = await attempted(running, order, question);
      if (isCertain(answer)) return stateBy(answer);
      await renew();
      answer = await attempted(running, order, { ...question, isProof: true });
      if (!isCertain(answer)) await renew();
      return stateBy(answer);
    }

    /**
     * Tries a mutant in an instance that is never without it. Each test that fails has an instance for itself then, and
     * one without the mutant.
     */
    async function noticedAfresh(order, id) {
      for (let left = order; ;) {
        const answer = await afresh(left, id);
        const { test } = answer ?? {};
        if (test === undefined || ((await afresh([test], id))?.by !== null && (await passesAlone(test)))) {
          return stateBy(answer);
        }
        left = left.slice(left.indexOf(test) + 1);
      }
    }

    async function passesAlone(test) {
      if (!proofs.has(test)) proofs.set(test, (await afresh([test]))?.by === null);
      return proofs.get(test);
    }

    /** Asks twice where no answer comes. */
    async function afresh(order, id) {
      if (order.length === 0) return { by: null };
      for (const isLast of [false, true]) {
        if (++instances > mostInstances) await renew();
        const answer = await attempted(running, order, { ask: "attemptAfresh", id });
        if (answer !== null) return answer;
        await renew();
        if (isLast) return null;
      }
    }

    async function renew() {
      running.kill("SIGKILL");
      running = await started(program);
      instances = 0;
    }
  }
}

const isCertain = (answer) => answer !== null && (answer.test === undefined || answer.isCertain);

/** Null if no test noticed a mutant. */
function stateBy(answer) {
  if (answer === null) return { state: "Timeout" };
  if (answer.test === undefined) return null;
  answer.test.kills++;
  return { state: answer.isLate ? "Timeout" : "Killed", test: answer.test.title };
}

/** Returns what sorts tests by what they reach of a file, first those that reach what few others do. */
function concernOf(tests, mutants) {
  const fileOf = new Map(mutants.map(({ id, fileName }) => [id, fileName]));
  const reached = new Map();
  for (const { first } of tests) for (const id in first.hits) reached.set(id, (reached.get(id) ?? 0) + 1);
  const concern = new Map(tests.map((test) => [test, new Map()]));
  for (const [{ first }, files] of concern) {
    for (const id in first.hits) {
      const file = fileOf.get(id);
      files.set(file, (files.get(file) ?? 0) + 1 / reached.get(id));
    }
  }
  const of = (test, file) => concern.get(test).get(file) ?? 0;
  return (some, file) => some.toSorted((one, other) => of(other, file) - of(one, file));
}

/** Tests that have noticed much in little time come first. */
function byLikelihood(tests) {
  const likelihood = ({ kills, again: { ms } }) => (kills + 0.01) / (ms + 1);
  return tests.toSorted((one, other) => likelihood(other) - likelihood(one));
}

/** A process that is ready to run tests. */
async function started(program) {
  const made = fork(child, [program], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  await nextAnswer(made);
  return made;
}

/** Has a process attempt a mutant; null if it does not answer, else with the test that fails, if one does. */
async function attempted(running, order, question) {
  const short = order.map(({ file, nth }) => ({ file, nth }));
  const answer = await answerOf(running, { ask: "attempt", order: short, ...question });
  return answer === null ? null : { ...answer, test: order[answer.by ?? -1] };
}

function answerOf(running, question) {
  const answer = nextAnswer(running);
  running.send(question);
  return answer;
}

/** Waits for an answer; null if the process ends before, or says nothing for too long. */
function nextAnswer(running) {
  return new Promise((resolve) => {
    let timer;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(done, silenceMs, null);
    };
    const onMessage = ({ answer }) => (answer === undefined ? wait() : done(answer));
    const onExit = () => done(null);
    const done = (value) => {
      clearTimeout(timer);
      running.off("message", onMessage).off("exit", onExit);
      resolve(value);
    };
    running.on("message", onMessage).on("exit", onExit);
    wait();
  });
}
