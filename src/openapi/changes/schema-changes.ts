import { decodedFragment, pathOf } from "../../json-schema/value/json-pointer.ts";
import { alternativeNameOf, areApart, mostPairs, pairsOf, unionOf, withoutUnion, type Union } from "./alternatives.ts";
import { descriptionChanges, formatChanges, limitChanges, typeChanges, type KeywordChange } from "./keyword-changes.ts";
import { lookedAt, type NormalSchemas } from "./normal-schema.ts";
import { commonTypes, joined, memberSchemas, namedSchemas, typesOf } from "./schema-keywords.ts";
import type { Fit } from "./value-fit.ts";
import {
  listOf,
  memberOf,
  membersOf,
  namesOf,
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

/** A difference as it is known: for any place that leads to the two schemas. */
interface Finding {
  readonly effect: Effect;
  /** The place in the schemas, such as `.title`. */
  readonly place: string;
  readonly what: string;
  readonly schema?: string;
}

/** Keywords whose difference says nothing of what fits, beyond that it is another one. */
const unknowable = ["$ref", "$dynamicRef", "$recursiveRef"];
const unevaluated = ["unevaluatedItems", "unevaluatedProperties"];
const looking = ["anyOf", "oneOf", "allOf", "if", "dependentSchemas", "contains", ...unknowable];
const most = { pairs: 20_000, differences: 500 };
const bounded = `not compared beyond ${most.pairs} pairs of schemas`;

/** Compares the schemas of two documents, on one side. */
export class SchemaComparison {
  readonly #before: NormalSchemas;
  readonly #after: NormalSchemas;
  readonly #side: Side;
  readonly #known = new Map<string, readonly Finding[]>();
  /** Pairs that are being compared, with how many there were: a schema may refer to itself. */
  readonly #open = new Map<string, number>();
  /** Pairs that were compared while one around them was open that they refer to. */
  readonly #within: string[] = [];
  #outermost = Infinity;
  #count = 0;

  constructor(before: NormalSchemas, after: NormalSchemas, side: Side) {
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
    this.#count = 0;
    for (const { effect, place: inner, ...said } of this.#findings(before, after, isText)) {
      yield { verdict: verdictOf(this.#side, effect), place: place + inner, ...said };
    }
  }

  /** Lists the differences between two schemas, once for each pair of them. */
  #findings(before: unknown, after: unknown, isText: boolean = false): readonly Finding[] {
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
      const breaking = found.filter(({ effect }) => verdictOf(this.#side, effect) === "breaking");
      found = [...new Set([...breaking, ...found])].slice(0, most.differences);
      found.push({ effect: "unclear", place: "", what: `not compared beyond ${most.differences} differences` });
    }
    if (component === null) return found;
    return found.map((one) => (one.schema === undefined ? { ...one, schema: component + one.place } : one));
  }

  *#inside(place: string, before: unknown, after: unknown): Generator<Finding> {
    for (const one of this.#findings(before, after)) yield { ...one, place: place + one.place };
  }

  *#changes(before: unknown, after: unknown, isText: boolean): Generator<Finding> {
    const [older, newer] = alike(this.#before.of(before), this.#after.of(after));
    const [was, is] = [unionIn(older), unionIn(newer)];
    const found: Finding[] = [];
    const isBoth = was !== null && is !== null && textOf(withoutUnion(older)) === textOf(withoutUnion(newer));
    if (isBoth || (was === null && is === null)) {
      found.push(...this.#unevaluated(older, newer), ...this.#conjuncts(older, newer));
      found.push(...this.#keywords(older, newer, isText));
      if (isBoth) found.push(...this.#union(unionOf(was, this.#before), unionOf(is, this.#after), isText));
    } else {
      // A schema without alternatives is one as a whole, and what is about all of them is said beside them.
      found.push(...this.#unevaluated(was === null ? {} : older, is === null ? {} : newer));
      const [one, other] = [was === null ? before : alone(before, older), is === null ? after : alone(after, newer)];
      found.push(...this.#union(unionOf(one, this.#before), unionOf(other, this.#after), isText));
    }
    yield* found;
    const [one, other] = [this.#before.described(before), this.#after.described(after)];
    yield* told(descriptionChanges(one, other, this.#side));
    if (found.some(({ effect }) => verdictOf(this.#side, effect) === "breaking")) return;
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
      else yield* this.#inside(` ${keyword}`, older, newer);
    }
  }

  /** What could not be merged narrows each for itself. */
  *#conjuncts(before: Members, after: Members): Generator<Finding> {
    const [older, newer] = [listOf(before["allOf"]), listOf(after["allOf"])];
    const gone = older.filter((one) => !newer.some((other) => textOf(other) === textOf(one)));
    const added = newer.filter((one) => !older.some((other) => textOf(other) === textOf(one)));
    for (const same of older) if (!gone.includes(same)) yield* this.#findings(same, same);
    while (gone.length > 0 && added.length > 0) yield* this.#findings(gone.shift(), added.shift());
    for (const schema of added) yield* this.#findings(true, schema);
    for (const schema of gone) yield* this.#findings(schema, true);
  }

  *#union(before: Union, after: Union, isText: boolean): Generator<Finding> {
    const isRequest = this.#side === "request";
    const [target, source, own] = isRequest ? [after, before, this.#before] : [before, after, this.#after];
    const [gone, added] = [[...before.alternatives], [...after.alternatives]];
    const pairs = pairsOf(gone, added, before, after);
    let tries = 0;
    const differences = (one: unknown, other: unknown): readonly Finding[] =>
      ++tries > mostPairs ? [finding("unclear", "")] : this.#findings(one, other, isText);
    const isSame = (one: unknown, other: unknown): boolean =>
      added.includes(other) && this.#isFine(differences(one, other));
    for (const one of gone.slice()) {
      const beside = after.alternatives[before.alternatives.indexOf(one)];
      const same = isSame(one, beside) ? beside : added.find((other) => isSame(one, other));
      if (same === undefined) continue;
      pairs.push([one, same]);
      gone.splice(gone.indexOf(one), 1);
      added.splice(added.indexOf(same), 1);
    }
    // Whoever may ignore a member cannot be asked which alternative is meant.
    const inside: readonly Effect[] = isRequest ? ["widens", "drops", "describes"] : ["narrows", "describes"];
    const isInside = (one: unknown, other: unknown): boolean =>
      (isRequest ? differences(one, other) : differences(other, one)).every(({ effect }) => inside.includes(effect));
    const isCovered = (one: unknown): boolean => {
      const values = own.of(one)["enum"];
      if (values === undefined) return target.alternatives.some((other) => isInside(one, other));
      const others = target.alternatives.map((other) => target.normals.of(other));
      return listOf(values).every((value) => others.some((other) => target.normals.fits(value, other) === true));
    };
    const grown: unknown[] = [];
    const moved: readonly Effect[] = [isRequest ? "widens" : "narrows", "replaces", "unclear"];
    for (const [one, other] of pairs) {
      const found = this.#findings(one, other, isText);
      const isFine = this.#isFine(found) || isCovered(isRequest ? one : other);
      yield* isFine ? found.filter(({ effect }) => verdictOf(this.#side, effect) === "compatible") : found;
      if (found.some(({ effect }) => moved.includes(effect))) grown.push(isRequest ? other : one);
    }
    for (const schema of added) {
      const what = `${alternativeNameOf(schema, after)} is a new alternative`;
      const isPart = !isRequest && isCovered(schema);
      // What fits two schemas of `oneOf` does not fit it at all.
      const isAlone = !isRequest || !after.isExclusive || areApart([schema], after);
      if (isPart || isAlone) yield finding(isPart ? "describes" : tries > mostPairs ? "unclear" : "widens", what);
      else yield finding("unclear", `${what}, and other ones may fit with it`);
    }
    for (const schema of gone) {
      const isPart = isRequest && isCovered(schema);
      const effect = isPart ? "describes" : tries > mostPairs ? "unclear" : "narrows";
      yield finding(effect, `the alternative ${alternativeNameOf(schema, before)} is gone`);
    }
    if (tries > mostPairs) yield finding("unclear", `not compared beyond ${mostPairs} pairs of alternatives`);
    if (!isRequest) grown.push(...gone.filter((one) => !isTyped(this.#before.of(one))));
    const isOther = !source.isExclusive && source.alternatives.length > 1;
    if (target.isExclusive && !areApart(isOther ? target.alternatives : grown, target)) {
      yield finding("unclear", "several alternatives of oneOf may fit");
    }
  }

  /** Returns whether differences break nobody. */
  #isFine(findings: readonly Finding[]): boolean {
    return findings.every(({ effect }) => verdictOf(this.#side, effect) === "compatible");
  }

  *#keywords(before: Members, after: Members, isText: boolean): Generator<Finding> {
    const types = commonTypes(before, after);
    if (isText && typesOf(after).has("string") && !types.includes("string")) types.push("string");
    if (before["enum"] === undefined && after["enum"] === undefined) {
      yield* told(typeChanges(before, after, isText));
      yield* told(limitChanges(before, after, types));
      yield* told(formatChanges(before, after, types));
      if (types.includes("string")) yield* this.#constraint("contentSchema", before, after);
      if (types.includes("object")) yield* this.#objects(before, after);
      if (types.includes("array")) yield* this.#arrays(before, after);
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
    for (const [value, fit] of older === undefined ? [] : misfits(older, after, this.#after)) {
      yield finding(fit === null ? "unclear" : "narrows", `the value ${value} ${fit === null ? "may be" : "is"} gone`);
    }
    for (const [value, fit] of newer === undefined ? [] : misfits(newer, before, this.#before)) {
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
      const effects = new Set(this.#findings(older, newer).map(({ effect }) => effect));
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
    for (const then of ["then", "else"]) yield* this.#constraint(then, before, after);
  }

  *#objects(before: Members, after: Members): Generator<Finding> {
    const [older, newer] = [membersOf(before["properties"]), membersOf(after["properties"])];
    const [needed, needs] = [new Set(listOf(before["required"])), new Set(listOf(after["required"]))];
    const isHidden = (schema: unknown, normals: NormalSchemas): boolean =>
      normals.described(schema)[this.#side === "request" ? "readOnly" : "writeOnly"] === true;
    for (const name of new Set([...namesOf(older, newer), ...needed, ...needs] as string[])) {
      const [one, other] = [namedSchemas(before, name), namedSchemas(after, name)];
      const at = `.${name}`;
      const wasHidden = one.length > 0 && isHidden(one[0], this.#before);
      const nowHidden = other.length > 0 && isHidden(other[0], this.#after);
      const [was, is] = [wasHidden ? [] : one, nowHidden ? [] : other];
      if (was.length === 0 && is.length === 0 && (wasHidden || nowHidden)) {
        // What the other side has alone is nothing to this one.
        if (textOf(one) !== textOf(other) || needed.has(name) !== needs.has(name)) {
          yield { effect: "describes", place: at, what: "differs, and only the other side has it" };
        }
        continue;
      }
      const others = [before, after].map((schema) => schema["additionalProperties"] ?? true);
      const isNew = was.length === 0 && is.length > 0 && (isOpen(others[0]) || this.#before.isNever(others[0]));
      const isGone = is.length === 0 && was.length > 0 && (isOpen(others[1]) || this.#after.isNever(others[1]));
      if (isNew) yield this.#added(at, joined(is), before, needs.has(name), isTyped(before, after));
      else if (isGone) yield this.#gone(at, joined(was), after, needed.has(name), isTyped(before, after));
      else {
        if (was.length > 0 || is.length > 0) {
          yield* this.#inside(at, joined(memberSchemas(before, name)), joined(memberSchemas(after, name)));
        }
        if (needed.has(name) === needs.has(name)) continue;
        const isNeeded = needs.has(name);
        yield {
          ...finding(isNeeded ? "narrows" : "widens", isNeeded ? "is required now" : "is optional now"),
          place: at,
        };
      }
    }
    yield* this.#patterns(before, after);
    yield* this.#others(before, after);
    yield* this.#constraint("propertyNames", before, after);
    yield* this.#dependencies(before, after);
  }

  #added(place: string, schema: unknown, before: Members, isRequired: boolean, isObject: boolean): Finding {
    const isClosed =
      before["additionalProperties"] !== undefined && this.#before.isNever(before["additionalProperties"]);
    if (this.#after.isNever(schema))
      return { effect: isClosed ? "describes" : "narrows", place, what: "is refused now" };
    const isNamed = isObject || before["properties"] !== undefined;
    if (this.#side === "answer") {
      return {
        effect: isClosed && !isNamed ? "unclear" : isClosed || isObject ? "grows" : "narrows",
        place,
        what: "is new",
      };
    }
    if (isRequired) return { effect: "narrows", place, what: "is new and required" };
    // Members that an object did not name may have been sent, and ignored.
    const practice = isObject || isOpen(schema) ? "grows" : isNamed ? "unclear" : "narrows";
    return { effect: isClosed ? "widens" : practice, place, what: "is new" };
  }

  #gone(place: string, schema: unknown, after: Members, isRequired: boolean, isObject: boolean): Finding {
    const others = after["additionalProperties"] ?? after["unevaluatedProperties"] ?? true;
    const isClosed = this.#after.isNever(others);
    if (this.#before.isNever(schema))
      return { effect: isClosed ? "describes" : "widens", place, what: "may be there now" };
    const isAnswer = this.#side === "answer";
    if (isAnswer ? isRequired : isClosed) return { effect: "replaces", place, what: "is gone" };
    // A member that is ignored, or that was optional, is missed by some.
    const practice = isAnswer && !isObject && !isOpen(schema) ? "widens" : "drops";
    return { effect: isClosed ? "unclear" : practice, place, what: "is gone" };
  }

  *#patterns(before: Members, after: Members): Generator<Finding> {
    const [older, newer] = [membersOf(before["patternProperties"]), membersOf(after["patternProperties"])];
    const names = namesOf(older, newer);
    for (const pattern of names) {
      const [one, other] = [memberOf(older, pattern), memberOf(newer, pattern)];
      const where = `patternProperties of ${JSON.stringify(pattern)}`;
      const [was, is] = [one ?? before["additionalProperties"] ?? true, other ?? after["additionalProperties"] ?? true];
      if (one !== undefined && other !== undefined) yield* this.#inside(` ${where}`, one, other);
      else if (this.#before.isNever(was))
        yield finding(one === undefined ? this.#opened(other) : "widens", `${where} is new`);
      else if (this.#after.isNever(is))
        yield finding("narrows", `${where} is ${other === undefined ? "gone" : "false now"}`);
      else yield* this.#inside(` ${where}`, was, is);
    }
    const isMixed = Object.keys(older).length > 0 && Object.keys(newer).length > 0;
    if (isMixed && names.some((name) => !Object.hasOwn(older, name) || !Object.hasOwn(newer, name))) {
      yield finding("unclear", "several patternProperties may be about one member");
    }
  }

  /** Readers ignore members that they do not know, but may go through all members of a map. */
  #opened(schema: unknown): Effect {
    return this.#side === "request" ? "widens" : isOpen(schema) ? "grows" : "unclear";
  }

  *#others(before: Members, after: Members): Generator<Finding> {
    const [older, newer] = [before["additionalProperties"] ?? true, after["additionalProperties"] ?? true];
    const [wasClosed, isClosed] = [this.#before.isNever(older), this.#after.isNever(newer)];
    if ((wasClosed && isClosed) || (isOpen(older) && isOpen(newer))) return;
    if (wasClosed) yield finding(this.#opened(newer), "may have other members now");
    else if (isClosed) yield finding("narrows", "has no other members any more");
    else if (isOpen(older)) yield finding("narrows", "other members are of one schema now");
    else if (isOpen(newer)) yield finding("widens", "other members are of any kind now");
    else yield* this.#inside(".*", older, newer);
  }

  *#constraint(keyword: string, before: Members, after: Members): Generator<Finding> {
    const [older, newer] = [before[keyword], after[keyword]];
    if (older === undefined && newer === undefined) return;
    if (older === undefined || newer === undefined) yield presence(keyword, older);
    else yield* this.#inside(` ${keyword}`, older, newer);
  }

  *#dependencies(before: Members, after: Members): Generator<Finding> {
    for (const keyword of ["dependentRequired", "dependentSchemas"]) {
      const [older, newer] = [membersOf(before[keyword]), membersOf(after[keyword])];
      for (const name of namesOf(older, newer)) {
        const [one, other] = [memberOf(older, name), memberOf(newer, name)];
        const where = `${keyword} of ${JSON.stringify(name)}`;
        if (one === undefined || other === undefined) yield presence(where, one);
        else if (keyword === "dependentSchemas") yield* this.#inside(` ${where}`, one, other);
        else {
          const isNarrower = listOf(other).some((member) => !listOf(one).includes(member));
          const isWider = listOf(one).some((member) => !listOf(other).includes(member));
          const effect = isNarrower && isWider ? "replaces" : isNarrower ? "narrows" : "widens";
          if (isNarrower || isWider) yield finding(effect, `${where} differs`);
        }
      }
    }
  }

  *#arrays(before: Members, after: Members): Generator<Finding> {
    const [older, newer] = [listOf(before["prefixItems"]), listOf(after["prefixItems"])];
    const [one, other] = [before["items"] ?? true, after["items"] ?? true];
    const length = Math.min(...[before, after].map(({ maxItems = Infinity }) => maxItems as number));
    const own = Math.max(older.length, newer.length);
    for (let at = 0; at < Math.min(own, length); at++) {
      yield* this.#inside(`[${at}]`, older[at] ?? one, newer[at] ?? other);
    }
    if (own < length) yield* this.#inside("[]", one, other);
    const [was, is] = [before["contains"], after["contains"]];
    if (was === undefined && is === undefined) return;
    if (was === undefined || is === undefined) return yield presence("contains", was);
    const found = this.#findings(was, is);
    const isLimited = before["maxContains"] !== undefined || after["maxContains"] !== undefined;
    if (isLimited && found.some(({ effect }) => effect !== "describes")) yield finding("unclear", "contains differs");
    else yield* this.#inside(" contains", was, is);
    yield* told(limitChanges(before, after, ["contains"]));
  }
}

function finding(effect: Effect, what: string): Finding {
  return { effect, place: "", what };
}

function* told(changes: Iterable<KeywordChange>): Generator<Finding> {
  for (const [effect, what] of changes) yield finding(effect, what);
}

/** The values that fit a schema in its normal form, where they can be listed. */
function valuesOf(schema: Members): readonly unknown[] | undefined {
  const types = [...typesOf(schema)];
  if (schema["enum"] !== undefined || !types.every((type) => type === "null" || type === "boolean")) {
    return schema["enum"] as readonly unknown[] | undefined;
  }
  return types.flatMap((type) => (type === "null" ? [null] : [true, false]));
}

/** A keyword that only one schema has narrows what fits. */
function presence(what: string, before: unknown): Finding {
  return finding(before === undefined ? "narrows" : "widens", `${what} is ${before === undefined ? "new" : "gone"}`);
}

/** Returns the name of the component that both schemas refer to; null where they do not. */
function componentOf(before: unknown, after: unknown): string | null {
  const reference = membersOf(before)["$ref"];
  if (typeof reference !== "string" || reference !== membersOf(after)["$ref"]) return null;
  return pathOf(decodedFragment(reference.slice(1))).at(-1) ?? null;
}

function isOpen(additional: unknown): boolean {
  return textOf(additional) === "true" || textOf(additional) === "{}";
}

/** Returns whether schemas are of objects only: what is practice for objects does not hold for any value. */
function isTyped(...schemas: readonly Members[]): boolean {
  return schemas.every(({ type }) => textOf(type) === '["object"]');
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
