import type { Change, Verdict } from "./change.ts";

const headings: Readonly<Record<Verdict, string>> = {
  breaking: "Breaking",
  unclear: "Unclear",
  compatible: "Compatible",
};
const order: readonly Verdict[] = ["breaking", "unclear", "compatible"];

/** A difference as a report tells it: one of a schema that operations share is told once. */
interface Told {
  readonly change: Change;
  /** How many other operations it is in. */
  readonly others: number;
}

/** Writes changes as text for a terminal: breaking ones first, each with its operation. */
export function changesText(changes: readonly Change[]): string {
  if (changes.length === 0) return "The documents say the same";
  const told = toldOf(changes);
  return [
    ...sections(
      told,
      (heading) => `${heading}:`,
      (one) => `  ${lineOf(one)}`,
    ),
    "",
    summaryOf(told),
  ].join("\n");
}

/** Writes changes as Markdown, for a comment of a code review. */
export function changesMarkdown(changes: readonly Change[]): string {
  if (changes.length === 0) return "The documents say the same.";
  const told = toldOf(changes);
  const table = sections(
    told,
    (heading) => `## ${heading}\n\n| operation | place | change | for |\n|---|---|---|---|`,
    (one) => `| ${[operationsOf(one), placeOf(one), one.change.what, one.change.for].map(cell).join(" | ")} |`,
  );
  return [`**${summaryOf(told)}.**`, "", ...table].join("\n");
}

function toldOf(changes: readonly Change[]): Told[] {
  const told = new Map<string, Change[]>();
  for (const change of changes) {
    const { verdict, for: who, operation, place, what, schema } = change;
    const key = JSON.stringify(schema === undefined ? [operation, place, what] : [verdict, who, schema, what, null]);
    const alike = told.get(key);
    if (alike === undefined) told.set(key, [change]);
    else alike.push(change);
  }
  return [...told.values()].map((alike) => {
    const [change] = alike as [Change];
    return { change, others: new Set(alike.map(({ operation }) => operation)).size - 1 };
  });
}

function operationsOf({ change: { operation }, others }: Told): string {
  return `${operation ?? "the document"}${others === 0 ? "" : `, and ${others} more`}`;
}

function placeOf({ change: { place, schema }, others }: Told): string {
  return others === 0 ? place : schema!;
}

function* sections(
  told: readonly Told[],
  begin: (heading: string) => string,
  row: (one: Told) => string,
): Generator<string> {
  let isFirst = true;
  for (const verdict of order) {
    const of = told.filter(({ change }) => change.verdict === verdict);
    if (of.length === 0) continue;
    if (!isFirst) yield "";
    isFirst = false;
    yield begin(headings[verdict]);
    for (const one of of) yield row(one);
  }
}

function lineOf(one: Told): string {
  const place = placeOf(one);
  const where = [operationsOf(one), ...(place === "" ? [] : [place])].join(", ");
  return plain(`${where}: ${one.change.what} (${one.change.for})`);
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

function cell(text: string): string {
  return plain(text).replaceAll("|", "\\|").replaceAll("<", "&lt;");
}

/** Counts changes by what they mean. */
function summaryOf(told: readonly Told[]): string {
  const count = (verdict: Verdict): number => told.filter(({ change }) => change.verdict === verdict).length;
  return `${count("breaking")} breaking, ${count("unclear")} unclear, ${count("compatible")} compatible`;
}
