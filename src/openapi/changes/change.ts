import { decodedFragment, pathOf } from "../../json-schema/value/json-pointer.ts";

/** The meaning of a difference: it breaks somebody, nobody, or only the users of an API can know. */
export type Verdict = "breaking" | "compatible" | "unclear";

/** A difference between two versions of an OpenAPI document. */
export interface Change {
  /** Whether the difference breaks clients of the older document. */
  readonly verdict: Verdict;
  /** Who notices it: `callers` send requests, and `readers` take answers. */
  readonly for: "callers" | "readers";
  /** The operation, such as `GET /books/{isbn}`; `null` for the whole document. */
  readonly operation: string | null;
  /** The part of the operation, such as `query limit` or `200 content.title`. */
  readonly place: string;
  /** What differs, such as `maximum 50, was 100`. */
  readonly what: string;
  /** The place in a schema that operations share, such as `Book.title`. Absent where the difference is in none. */
  readonly schema?: string;
}

/** Whether values are sent by callers, or answered to readers. */
export type Side = "request" | "answer";

/**
 * The effect of a difference on the set of values that fit. An object `grows` by members that nobody has to know, and
 * `drops` one that some may have needed, although others fit as before.
 */
export type Effect = "narrows" | "widens" | "replaces" | "grows" | "drops" | "unclear" | "describes";

/** A request may only take more, and an answer may only give what it gave before. */
const verdicts: Readonly<Record<Side, Readonly<Record<Effect, Verdict>>>> = {
  request: {
    narrows: "breaking",
    widens: "compatible",
    replaces: "breaking",
    grows: "compatible",
    drops: "unclear",
    unclear: "unclear",
    describes: "compatible",
  },
  answer: {
    narrows: "compatible",
    widens: "breaking",
    replaces: "breaking",
    grows: "compatible",
    drops: "unclear",
    unclear: "unclear",
    describes: "compatible",
  },
};

/** Returns what a difference means on one side. */
export function verdictOf(side: Side, effect: Effect): Verdict {
  return verdicts[side][effect];
}

/** A JSON Schema, or any other object of a document. */
export type Members = Readonly<Record<string, unknown>>;

/** Returns the value if it is an object with members, and an object without any otherwise. */
export function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a member of an object; `undefined` for a name that only its prototype has. */
export function memberOf(members: Members, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

/** Returns the names that either of two objects has. */
export function namesOf(before: Members, after: Members): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])];
}

/** Returns whether a reference leads to a place of its document, which a JSON Pointer names (RFC 6901 §6). */
export function isLocal(reference: string): boolean {
  return /^#(?:\/|$)/.test(reference);
}

/** Returns what a local reference (RFC 6901 §6) leads to in its document, and any other value as it is. */
export function resolved(value: unknown, document: Members): unknown {
  let at = value;
  // A reference to a reference is rare, and a circle of them is a mistake that must end.
  for (let more = 0; more < 16; more++) {
    const reference = membersOf(at)["$ref"];
    if (typeof reference !== "string" || !isLocal(reference)) return at;
    const { $ref: _, ...beside } = membersOf(at);
    const target = pathOf(decodedFragment(reference.slice(1))).reduce<unknown>(
      (found, name) => (Array.isArray(found) ? found[Number(name)] : memberOf(membersOf(found), name)),
      document,
    );
    at = Object.keys(beside).length === 0 ? target : { ...membersOf(target), ...beside };
  }
  return {};
}

/** Returns a value as text that is equal for equal values of JSON, whatever the order of their members. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  const members = Object.keys(value)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${textOf((value as Members)[name])}`);
  return `{${members.join(",")}}`;
}
