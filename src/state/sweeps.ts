const sweepMs = 60_000;

/** Returns a function that runs another one at most once a minute, the first time after a minute. */
export function onceAMinute(run: () => unknown): () => unknown {
  let next = performance.now() + sweepMs;
  return () => {
    if (performance.now() < next) return undefined;
    next = performance.now() + sweepMs;
    return run();
  };
}
