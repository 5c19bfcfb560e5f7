import { randomFrom, word } from "../lib/random.js";

const letters = "abcdefghijklmnopqrstuvwxyz";

/** A table as REST services have them: of ten routes, six have params. */
export function linesOf(count) {
  const random = randomFrom(count);
  const seen = new Set();
  const fresh = () => {
    for (;;) {
      const name = word(random, letters, 4, 10);
      if (!seen.has(name)) return seen.add(name) && name;
    }
  };
  const lines = [];
  for (let at = 0, module = ""; lines.length < count; at++) {
    if (at % 10 === 0) module = fresh();
    lines.push(...collectionOf(`/${module}/${fresh()}`, random));
  }
  return lines.slice(0, count);
}

function collectionOf(path, random) {
  const [one, two, three, four, five] = Array.from({ length: 5 }, () => word(random, letters, 4, 10));
  const patterns = ["", "/:id", `/:id/${one}`, `/:id/${one}/:itemId`, `/search`, `/stats/${two}`];
  patterns.push(`/:id/x${three}`, `/:id/x${three}/:itemId`, `/recent`, `/:id/y${four}/:itemId/${five}`);
  return patterns.map((pattern) => `GET ${path}${pattern}`);
}
