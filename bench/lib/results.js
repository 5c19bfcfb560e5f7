import { existsSync, readFileSync } from "node:fs";

const labels = ["node-20", "node-22", "node-24", "node-26", "bun", "deno"];

/** What was measured last, on each runtime. */
export function storedResults() {
  return labels
    .map((label) => new URL(`../results/${label}.json`, import.meta.url))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, "utf8")));
}
