import { typesOf, typeTextOf } from "./keyword-changes.ts";
import { memberOf, membersOf, resolved, textOf, type Members } from "./change.ts";

/**
 * Takes from two lists what is meant to be the same: of one name or discriminating member, and the only two of a
 * type.
 */
export function pairsOf(gone: unknown[], added: unknown[], before: Members, after: Members): [unknown, unknown][] {
  const pairs: [unknown, unknown][] = [];
  for (const keyOf of [discriminatorOf, typeTextOf]) {
    for (const one of gone.slice()) {
      const key = keyOf(membersOf(resolved(one, before)), before);
      const same = added.filter((other) => keyOf(membersOf(resolved(other, after)), after) === key);
      const isOnly = gone.filter((other) => keyOf(membersOf(resolved(other, before)), before) === key).length === 1;
      if (key === null || same.length !== 1 || !isOnly) continue;
      gone.splice(gone.indexOf(one), 1);
      added.splice(added.indexOf(same[0]), 1);
      pairs.push([one, same[0]]);
    }
  }
  return pairs;
}

/**
 * Returns whether no value can fit a schema and another one of a list: they have different types, or members with
 * other values.
 */
export function isApart(schema: unknown, others: readonly unknown[], after: Members): boolean {
  const one = membersOf(resolved(schema, after));
  return others.every((other) => {
    const two = membersOf(resolved(other, after));
    if (two === one || textOf(other) === textOf(schema)) return true;
    const types = typesOf(one);
    if (![...typesOf(two)].some((type) => types.has(type) || (type === "integer" && types.has("number")))) return true;
    const [keys, otherKeys] = [constantsOf(one, after), constantsOf(two, after)];
    return Object.entries(keys).some(([name, value]) => name in otherKeys && otherKeys[name] !== value);
  });
}

/** Names an alternative for messages. */
export function alternativeNameOf(schema: unknown, document: Members): string {
  const reference = memberOf(membersOf(schema), "$ref");
  if (typeof reference === "string") return reference.slice(reference.lastIndexOf("/") + 1);
  const members = membersOf(resolved(schema, document));
  const { title, const: value } = members;
  return typeof title === "string"
    ? title
    : value === undefined
      ? (typeTextOf(members) ?? "of any type")
      : JSON.stringify(value);
}

/** The alternatives of a schema; null without any. */
export function alternativesOf({ anyOf, oneOf }: Members): readonly unknown[] | null {
  const alternatives = anyOf ?? oneOf;
  return Array.isArray(alternatives) ? (alternatives as unknown[]) : null;
}

/** A schema of several types is one of them at a time. */
export function byType(schema: Members): readonly unknown[] {
  const { type } = schema;
  return Array.isArray(type) ? (type as unknown[]).map((one) => ({ ...schema, type: one })) : [schema];
}

/** Returns a schema without its alternatives. */
export function withoutUnion(schema: Members): Members {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== "anyOf" && keyword !== "oneOf"));
}

/** Schemas of two lists: those that are written alike, and what one of them alone has. */
interface Matched {
  readonly same: [unknown, unknown][];
  readonly gone: unknown[];
  readonly added: unknown[];
}

/** Finds the schemas of two lists that are written alike, in any order. Their references may lead to others. */
export function matched(before: readonly unknown[], after: readonly unknown[]): Matched {
  const added = [...after];
  const same: [unknown, unknown][] = [];
  const gone = before.filter((one) => {
    const at = added.findIndex((other) => textOf(other) === textOf(one));
    if (at >= 0) same.push([one, ...added.splice(at, 1)] as [unknown, unknown]);
    return at < 0;
  });
  return { same, gone, added };
}

/** Members with one value only tell alternatives apart. */
function discriminatorOf(schema: Members, document: Members): string | null {
  const constants = constantsOf(schema, document);
  return Object.keys(constants).length > 0 ? textOf(constants) : null;
}

function constantsOf(schema: Members, document: Members): Readonly<Record<string, string>> {
  const members = Object.entries(membersOf(schema["properties"]))
    .map(([name, member]) => [name, membersOf(resolved(member, document))["const"]] as const)
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(members.map(([name, value]) => [name, textOf(value)]));
}
