import { decodedFragment, pathOf } from "../../json-schema/value/json-pointer.ts";
import { unionChanges, unionOf, withoutUnion } from "./alternatives.ts";
import { listOf, membersOf, textOf, verdictOf, type Effect, type Members, type Side, type Verdict } from "./change.ts";
import { constraint, finding, inside, isOpen, presence, told, type Comparison, type Finding } from "./finding.ts";
import { descriptionChanges, formatChanges, limitChanges, typeChanges } from "./keyword-changes.ts";
import { itemChanges, memberChanges } from "./member-changes.ts";
import { lookedAt, type NormalSchemas } from "./normal-schema.ts";
import { commonTypes, typesOf } from "./schema-keywords.ts";
import type { Fit } from "./value-fit.ts";

/** A difference between two schemas. */
export interface SchemaChange {
  readonly verdict: Verdict;
  readonly place: string;
  readonly what: string;
  /** The innermost component of both documents that it is in, and the place there, such as `Book.title`. */
  readonly schema?: string;
}

/** Keywords whose difference says nothing of what fits, beyond that it is another one. */
const unknowable = ["$ref", "$dynamicRef", "$recursiveRef"];
const unevaluated = ["unevaluatedItems", "unevaluatedProperties"];
const looking = ["anyOf", "oneOf", "allOf", "if", "dependentSchemas", "contains", ...unknowable];
const most = { pairs: 20_000, differences: 500 };
const bounded = `not compared beyond ${most.pairs} pairs of schemas`;

export class SchemaComparison implements Comparison {
  readonly before: NormalSchemas;
  readonly after: NormalSchemas;
  readonly side: Side;
  readonly #known = new Map<string, readonly Finding[]>();
  /** Pairs that are being compared, with how many there were: a schema may refer to itself. */
  readonly #open = new Map<string, number>();
  /** Pairs that were compared while one around them was open that they refer to. */
  readonly #within: string[] = [];
  #outermost = Infinity;
  #count = 0;

  constructor(before: NormalSchemas, after: NormalSchemas, side: Side) {
    this.before = before;
    this.after = after;
    this.side = side;
  }

  /**
   * Lists the differences between two schemas.
   * @param place where they are, as messages name it.
   * @param isText whether values are text that is read as a type, as in a query: every number is a string there.
   */
  *compare(before: unknown, after: unknown, place: string, isText: boolean = false): Generator<SchemaChange> {
    this.#count = 0;
    for (const { effect, place: inner, ...said } of this.findings(before, after, isText)) {
      yield { verdict: verdictOf(this.side, effect), place: place + inner, ...said };
    }
  }

