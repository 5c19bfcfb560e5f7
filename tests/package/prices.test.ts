import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The texts of all comments of the sources that begin with PERF, up to the end of their paragraph. */
function pricesOf(file: string): string[] {
  const text = readFileSync(join(root, "src", file), "utf8");
  const paragraphs = text.matchAll(/PERF: (?:[^\n]+(?=\n|$)(?:\n\s*(?:\/\/|\*(?!\/)) (?!PERF:)(?!@)[^\n]+)*)/g);
  return [...paragraphs].map(([found]) => found.replace(/\s*\n\s*(?:\/\/|\*) /g, " "));
}

/** A share, or two figures to compare. */
const figure = /\d|\bhalf\b|\bthirds?\b|\bquarter\b|\bsquare\b/;

it("says of every shortcut for speed what it saves, and which program of the repository measures it", () => {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  const prices = files.flatMap((file) => pricesOf(file).map((text) => ({ file, text })));
  expect(prices.length).toBeGreaterThan(20);
  for (const { file, text } of prices) {
    expect(text.replace(/`[^`]*`/g, ""), file).toMatch(figure);
    const [, program = "?"] = /`[^`]*?((?:bench|scripts|tests)\/[\w./-]+)/.exec(text) ?? [];
    expect(existsSync(join(root, program)), `${file}: ${text}`).toBe(true);
  }
});
