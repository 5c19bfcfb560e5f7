import { pick, randomFrom, word } from "../lib/random.js";

const letters = "abcdefghijklmnopqrstuvwxyz";
const digits = (random) => word(random, "0123456789", 1, 8);
const slug = (random) => word(random, `${letters}0123456789-`, 3, 16);

function wordsOf(count, seed) {
  const random = randomFrom(seed);
  const words = new Set();
  while (words.size < count) words.add(word(random, letters, 4, 10));
  return [...words];
}

/** Fifty patterns with optional params, fifty static ones beside them. */
export function optionalHeavy() {
  const words = wordsOf(75, 11);
  const optional = ["/:id/:a?/:b?/:c?", "/:id?/:a?"];
  const routes = words.slice(0, 50).map((name, at) => `GET /${name}${optional[at % 2]}`);
  routes.push(...words.slice(50).flatMap((name, at) => [`GET /${name}`, `GET /${words[at]}/${name}`]));
  return { routes, rows: { "all together": routes } };
}

/** A hundred patterns whose params are constrained. */
export function constrainedHeavy() {
  const routes = wordsOf(50, 12).flatMap((name) => [
    String.raw`GET /${name}/:id(\d+)`,
    String.raw`GET /${name}/:id(\d+)/:slug([a-z0-9-]+)`,
  ]);
  return { routes, rows: { "all together": routes }, samples: { [String.raw`\d+`]: digits, "[a-z0-9-]+": slug } };
}

/** Eight expressions that span segments, one that ends the path, twenty plain patterns. */
export function expressionHeavy() {
  const extensions = ["jpg", "png", "gif", "css", "js", "svg", "ico", "txt"];
  const expressionOf = (extension) => String.raw`.+\.${extension}`;
  const routes = [
    ...extensions.map((extension) => `GET /(${expressionOf(extension)})`),
    "GET /([0-9]$)",
    ...wordsOf(20, 13).map((name) => `GET /${name}/:id`),
  ];
  const samples = { "[0-9]$": (random) => pick("0123456789", random) };
  for (const extension of extensions) {
    samples[expressionOf(extension)] = (random) => `${slug(random)}/${slug(random)}/${slug(random)}.${extension}`;
  }
  return { routes, rows: { "all together": routes }, samples };
}
