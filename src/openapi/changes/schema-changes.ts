import { decodedFragment, pathOf } from "../../json-schema/value/json-pointer.ts";
import { alternativeNameOf, alternativesOf, byType, isApart, matched, pairsOf, withoutUnion } from "./alternatives.ts";
import { descriptionChanges, keywordChanges } from "./keyword-changes.ts";
import {
  listOf,
  memberOf,
  membersOf,
  namesOf,
  resolved,
  textOf,
  verdictOf,
  type Effect,
  type Members,
  type Side,
  type Verdict,
} from "./change.ts";

/** A difference between two schemas. */
export interface SchemaChange {
  readonly verdict: Verdict;
  readonly place: string;
  readonly what: string;
  /** The innermost component of both documents that it is in, and the place there, such as `Book.title`. */
  readonly schema?: string;
}

/** Subschemas that narrow what fits by being there, and what follows from a difference inside of them. */
const constraints: ReadonlyMap<string, "inside" | "unclear"> = new Map([
  ["contains", "inside"],
  ["propertyNames", "inside"],
  ["contentSchema", "inside"],
  ["unevaluatedItems", "inside"],
  ["unevaluatedProperties", "inside"],
  ["then", "inside"],
  ["else", "inside"],
  ["if", "unclear"],
  ["not", "unclear"],
] as const);

/** Compares the schemas of two documents, on one side. */
export class SchemaComparison {
  readonly #before: Members;
  readonly #after: Members;
  readonly #side: Side;
  /** Pairs of places that are being compared: a schema may refer to itself. */
  readonly #open = new Set<string>();
  readonly #numbers = new WeakMap<object, number>();
  #count = 0;

  constructor(before: Members, after: Members, side: Side) {
    this.#before = before;
    this.#after = after;
    this.#side = side;
  }

