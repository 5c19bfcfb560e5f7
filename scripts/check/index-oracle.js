// Holds the index against the oracle on 1,000,000 generated pairs of a table of patterns and a path:
// `node scripts/check/index-oracle.js`. With a number, on that many pairs; with a second one, or FINGERPOST_SEED, from
// that seed.
import { importTypeScript } from "../build/import-typescript.js";

const anySeed = Number(process.env.FINGERPOST_SEED ?? Date.now() % 2 ** 31);
const [pairs = 1_000_000, seed = anySeed] = process.argv.slice(2).map(Number);
const { agree } = await importTypeScript("tests/properties/agreement.ts");

const from = performance.now();
const { tables, pairs: tried, matches } = agree(Math.ceil(pairs / 100), seed);
const seconds = ((performance.now() - from) / 1000).toFixed(0);
const count = (number) => number.toLocaleString("en-US");
console.log(
  `Index and oracle agree on ${count(tried)} pairs: ${count(tables)} tables, ${count(matches)} matches, ` +
    `seed ${seed}, ${seconds} s on Node ${process.versions.node}`,
);
