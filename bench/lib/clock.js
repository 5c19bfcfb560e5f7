/*
 * A clock for a machine that has other work. While something else has the core, wall time passes and this process's own
 * CPU time does not; helper threads of the engine add to CPU time, and not to wall time. The lesser of the two is what
 * the measured code took. Both are good to a microsecond, so that samples are of milliseconds.
 */

let wall = 0;
let cpu = { user: 0, system: 0 };

/** Starts the clock. There is one: whoever measures stops it before anything else is measured. */
export function start() {
  cpu = process.cpuUsage();
  wall = performance.now();
}

/** The milliseconds since the start. */
export function stop() {
  const elapsed = performance.now() - wall;
  const { user, system } = process.cpuUsage(cpu);
  return Math.min(elapsed, (user + system) / 1000);
}
