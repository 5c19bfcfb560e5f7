import { casesOf, type Answer, type Case } from "./case.ts";
import { hostileTargets } from "./hostile-targets.ts";

const beginning = "<!-- Made by scripts/check/hostile-targets-page.js from tests/cases/hostile-targets.ts. -->\n";
const end = "<!-- End of what is made. -->\n";

/** Writes the table of hostile targets into `tests/hostile-targets.md`. */
export function withTargets(page: string): string {
  const from = page.indexOf(beginning) + beginning.length;
  const to = page.indexOf(end);
  if (from < beginning.length || to < from)
    throw new Error("tests/hostile-targets.md has lost the comments around its table");
  const rows = casesOf(hostileTargets).map(
    ({ path, expect, because }) => `| ${code(path)} | ${answered(expect)} | ${because} |`,
  );
  const table = ["| target | answer | because |", "|---|---|---|", ...rows].join("\n");
  return `${page.slice(0, from)}\n${table}\n\n${page.slice(to)}`;
}

/**
 * The examples of a page: blocks of patterns, and behind an empty line of targets, each with an arrow to its answer.
 */
export function examplesOf(page: string): Case[] {
  return [...page.matchAll(/^```text\n(.*?)^```$/gms)].flatMap(([, block]) => {
    const parts = block!.split("\n\n");
    const isStrict = parts[0] === 'trailingSlash("strict")';
    const [patterns, rows] = parts
      .slice(isStrict ? 1 : 0)
      .map((part) => part.split("\n").filter((line) => line !== ""));
    return rows!.map((row) => ({
      patterns: patterns!,
      path: row.slice(0, row.indexOf(" ")),
      expect: answerIn(row.slice(row.indexOf("→") + 2)),
      because: row,
      trailingSlash: isStrict ? "strict" : "ignore",
      isOrdered: false,
    }));
  });
}

/** Reads `404`, or `/:a  a = "1"`. */
function answerIn(text: string): Answer {
  if (/^4\d\d$/.test(text)) return Number(text) as 404;
  const [pattern, ...values] = text.split(/ {2,}/);
  const params = values.map((value) => {
    const [name, quoted] = value.split(" = ");
    return [name!, quoted === "undefined" ? undefined : (JSON.parse(quoted!) as string)];
  });
  return { pattern: pattern!, params: Object.fromEntries(params) };
}

function answered(answer: Answer): string {
  if (typeof answer === "number") return String(answer);
  const values = Object.entries(answer.params).map(([name, value]) => {
    return value === 400 ? `, reading \`${name}\` is 400` : `, \`${name}\` is ${code(value!)}`;
  });
  return `\`${answer.pattern}\`${values.join("")}`;
}

/** Text as code, with escapes for what cannot be seen. */
function code(text: string): string {
  if (text === "") return "(empty)";
  const visible = text.replace(/\p{C}|^ | $/gu, (character) => {
    const short = { "\t": "\\t", "\n": "\\n", "\r": "\\r", "\0": "\\0", " ": "\\x20" }[character];
    return short ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return `\`${visible}\``;
}
