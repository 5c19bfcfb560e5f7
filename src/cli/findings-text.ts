import type { Finding } from "./findings.ts";
import { shown } from "./text-table.ts";

export function findingsText(findings: readonly Finding[]): string {
  if (findings.length === 0) return "Nothing found";
  const parts = findings.map(({ kind, resource, pattern, message, example }) => {
    const where = pattern === null ? shown(resource) : `${shown(pattern)} of ${shown(resource)}`;
    return `${kind}: ${where}\n  ${shown(message, 400)}${example === null ? "" : `\n  such as ${shown(example)}`}`;
  });
  return `${parts.join("\n")}\n\n${findings.length} ${findings.length === 1 ? "finding" : "findings"}`;
}
