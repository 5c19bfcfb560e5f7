// Measures what the engine takes for what a match is made of, on strings not seen before: `node bench/primitives.js`;
// see README.md.
import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { dist } from "./lib/dist.js";
import { clocked, median, sample } from "./lib/sampling.js";
import { randomFrom } from "./lib/random.js";

const { originEnd, isPlainPath } = await import(new URL("core.js", dist).href);
const random = randomFrom(1);
const word = () =>
  Math.floor(random() * 36 ** 8)
    .toString(36)
    .padStart(8, "0");
const literal = "/user/lookup/username/";
const urls = Array.from({ length: 1024 }, (_, at) => `http://host${at % 10}.example.com${literal}${word()}?q=1`);
// One text that was written at once: what is cut out of it is a slice, as in the other benchmarks.
const text = Buffer.from(urls.join("")).toString("latin1");
const [length] = urls.map((url) => url.length);
const start = urls[0].indexOf("/", 8);
const path = length - "?q=1".length;
const stop = /[^?#%]*/y;
const allowed = Uint8Array.from({ length: 128 }, (_, code) => Number(!"?#%".includes(String.fromCharCode(code))));

const manual = { requireManualDestroy: true };

/** As much as a list of an answer has. */
const content = text.slice(0, 10_000);

/** Each takes a URL and gives a number, which is added up, with the number that it must add up to for each of them. */
const primitives = {
  "nothing but the string": [(url) => url.length, length],
  "search for the slash of the path": [(url) => url.indexOf("/", 8), start],
  "search for the query": [(url) => url.indexOf("?", start), path],
  "search for an escape, in vain": [(url) => url.indexOf("%", start), -1],
  "search for the slash behind a param, in vain": [(url) => url.indexOf("/", start + literal.length), -1],
  "search for query, escape, fragment": [
    (url) => url.indexOf("?", start) + url.indexOf("%", start) + url.indexOf("#", start),
    path - 2,
  ],
  "expression for all three": [(url) => endOf(stop, url, start), path],
  "loop over the characters of the path": [(url) => endOfLoop(url), path],
  "literal of 22 characters, found": [(url) => Number(url.indexOf(literal, start) === start), 1],
  "literal of 22 characters, startsWith()": [(url) => Number(url.startsWith(literal, start)), 1],
  "literal of 8 characters, cut out": [(url) => Number(url.slice(12, 20) === ".example"), 1],
  "our expression for the origin": [(url) => originEnd(url), start],
  "our expression for the path": [(url) => Number(isPlainPath(url, start, path)), 1],
  "bytes of 10 kB, by Buffer": [() => Buffer.byteLength(content), content.length],
  "context, by AsyncResource": [() => Number(new AsyncResource("x", manual).asyncId() > 0), 1],
  "context, by AsyncLocalStorage.snapshot()": [() => AsyncLocalStorage.snapshot()(() => 1), 1],
  "bytes of 10 kB, by TextEncoder": [() => new TextEncoder().encode(content).byteLength, content.length],
};

function endOf(expression, url, from) {
  expression.lastIndex = from;
  return expression.test(url) ? expression.lastIndex : -1;
}

function endOfLoop(url) {
  let at = start;
  while (at < url.length && allowed[url.charCodeAt(at)] === 1) at++;
  return at;
}

const loops = Object.entries(primitives).map(([name, [run, expected]], number) => {
  // Each has code of its own, as engines know functions of one text as one.
  const loop = new Function(
    "text",
    "length",
    "run",
    "count",
    `let sum = 0; /* ${number} */
    for (let at = 0; at < count; at++) {
      const from = (at & 1023) * length;
      sum += run(text.slice(from, from + length));
    }
    return sum;`,
  );
  const of = (count) => loop(text, length, run, count);
  if (of(1024) !== 1024 * expected) throw new Error(`"${name}" gives ${of(1024) / 1024} in place of ${expected}`);
  return [name, clocked(of)];
});
const times = await sample(Object.fromEntries(loops), { rounds: 21 });
const [[base]] = loops;
for (const [name] of loops.slice(1)) {
  const ns = median(times[name].map((time, round) => time - times[base][round]));
  console.log(`${ns.toFixed(1).padStart(6)} ns  ${name}`);
}
console.log(`The loop is over ${path - start} characters.`);
