// A fixed clock and fixed random numbers, in place of those of the runtime. Loaded before the build is.
const start = Date.UTC(2026, 0, 31, 12);
let now = start;
let state = 1;

const Real = Date;
globalThis.Date = new Proxy(Real, {
  apply: () => new Real(now).toString(),
  construct: (target, values, made) => Reflect.construct(target, values.length === 0 ? [now] : values, made),
  get: (target, name) => (name === "now" ? () => now : Reflect.get(target, name)),
});
Object.defineProperty(performance, "now", { configurable: true, value: () => now - start });
Object.defineProperty(Math, "random", { configurable: true, value: () => next() / 2 ** 32 });
Object.defineProperty(crypto, "getRandomValues", { configurable: true, value: filled });
Object.defineProperty(crypto, "randomUUID", { configurable: true, value: uuid });

/** Begins an exchange: the same numbers come for the same name, whatever came before it. */
export function begin(name) {
  state = 2_166_136_261;
  for (const letter of name) state = Math.imul(state ^ letter.codePointAt(0), 16_777_619) >>> 0;
  state ||= 1;
}

/** Moves the clock on. */
export function pass(milliseconds) {
  now += milliseconds;
}

/** The next of 32 bits, by xorshift. */
function next() {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  state >>>= 0;
  return state;
}

function filled(array) {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  for (let at = 0; at < bytes.length; at++) bytes[at] = next() & 0xff;
  return array;
}

function uuid() {
  const digits = Array.from(filled(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [0, 8, 12, 16, 20].map((from, at) => digits.slice(from, [8, 12, 16, 20, 32][at])).join("-");
}
