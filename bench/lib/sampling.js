import { start, stop } from "./clock.js";
import { randomFrom, shuffled } from "./random.js";
import { spin } from "./spin.js";

const disturbed = 1.12;

/** How many samples were taken, and how many of them were thrown away as disturbed. */
export const quality = { samples: 0, disturbed: 0 };

/**
 * Times candidates side by side, on a machine that has other work: each round runs all of them in random order, for
 * some milliseconds each, and those that were disturbed again. What the candidates have to bear they bear together:
 * compare the samples of one round, and no others.
 *
 * @param candidates by name, functions that run so many times and give the milliseconds that took.
 * @returns by name, the nanoseconds of one run in each round.
 */
export async function sample(candidates, { rounds = 9, warmupMs = 60, sampleMs = 5, tries = 4 } = {}) {
  const random = randomFrom(Date.now());
  const names = Object.keys(candidates);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  const counts = {};
  for (const name of names) counts[name] = await calibrated(candidates[name], warmupMs, sampleMs);
  for (let round = 0; round < rounds; round++) {
    const taken = Object.fromEntries(names.map((name) => [name, { disturbance: Infinity, time: NaN }]));
    for (let attempt = 0; attempt < tries; attempt++) {
      for (const name of shuffled(names, random)) {
        if (taken[name].disturbance <= disturbed) continue;
        const another = await guarded(candidates[name], counts[name]);
        if (another.disturbance < taken[name].disturbance) taken[name] = another;
      }
    }
    // Where the core never was free, the least disturbed one is what there is.
    for (const name of names) times[name].push((taken[name].time * 1e6) / counts[name]);
  }
  return times;
}

/** Makes a candidate of a loop that runs so many times. */
export function clocked(run) {
  return (count) => {
    start();
    run(count);
    return stop();
  };
}

/** Warms a candidate up; tells how many runs fill a sample. */
async function calibrated(clock, warmupMs, sampleMs) {
  let count = 1;
  let fill = 1;
  for (let total = 0; ;) {
    const took = await clock(count);
    total += took;
    if (took > 0) fill = Math.max(1, Math.round((count * sampleMs) / took));
    if (total > warmupMs && took > sampleMs / 4) return fill;
    if (took < sampleMs) count *= 2;
  }
}

async function guarded(clock, count) {
  const before = spin();
  const time = await clock(count);
  const disturbance = Math.max(before, spin());
  quality.samples++;
  if (disturbance > disturbed) quality.disturbed++;
  return { time, disturbance };
}

export function median(numbers) {
  const sorted = numbers.filter((number) => !Number.isNaN(number)).toSorted((a, b) => a - b);
  if (sorted.length === 0) return NaN;
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