  /** Lists the differences between two schemas, once for each pair of them. */
  findings(before: unknown, after: unknown, isText: boolean = false): readonly Finding[] {
    const key = `${isText} ${textOf(before)} ${textOf(after)}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const open = this.#open.get(key);
    if (open !== undefined) {
      this.#outermost = Math.min(this.#outermost, open);
      return [];
    }
    if (++this.#count > most.pairs) return [{ effect: "unclear", place: "", what: bounded }];
    const [depth, outer, first] = [this.#open.size, this.#outermost, this.#within.length];
    this.#outermost = Infinity;
    this.#open.set(key, depth);
    const found = this.#told([...this.#changes(before, after, isText)], componentOf(before, after));
    this.#open.delete(key);
    this.#known.set(key, found);
    if (this.#outermost < depth) this.#within.push(key);
    else for (const inner of this.#within.splice(first)) this.#known.delete(inner);
    this.#outermost = Math.min(outer, this.#outermost < depth ? this.#outermost : Infinity);
    return found;
  }

  /** Leaves out repeated differences and those beyond the bound, breaking ones last. Adds the component to each. */
  #told(findings: readonly Finding[], component: string | null): readonly Finding[] {
    const distinct = new Map(
      findings.map((one) => [`${one.effect} ${one.what === bounded ? "" : one.place} ${one.what}`, one]),
    );
    let found = [...distinct.values()];
    if (found.length > most.differences) {
      const breaking = found.filter(({ effect }) => verdictOf(this.side, effect) === "breaking");
      found = [...new Set([...breaking, ...found])].slice(0, most.differences);
      found.push({ effect: "unclear", place: "", what: `not compared beyond ${most.differences} differences` });
    }
    if (component === null) return found;
    return found.map((one) => (one.schema === undefined ? { ...one, schema: component + one.place } : one));
  }

  *#changes(before: unknown, after: unknown, isText: boolean): Generator<Finding> {
    const [older, newer] = alike(this.before.of(before), this.after.of(after));
    const [was, is] = [unionIn(older), unionIn(newer)];
    const found: Finding[] = [];
    const isBoth = was !== null && is !== null && textOf(withoutUnion(older)) === textOf(withoutUnion(newer));
    if (isBoth || (was === null && is === null)) {
      found.push(...this.#unevaluated(older, newer), ...this.#conjuncts(older, newer));
      found.push(...this.#keywords(older, newer, isText));
      if (isBoth) found.push(...unionChanges(this, unionOf(was, this.before), unionOf(is, this.after), isText));
    } else {
      // A schema without alternatives is one as a whole, and what is about all of them is said beside them.
      found.push(...this.#unevaluated(was === null ? {} : older, is === null ? {} : newer));
      const [one, other] = [was === null ? before : alone(before, older), is === null ? after : alone(after, newer)];
      found.push(...unionChanges(this, unionOf(one, this.before), unionOf(other, this.after), isText));
    }
    yield* found;
    const [one, other] = [this.before.described(before), this.after.described(after)];
    yield* told(descriptionChanges(one, other, this.side));
    if (found.some(({ effect }) => verdictOf(this.side, effect) === "breaking")) return;
    for (const keyword of unknowable) {
      if (textOf(older[keyword]) !== textOf(newer[keyword])) yield finding("unclear", `${keyword} differs`);
    }
  }

  /** Compares `unevaluated…`, which depends on all keywords beside it. */
  *#unevaluated(before: Members, after: Members): Generator<Finding> {
    for (const keyword of unevaluated) {
      const [older, newer] = [before[keyword], after[keyword]];
      if (older === undefined && newer === undefined) continue;
      if (older === undefined || newer === undefined) yield presence(keyword, older);
      else if (textOf(before) !== textOf(after)) yield finding("unclear", `${keyword} may be about other parts`);
      else yield* inside(this, ` ${keyword}`, older, newer);
    }
  }

  /** What could not be merged narrows each for itself. */
  *#conjuncts(before: Members, after: Members): Generator<Finding> {
    const [older, newer] = [listOf(before["allOf"]), listOf(after["allOf"])];
    const gone = older.filter((one) => !newer.some((other) => textOf(other) === textOf(one)));
    const added = newer.filter((one) => !older.some((other) => textOf(other) === textOf(one)));
    for (const same of older) if (!gone.includes(same)) yield* this.findings(same, same);
    while (gone.length > 0 && added.length > 0) yield* this.findings(gone.shift(), added.shift());
    for (const schema of added) yield* this.findings(true, schema);
    for (const schema of gone) yield* this.findings(schema, true);
  }

  *#keywords(before: Members, after: Members, isText: boolean): Generator<Finding> {
    const types = commonTypes(before, after);
    if (isText && typesOf(after).has("string") && !types.includes("string")) types.push("string");
    if (before["enum"] === undefined && after["enum"] === undefined) {
      yield* told(typeChanges(before, after, isText));
      yield* told(limitChanges(before, after, types));
      yield* told(formatChanges(before, after, types));
      if (types.includes("string")) yield* constraint(this, "contentSchema", before, after);
      if (types.includes("object")) yield* memberChanges(this, before, after);
      if (types.includes("array")) yield* itemChanges(this, before, after);
    } else yield* this.#values(before, after, isText);
    yield* this.#logic(before, after);
  }

  *#values(before: Members, after: Members, isText: boolean): Generator<Finding> {
    const [older, newer] = [valuesOf(before), valuesOf(after)];
    const misfits = (values: readonly unknown[], schema: Members, normals: NormalSchemas): [string, Fit][] =>
      values
        .map((value): [string, Fit] => [
          textOf(value),
          normals.fits(value, schema) || (isText && normals.fits(String(value), schema)),
        ])
        .filter(([, fit]) => fit !== true);
    for (const [value, fit] of older === undefined ? [] : misfits(older, after, this.after)) {
      yield finding(fit === null ? "unclear" : "narrows", `the value ${value} ${fit === null ? "may be" : "is"} gone`);
    }
    for (const [value, fit] of newer === undefined ? [] : misfits(newer, before, this.before)) {
      yield finding(fit === null ? "unclear" : "widens", `the value ${value} ${fit === null ? "may be" : "is"} new`);
    }
    if (older === undefined && typesOf(before).size > 0) {
      yield finding("narrows", `only ${newer!.map(textOf).join(", ")}, was any value`);
    }
    if (newer === undefined && typesOf(after).size > 0) {
      yield finding("widens", `any value, was only ${older!.map(textOf).join(", ")}`);
    }
  }

  *#logic(before: Members, after: Members): Generator<Finding> {
    for (const keyword of ["not", "if"]) {
      const [older, newer] = [before[keyword], after[keyword]];
      if (older === undefined && newer === undefined) continue;
      if (older === undefined || newer === undefined) {
        yield presence(keyword, older);
        continue;
      }
      const effects = new Set(this.findings(older, newer).map(({ effect }) => effect));
      effects.delete("describes");
      if (keyword === "if") {
        if (effects.size > 0) yield finding("unclear", "if differs");
      } else if (effects.size > 0) {
        // The less fits what must not fit, the more fits.
        const [only = "unclear", ...more] = effects;
        const turned: Partial<Record<Effect, Effect>> = { narrows: "widens", widens: "narrows", replaces: "replaces" };
        yield finding((more.length === 0 && turned[only]) || "unclear", "not differs");
      }
    }
    for (const then of ["then", "else"]) yield* constraint(this, then, before, after);
  }
}

/** The values that fit a schema in its normal form, where they can be listed. */
function valuesOf(schema: Members): readonly unknown[] | undefined {
  const types = [...typesOf(schema)];
  if (schema["enum"] !== undefined || !types.every((type) => type === "null" || type === "boolean")) {
    return schema["enum"] as readonly unknown[] | undefined;
  }
  return types.flatMap((type) => (type === "null" ? [null] : [true, false]));
}

/** Returns the name of the component that both schemas refer to; null where they do not. */
function componentOf(before: unknown, after: unknown): string | null {
  const reference = membersOf(before)["$ref"];
  if (typeof reference !== "string" || reference !== membersOf(after)["$ref"]) return null;
  return pathOf(decodedFragment(reference.slice(1))).at(-1) ?? null;
}

/** What both schemas say of the rest is said by one keyword, where nothing else looks at members or items. */
function alike(before: Members, after: Members): readonly [Members, Members] {
  let both: readonly [Members, Members] = [before, after];
  for (const [keyword, usual] of lookedAt) {
    const isSaid = both.every((schema) => !isOpen(schema[usual] ?? schema[keyword] ?? true));
    const isKnown = both.every(
      (schema) =>
        schema[keyword] === undefined ||
        (schema[usual] === undefined && !looking.some((one) => schema[one] !== undefined)),
    );
    if (!isSaid || !isKnown) continue;
    const [one, other] = both.map(({ [keyword]: rest, ...schema }) => ({ ...schema, [usual]: schema[usual] ?? rest }));
    both = [one!, other!];
  }
  return both;
}

/** The alternatives of a schema in its normal form; null without any. */
function unionIn({ anyOf, oneOf }: Members): Members | null {
  return anyOf === undefined && oneOf === undefined ? null : anyOf === undefined ? { oneOf } : { anyOf };
}

/** Returns a schema without what is compared apart from its alternatives. */
function alone(schema: unknown, normal: Members): unknown {
  const { unevaluatedItems, unevaluatedProperties, ...beside } = normal;
  return unevaluatedItems === undefined && unevaluatedProperties === undefined ? schema : beside;
}
