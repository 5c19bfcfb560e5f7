import type { Explanation } from "./explanation.ts";
import { shown, tableOf } from "./text-table.ts";

/** Writes an explanation for a terminal. */
export function explanationText(explanation: Explanation): string {
  const { method, target, path, matched, status, because, resource, pattern, params, middleware } = explanation;
  const facts: string[][] = [["path", path === null ? "(none)" : shown(path)]];
  if (pattern !== null) facts.push(["pattern", shown(pattern)], ["resource", shown(resource!)]);
  for (const [name, value] of Object.entries(params)) {
    facts.push([`param ${shown(name)}`, value === null ? "(not supplied)" : shown(JSON.stringify(value))]);
  }
  if (matched) {
    facts.push(["calls", [...middleware, `${resource}.${method}`].map((name) => shown(name)).join(" > ")]);
  } else {
    facts.push(["answer", `${status}: ${shown(because)}`]);
  }
  return [`${shown(method, 40)} ${shown(target)}`, tableOf(facts, "  "), consideredText(explanation)]
    .filter((part) => part !== "")
    .join("\n\n");
}

function consideredText({ considered, path }: Explanation): string {
  if (considered.length === 0) return path === null ? "" : "  No pattern begins as this path does";
  const rows = considered.map((entry, index) => [
    entry.matches ? `${index + 1}.` : "-",
    shown(entry.pattern),
    shown(entry.resource),
    shown(entry.because),
  ]);
  const title = considered[0]!.matches ? "Patterns that match, best first" : "No pattern matches";
  const hasMisses = considered.some((entry) => !entry.matches);
  return `  ${title}${hasMisses ? '; "-" for those that come close' : ""}:\n\n${tableOf(rows, "    ")}`;
}
