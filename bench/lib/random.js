/** A generator of numbers in [0, 1) that gives the same ones in every run (mulberry32). */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function shuffled(items, random) {
  const result = [...items];
  for (let at = result.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [result[at], result[other]] = [result[other], result[at]];
  }
  return result;
}

export function pick(items, random) {
  return items[Math.floor(random() * items.length)];
}

/** A word such as clients send: `3` to `14` characters unless told otherwise. */
export function word(random, alphabet = "abcdefghijklmnopqrstuvwxyz0123456789-_", least = 3, most = 14) {
  const length = least + Math.floor(random() * (most - least + 1));
  return Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");
}