  /**
   * Lists the differences between two schemas.
   *
   * @param place where they are, as messages name it.
   * @param isText whether values are text that is read as a type, as in a query: every number is a string there.
   */
  *compare(before: unknown, after: unknown, place: string, isText: boolean = false): Generator<SchemaChange> {
    const pair = `${this.#keyOf(before)} ${this.#keyOf(after)}`;
    if (this.#open.has(pair)) return;
    this.#open.add(pair);
    const [older, newer] = [schemaOf(resolved(before, this.#before)), schemaOf(resolved(after, this.#after))];
    const component = componentOf(before, after);
    for (const changes of [this.#conjuncts(older, newer, place), this.#alternatives(older, newer, place, isText)]) {
      for (const change of changes) {
        const isInComponent = component !== null && change.schema === undefined;
        yield isInComponent ? { ...change, schema: component + change.place.slice(place.length) } : change;
      }
    }
    this.#open.delete(pair);
  }

  #keyOf(schema: unknown): string {
    if (typeof schema !== "object" || schema === null) return String(schema);
    const known = this.#numbers.get(schema) ?? ++this.#count;
    this.#numbers.set(schema, known);
    const reference = memberOf(membersOf(schema), "$ref");
    return typeof reference === "string" ? reference : `${known}`;
  }

  #found(effect: Effect, place: string, what: string): SchemaChange {
    return { verdict: verdictOf(this.#side, effect), place, what };
  }

  /** Each schema of `allOf` narrows, so order and grouping do not matter. */
  *#conjuncts(before: Members, after: Members, place: string): Generator<SchemaChange> {
    const { same, gone, added } = matched(listOf(before["allOf"]), listOf(after["allOf"]));
    while (gone.length > 0 && added.length > 0) same.push([gone.shift(), added.shift()]);
    for (const [one, other] of same) yield* this.compare(one, other, place);
    for (const schema of added) yield* this.compare(true, schema, place);
    for (const schema of gone) yield* this.compare(schema, true, place);
  }

  *#alternatives(before: Members, after: Members, place: string, isText: boolean): Generator<SchemaChange> {
    const [older, newer] = [alternativesOf(before), alternativesOf(after)];
    if (older === null && newer === null) return yield* this.#keywords(before, after, place, isText);
    // Beside the alternatives, both may say more.
    if (older !== null && newer !== null)
      yield* this.#keywords(withoutUnion(before), withoutUnion(after), place, isText);
    const { same, gone, added } = matched(older ?? byType(before), newer ?? byType(after));
    for (const [one, other] of [...same, ...pairsOf(gone, added, this.#before, this.#after)])
      yield* this.compare(one, other, place, isText);
    const isExclusive = after["oneOf"] !== undefined && this.#side === "request";
    for (const schema of added) {
      // What fits two schemas of `oneOf` does not fit it at all.
      const isAlone = !isExclusive || isApart(schema, newer ?? [], this.#after);
      const what = `${alternativeNameOf(schema, this.#after)} is a new alternative`;
      yield this.#found(
        isAlone ? "widens" : "unclear",
        place,
        isAlone ? what : `${what}, and other ones may fit with it`,
      );
    }
    for (const schema of gone)
      yield this.#found("narrows", place, `the alternative ${alternativeNameOf(schema, this.#before)} is gone`);
  }

  *#keywords(before: Members, after: Members, place: string, isText: boolean): Generator<SchemaChange> {
    for (const [effect, what] of keywordChanges(before, after, isText)) yield this.#found(effect, place, what);
    yield* this.#subschemas(before, after, place);
    yield* this.#members(before, after, place);
    yield* this.#items(before, after, place);
    for (const [effect, what] of descriptionChanges(before, after, this.#side)) yield this.#found(effect, place, what);
  }

  *#subschemas(before: Members, after: Members, place: string): Generator<SchemaChange> {
    for (const [keyword, within] of constraints) {
      const [older, newer] = [before[keyword], after[keyword]];
      if (older === undefined && newer === undefined) continue;
      if (older === undefined || newer === undefined) {
        yield this.#found(
          older === undefined ? "narrows" : "widens",
          place,
          older === undefined ? `${keyword} is new` : `${keyword} is gone`,
        );
      } else if (within === "inside") yield* this.compare(older, newer, `${place} ${keyword}`);
      else if (textOf(older) !== textOf(newer)) yield this.#found("unclear", place, `${keyword} differs`);
    }
    for (const keyword of ["dependentRequired", "dependentSchemas", "patternProperties"]) {
      const [older, newer] = [membersOf(before[keyword]), membersOf(after[keyword])];
      for (const name of namesOf(older, newer)) {
        const [one, other] = [memberOf(older, name), memberOf(newer, name)];
        const where = `${keyword} of ${JSON.stringify(name)}`;
        if (one === undefined || other === undefined) {
          yield this.#found(
            one === undefined ? "narrows" : "widens",
            place,
            `${where} is ${one === undefined ? "new" : "gone"}`,
          );
        } else if (keyword !== "dependentRequired") yield* this.compare(one, other, `${place} ${where}`);
        else if (textOf(one) !== textOf(other)) {
          const [few, many] = [new Set(listOf(one)), new Set(listOf(other))];
          const isNarrower = [...many].some((member) => !few.has(member));
          const isWider = [...few].some((member) => !many.has(member));
          yield this.#found(
            isNarrower && isWider ? "replaces" : isNarrower ? "narrows" : "widens",
            place,
            `${where} differs`,
          );
        }
      }
    }
  }

  *#members(before: Members, after: Members, place: string): Generator<SchemaChange> {
    const [older, newer] = [membersOf(before["properties"]), membersOf(after["properties"])];
    const [needed, needs] = [new Set(listOf(before["required"])), new Set(listOf(after["required"]))];
    const isHidden = (schema: unknown, document: Members): boolean =>
      membersOf(resolved(schema, document))[this.#side === "request" ? "readOnly" : "writeOnly"] === true;
    for (const name of new Set([...namesOf(older, newer), ...needed, ...needs] as string[])) {
      const [one, other] = [memberOf(older, name), memberOf(newer, name)];
      const at = `${place}.${name}`;
      const wasHidden = one !== undefined && isHidden(one, this.#before);
      const nowHidden = other !== undefined && isHidden(other, this.#after);
      if ((wasHidden || one === undefined) && (nowHidden || other === undefined) && (wasHidden || nowHidden)) {
        // What the other side has alone is nothing to this one.
        if (textOf(one) !== textOf(other) || needed.has(name) !== needs.has(name)) {
          yield this.#found("describes", at, "differs, and only the other side has it");
        }
        continue;
      }
      const [was, is] = [wasHidden ? undefined : one, nowHidden ? undefined : other];
      if (was !== undefined && is !== undefined) yield* this.compare(was, is, at);
      else if (is !== undefined) yield* this.#added(at, needs.has(name));
      else if (was !== undefined) yield* this.#gone(at, needed.has(name), after);
      if (needed.has(name) === needs.has(name) || (was === undefined) !== (is === undefined)) continue;
      yield this.#found(
        needs.has(name) ? "narrows" : "widens",
        at,
        needs.has(name) ? "is required now" : "is optional now",
      );
    }
    yield* this.#others(before, after, place);
  }

  *#added(place: string, isRequired: boolean): Generator<SchemaChange> {
    if (this.#side === "answer") yield this.#found("describes", place, "is new");
    else yield this.#found(isRequired ? "narrows" : "widens", place, isRequired ? "is new and required" : "is new");
  }

  *#gone(
    place: string,
    isRequired: boolean,
    { additionalProperties, unevaluatedProperties }: Members,
  ): Generator<SchemaChange> {
    const isClosed = additionalProperties === false || unevaluatedProperties === false;
    const isBreaking = this.#side === "answer" ? isRequired : isClosed;
    // A member that is ignored, or that was optional, is missed by some.
    yield this.#found(isBreaking ? "replaces" : "unclear", place, "is gone");
  }

  *#others(before: Members, after: Members, place: string): Generator<SchemaChange> {
    const [older, newer] = [before["additionalProperties"] ?? true, after["additionalProperties"] ?? true];
    if (typeof older === "object" && typeof newer === "object") {
      yield* this.compare(older, newer, `${place}.*`);
      return;
    }
    if (isOpen(older) === isOpen(newer) && (older === false) === (newer === false)) return;
    // Readers ignore members that they do not know, so an answer may begin to have more of them.
    if (older === false)
      yield this.#found(this.#side === "request" ? "widens" : "describes", place, "may have other members now");
    else if (newer === false) yield this.#found("narrows", place, "has no other members any more");
    else
      yield this.#found(
        isOpen(older) ? "narrows" : "widens",
        place,
        `other members are ${isOpen(older) ? "of one schema" : "of any kind"} now`,
      );
  }

  *#items(before: Members, after: Members, place: string): Generator<SchemaChange> {
    const [older, newer] = [listOf(before["prefixItems"]), listOf(after["prefixItems"])];
    for (let at = 0; at < Math.max(older.length, newer.length); at++) {
      if (at < Math.min(older.length, newer.length)) yield* this.compare(older[at], newer[at], `${place}[${at}]`);
      else
        yield this.#found(
          at >= older.length ? "narrows" : "widens",
          `${place}[${at}]`,
          `the item at ${at} ` +
            `${at >= older.length ? "has a schema of its own now" : "has no schema of its own any more"}`,
        );
    }
    if (before["items"] !== undefined || after["items"] !== undefined) {
      yield* this.compare(before["items"] ?? true, after["items"] ?? true, `${place}[]`);
    }
  }
}

/** Returns the name of the component that both schemas refer to; null where they do not. */
function componentOf(before: unknown, after: unknown): string | null {
  const reference = membersOf(before)["$ref"];
  if (typeof reference !== "string" || reference !== membersOf(after)["$ref"]) return null;
  return pathOf(decodedFragment(reference.slice(1))).at(-1) ?? null;
}

/** `true` and an absent schema let everything fit, `false` nothing. */
function schemaOf(value: unknown): Members {
  return value === false ? { not: {} } : membersOf(value);
}

function isOpen(additional: unknown): boolean {
  return additional === true || (typeof additional === "object" && Object.keys(membersOf(additional)).length === 0);
}
