import type { Change, Verdict } from "./change.ts";

const headings: Readonly<Record<Verdict, string>> = {
  breaking: "Breaking",
  unclear: "Unclear",
  compatible: "Compatible",
};
const order: readonly Verdict[] = ["breaking", "unclear", "compatible"];

/** Writes changes as text for a terminal: breaking ones first, each with its operation. */
export function changesText(changes: readonly Change[]): string {
  if (changes.length === 0) return "The documents say the same";
  return [
    ...sections(
      changes,
      (heading) => `${heading}:`,
      (change) => `  ${lineOf(change, plain)}`,
    ),
    "",
    summaryOf(changes),
  ].join("\n");
}

/** Writes changes as Markdown, for a comment of a code review. */
export function changesMarkdown(changes: readonly Change[]): string {
  if (changes.length === 0) return "The documents say the same.";
  const table = sections(
    changes,
    (heading) => `## ${heading}\n\n| operation | place | change | for |\n|---|---|---|---|`,
    (change) =>
      `| ${[change.operation ?? "the document", change.place, change.what, change.for].map(cell).join(" | ")} |`,
  );
  return [`**${summaryOf(changes)}.**`, "", ...table].join("\n");
}

function* sections(
  changes: readonly Change[],
  begin: (heading: string) => string,
  row: (change: Change) => string,
): Generator<string> {
  let isFirst = true;
  for (const verdict of order) {
    const of = changes.filter((change) => change.verdict === verdict);
    if (of.length === 0) continue;
    if (!isFirst) yield "";
    isFirst = false;
    yield begin(headings[verdict]);
    for (const change of of) yield row(change);
  }
}

function lineOf({ operation, place, what, for: who }: Change, shown: (text: string) => string): string {
  const where = [operation ?? "the document", ...(place === "" ? [] : [place])].join(", ");
  return shown(`${where}: ${what} (${who})`);
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

function cell(text: string): string {
  return plain(text).replaceAll("|", "\\|").replaceAll("<", "&lt;");
}

/** Counts changes by what they mean. */
function summaryOf(changes: readonly Change[]): string {
  const count = (verdict: Verdict): number => changes.filter((change) => change.verdict === verdict).length;
  return `${count("breaking")} breaking, ${count("unclear")} unclear, ${count("compatible")} compatible`;
}
