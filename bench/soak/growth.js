// What the soak runs share: how the heap is measured, what is too much, and that a leak would be noticed.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

/**
 * The heap may grow by so much after the first tenth of a run: what V8 still compiles and allots for itself by then.
 */
export const limitBytes = 1_000_000;

/** SOAK_SCALE=0.01 runs a hundredth. */
export const scale = Number(process.env.SOAK_SCALE ?? 1);

/** The heap that is in use once all is collected that can be. */
export async function heapBytes() {
  // What is let go by one collection may be noticed by weak maps and finalizers in the next.
  for (let i = 0; i < 3; i++) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed;
}

/**
 * Runs something in ten parts, and compares the heap after the first with the heap after the last.
 *
 * @param part does a tenth of `total`, from a number on.
 * @param measure tells the heap; that of another process, for a server.
 */
export async function growthOf(total, part, measure = heapBytes) {
  const size = Math.ceil(total / 10);
  const heaps = [];
  for (let at = 0; at < 10; at++) {
    await part(at * size, size);
    heaps.push(await measure());
  }
  return { bytes: heaps.at(-1) - heaps[0], heaps };
}

/** Prints what a run found, and fails the process unless the heap stayed as it was, or grew where it had to. */
export function report(name, total, { bytes, heaps }, { isControl = false, milliseconds }) {
  const isCaught = bytes > limitBytes;
  const megabytes = (value) => (value / 1e6).toFixed(2);
  const verdict = isControl ? (isCaught ? "caught, as it must be" : "NOT CAUGHT") : isCaught ? "TOO MUCH" : "fine";
  console.log(
    `soak: ${name}: ${total.toLocaleString("en")} in ${(milliseconds / 1000).toFixed(0)} s, ` +
      `heap ${heaps.map(megabytes).join(" ")} MB, growth ${megabytes(bytes)} MB: ${verdict}`,
  );
  if (isCaught !== isControl) process.exitCode = 1;
}

/**
 * Does both: the run itself, and one a tenth as long, but long enough to grow by more than the limit, with a leak in
 * it.
 */
export async function soak(name, total, run, leak) {
  for (const [title, amount, act, isControl] of [
    [name, total, run, false],
    [`${name}, with a leak`, Math.max(20_000, Math.ceil(total / 10)), leak, true],
  ]) {
    const from = performance.now();
    const growth = await act(Math.ceil(amount));
    report(title, Math.ceil(amount), growth, { isControl, milliseconds: performance.now() - from });
  }
}
