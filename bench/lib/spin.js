import { start, stop } from "./clock.js";

/*
 * Tells a disturbed sample from a good one: the same integer work takes longer when something else has the core. What
 * is normal is told by the best of late: a machine that is busy for minutes has another normal.
 */

const iterations = 120_000;
const recent = new Float64Array(200);
const best = 10;
let count = 0;
let normal = Infinity;

/** The time of one spin, over the normal one: 1 on a core that nothing disturbs. */
export function spin() {
  // Only who samples pays for it: it takes a fifth of a second.
  if (count === 0) for (count = 1; count <= 400;) spin();
  start();
  let state = 1;
  for (let at = 0; at < iterations; at++) state = (Math.imul(state, 1664525) + 1013904223) | 0;
  const time = stop();
  // The result is used, so that no compiler may leave the loop out.
  if (state === 0) throw new Error("the spin ended at zero");
  recent[count++ % recent.length] = time;
  if (count % 50 === 0) normal = recent.toSorted()[best];
  return time / normal;
}
