import { pick, word } from "../lib/random.js";

const probes = ["wp-login.php", ".env", "admin", "vendor/phpunit/" +
  "eval-stdin.php", "cgi-bin/luci", "favicon.ico", "api/v1/login"];

/** What matches nothing: what scanners ask for, and paths of the table that go wrong in the end. */
export function missOf(path, random) {
  const kind = Math.floor(random() * 3);
  if (kind === 0) return `/${pick(probes, random)}`;
  if (kind === 1) return `${path}/${word(random)}/${word(random)}`;
  return `/${path.slice(1, -1)}~`;
}

const long = 8000;

/** Paths of 8 kB that match nothing, by kind. */
export const hostile = {
  "one segment": (random) => `/${word(random).repeat(1000).slice(0, long)}`,
  "many segments": (random) => `/${pick("abcdef", random)}`.repeat(long / 2),
  slashes: () => "/".repeat(long),
  "long param, then wrong": (random) => `/repos/${word(random).repeat(1000).slice(0, long)}/x/nothing`,
  "wrong at the end": (random) => `/repos/x/y/git/refs${`/${word(random, "abc", 3, 3)}`.repeat(long / 4)}`,
  escapes: (random) => `/repos/${"%C3%A9".repeat(long / 6)}/${word(random)}/nothing`,
};
