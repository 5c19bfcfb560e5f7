import { longestTimerMs } from "./option-check.ts";

/** Calls a function at a time. A clock that is set back or forth changes nothing. Returns how to stop that. */
export function endAt(timeMs: number, end: () => void): () => void {
  const endMs = performance.now() + timeMs - Date.now();
  let timer: ReturnType<typeof setTimeout>;
  const wait = (): void => {
    const leftMs = endMs - performance.now();
    timer = leftMs > longestTimerMs ? setTimeout(wait, longestTimerMs) : setTimeout(end, Math.max(leftMs, 0));
    // Node and Bun: the connection keeps the process alive, not what ends it.
    (timer as { unref?(): void }).unref?.();
  };
  wait();
  return () => clearTimeout(timer);
}

/** Makes the date of a time. A time later than all dates is the last date: `absoluteMs` may mean "never". */
export function dateOf(timeMs: number): Date {
  return new Date(Math.min(timeMs, 8.64e15));
}
