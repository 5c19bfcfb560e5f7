import { listOf, membersOf, namesOf, resolved, textOf, type Members, type Verdict } from "./change.ts";

/** What lets a caller in: each alternative names schemes that are all needed, with the scopes of each. */
type Alternative = Readonly<Record<string, readonly unknown[]>>;

/** Lists what the security of an operation means for callers that have what it took before. */
export function* securityChanges(
  before: Members,
  after: Members,
  older: Members,
  newer: Members,
): Generator<[Verdict, string]> {
  const [was, is] = [alternativesOf(before), alternativesOf(after)];
  for (const one of was) {
    if (is.some((other) => isEnough(one, other))) continue;
    yield ["breaking", `${nameOf(one)} is not enough any more`];
  }
  for (const other of is) {
    if (was.some((one) => textOf(one) === textOf(other))) continue;
    // What is broken by it was said of the alternative that it replaces.
    yield ["compatible", `${nameOf(other)} is enough now`];
  }
  const used = new Set([...was, ...is].flatMap((one) => Object.keys(one)));
  for (const name of used) yield* schemeChanges(name, schemeOf(older, name), schemeOf(newer, name));
}

function alternativesOf({ security }: Members): Alternative[] {
  const alternatives = listOf(security).map((one) => membersOf(one) as Alternative);
  return alternatives.length === 0 ? [{}] : alternatives;
}

/** Returns whether a caller with what an alternative names is let in by another. */
function isEnough(held: Alternative, needed: Alternative): boolean {
  return Object.entries(needed).every(
    ([name, scopes]) =>
      Object.hasOwn(held, name) && listOf(scopes).every((scope) => listOf(held[name]).includes(scope)),
  );
}

function nameOf(alternative: Alternative): string {
  const names = Object.entries(alternative).map(([name, scopes]) =>
    listOf(scopes).length === 0 ? name : `${name} with ${listOf(scopes).join(", ")}`,
  );
  return names.length === 0 ? "nothing" : names.join(" and ");
}

function schemeOf(document: Members, name: string): Members | null {
  const schemes = membersOf(membersOf(document["components"])["securitySchemes"]);
  return schemes[name] === undefined ? null : membersOf(resolved(schemes[name], document));
}

function* schemeChanges(name: string, before: Members | null, after: Members | null): Generator<[Verdict, string]> {
  // A scheme that comes or goes is told with the alternatives that name it.
  if (before === null || after === null) return;
  for (const member of namesOf(before, after)) {
    const [was, is] = [before[member], after[member]];
    if (textOf(was) === textOf(is)) continue;
    const verdict = member === "flows" || member.endsWith("Url") ? "unclear" : "breaking";
    yield [
      member === "description" || member === "bearerFormat" ? "compatible" : verdict,
      `${member} of ${name} differs`,
    ];
  }
}
