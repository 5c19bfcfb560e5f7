/** A table in Markdown; the first column is text, the others are figures. */
export function tableOf(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, at) => (at === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

/** A figure with as many digits as it is good for. */
export function figure(value) {
  if (value === Infinity) return "∞";
  if (value === undefined || Number.isNaN(value) || value === null) return "";
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString("en-US");
  if (Math.abs(value) >= 10) return value.toFixed(0);
  return value.toFixed(2);
}

/** The name of a runtime, as a sentence has it. */
export const nameOf = (label) =>
  label
    .replace(/^node-/, "Node ")
    .replace("bun", "Bun")
    .replace("deno", "Deno");
