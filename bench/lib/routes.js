import { segmentsOf } from "./pattern.js";
import { pick, randomFrom, shuffled, word } from "./random.js";

/** One string for each method: what is cut out of a line is another one, which engines compare more slowly. */
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Routes from lines such as `GET /users/:id`, numbered from 1. */
export function routesOf(lines) {
  return lines.map((line, at) => {
    const [token, pattern] = line.split(" ");
    const method = methods.find((known) => known === token);
    const names = segmentsOf(pattern).flatMap(({ name }) => (name ? [name] : []));
    return { id: at + 1, line, method, pattern, names };
  });
}

/**
 * As many different requests for some routes as a table asks for, shuffled: what the clock runs over. Of more routes,
 * some.
 */
export function inputsOf(routes, { seed = 1, count = 1024, samples = {} } = {}) {
  const random = randomFrom(seed);
  const chosen = count < routes.length ? shuffled(routes, random) : routes;
  return shuffled(
    Array.from({ length: count }, (_, at) => {
      const { method, pattern } = chosen[at % chosen.length];
      return { method, path: pathOf(segmentsOf(pattern), random, samples) };
    }),
    random,
  );
}

function pathOf(segments, random, samples) {
  const parts = [];
  for (const { kind, text, expression } of segments) {
    if (kind === "static") parts.push(text);
    else if (kind === "param") parts.push(word(random));
    else if (kind === "rest") parts.push(`${word(random)}.${pick(["html", "css", "js"], random)}`);
    else if (kind === "optional" && random() < 0.5) break;
    else parts.push(expression === undefined ? word(random) : samples[expression](random));
  }
  return `/${parts.join("/")}`;
}
