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
}

const uppers = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"];
const lowers = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"];
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
const replacing = ["contentEncoding", "contentMediaType"];
const describing = [
  "title",
  "description",
  "examples",
  "example",
  "deprecated",
  "readOnly",
  "writeOnly",
  "discriminator",
  "externalDocs",
  "xml",
  "$comment",
];
/** Formats whose values are all of another, wider one. */
const wider: Readonly<Record<string, string>> = { int32: "int64", float: "double" };
/** A pattern that every string matches. */
const anyText = /^\^?\.\*\$?$/;

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
    yield* this.#conjuncts(older, newer, place);
    yield* this.#alternatives(older, newer, place, isText);
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
    for (const [one, other] of [...same, ...this.#pairs(gone, added)]) yield* this.compare(one, other, place, isText);
    const isExclusive = after["oneOf"] !== undefined && this.#side === "request";
    for (const schema of added) {
      // What fits two schemas of `oneOf` does not fit it at all.
      const isApart = !isExclusive || this.#isApart(schema, newer ?? []);
      const what = `${this.#named(schema, this.#after)} is a new alternative`;
      yield this.#found(
        isApart ? "widens" : "unclear",
        place,
        isApart ? what : `${what}, and other ones may fit with it`,
      );
    }
    for (const schema of gone)
      yield this.#found("narrows", place, `the alternative ${this.#named(schema, this.#before)} is gone`);
  }

  /**
   * Takes from two lists what is meant to be the same: of one name or discriminating member, and the only two of a
   * type.
   */
  #pairs(gone: unknown[], added: unknown[]): [unknown, unknown][] {
    const pairs: [unknown, unknown][] = [];
    for (const keyOf of [discriminatorOf, typeTextOf]) {
      for (const one of gone.slice()) {
        const key = keyOf(membersOf(resolved(one, this.#before)), this.#before);
        const same = added.filter((other) => keyOf(membersOf(resolved(other, this.#after)), this.#after) === key);
        const isOnly =
          gone.filter((other) => keyOf(membersOf(resolved(other, this.#before)), this.#before) === key).length === 1;
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
  #isApart(schema: unknown, others: readonly unknown[]): boolean {
    const one = membersOf(resolved(schema, this.#after));
    return others.every((other) => {
      const two = membersOf(resolved(other, this.#after));
      if (two === one || textOf(other) === textOf(schema)) return true;
      const types = typesOf(one);
      if (![...typesOf(two)].some((type) => types.has(type) || (type === "integer" && types.has("number"))))
        return true;
      const [keys, otherKeys] = [constantsOf(one, this.#after), constantsOf(two, this.#after)];
      return Object.entries(keys).some(([name, value]) => name in otherKeys && otherKeys[name] !== value);
    });
  }

  #named(schema: unknown, document: Members): string {
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

  *#keywords(before: Members, after: Members, place: string, isText: boolean): Generator<SchemaChange> {
    yield* this.#types(before, after, place, isText);
    yield* this.#values(before, after, place);
    yield* this.#limits(before, after, place);
    yield* this.#formats(before, after, place);
    yield* this.#subschemas(before, after, place);
    yield* this.#members(before, after, place);
    yield* this.#items(before, after, place);
    yield* this.#default(before, after, place);
    for (const keyword of describing) {
      if (differs(before, after, keyword)) yield this.#found("describes", place, `${keyword} differs`);
    }
  }

  *#types(before: Members, after: Members, place: string, isText: boolean): Generator<SchemaChange> {
    const [older, newer] = [typesOf(before), typesOf(after)];
    const isCovered = (type: string, by: ReadonlySet<string>): boolean =>
      by.has(type) || (type === "integer" && by.has("number")) || (isText && type !== "null" && by.has("string"));
    const isNarrower = [...older].some((type) => !isCovered(type, newer));
    const isWider = [...newer].some((type) => !isCovered(type, older));
    const [was, is] = [typeTextOf(before) ?? "any", typeTextOf(after) ?? "any"];
    if (was === is) return;
    const effect = isNarrower && isWider ? "replaces" : isNarrower ? "narrows" : isWider ? "widens" : "describes";
    yield this.#found(effect, place, `type ${is}, was ${was}`);
  }

  *#values(before: Members, after: Members, place: string): Generator<SchemaChange> {
    const [older, newer] = [valuesOf(before), valuesOf(after)];
    if (older === null && newer !== null)
      yield this.#found("narrows", place, `only ${newer.join(", ")}, was any value`);
    if (older !== null && newer === null) yield this.#found("widens", place, `any value, was only ${older.join(", ")}`);
    if (older === null || newer === null) return;
    for (const value of older)
      if (!newer.includes(value)) yield this.#found("narrows", place, `the value ${value} is gone`);
    for (const value of newer)
      if (!older.includes(value)) yield this.#found("widens", place, `the value ${value} is new`);
  }

  *#limits(before: Members, after: Members, place: string): Generator<SchemaChange> {
    for (const [keywords, sign] of [
      [uppers, 1],
      [lowers, -1],
    ] as const) {
      for (const keyword of keywords) {
        const [older, newer] = [limitOf(before, keyword), limitOf(after, keyword)];
        if (older === newer) continue;
        const isWider = newer === null || (older !== null && (newer - older) * sign > 0);
        yield this.#found(isWider ? "widens" : "narrows", place, changeOf(keyword, older, newer));
      }
    }
    const [older, newer] = [limitOf(before, "multipleOf"), limitOf(after, "multipleOf")];
    if (older !== newer) {
      const isNarrower = older === null || (newer !== null && newer % older === 0);
      const isWider = newer === null || (older !== null && older % newer === 0);
      yield this.#found(
        isNarrower ? "narrows" : isWider ? "widens" : "replaces",
        place,
        changeOf("multipleOf", older, newer),
      );
    }
    if (differs(before, after, "uniqueItems")) {
      const isUnique = after["uniqueItems"] === true;
      yield this.#found(
        isUnique ? "narrows" : "widens",
        place,
        isUnique ? "items are unique now" : "items may repeat now",
      );
    }
  }

  *#formats(before: Members, after: Members, place: string): Generator<SchemaChange> {
    for (const keyword of ["format", "pattern", ...replacing]) {
      if (!differs(before, after, keyword)) continue;
      const [older, newer] = [before[keyword], after[keyword]] as [string | undefined, string | undefined];
      yield this.#found(formatEffect(keyword, older, newer), place, changeOf(keyword, older ?? null, newer ?? null));
    }
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
          `the item at ${at} ${at >= older.length ? "has a schema of its own now" : "has no schema of its own any more"}`,
        );
    }
    if (before["items"] !== undefined || after["items"] !== undefined) {
      yield* this.compare(before["items"] ?? true, after["items"] ?? true, `${place}[]`);
    }
  }

  /** A default is what the application does for callers who leave a member out. In an answer it only describes. */
  *#default(before: Members, after: Members, place: string): Generator<SchemaChange> {
    if (!differs(before, after, "default")) return;
    const [older, newer] = [before["default"], after["default"]];
    const isKnown = older !== undefined && newer !== undefined;
    const effect = this.#side === "answer" ? "describes" : isKnown ? "replaces" : "unclear";
    yield this.#found(effect, place, changeOf("default", older ?? null, newer ?? null));
  }
}

/** `true` and an absent schema let everything fit, `false` nothing. */
function schemaOf(value: unknown): Members {
  return value === false ? { not: {} } : membersOf(value);
}

function isOpen(additional: unknown): boolean {
  return additional === true || (typeof additional === "object" && Object.keys(membersOf(additional)).length === 0);
}

function differs(before: Members, after: Members, keyword: string): boolean {
  return textOf(before[keyword]) !== textOf(after[keyword]);
}

function changeOf(keyword: string, before: unknown, after: unknown): string {
  if (after === null) return `no ${keyword}, was ${textOf(before)}`;
  return `${keyword} ${textOf(after)}, was ${before === null ? "none" : textOf(before)}`;
}

function limitOf(schema: Members, keyword: string): number | null {
  const value = schema[keyword];
  if (typeof value !== "number") return null;
  // A least length of 0 says nothing.
  return value === 0 && /^min[LIP]/.test(keyword) ? null : value;
}

function formatEffect(keyword: string, before: string | undefined, after: string | undefined): Effect {
  if (replacing.includes(keyword)) return "replaces";
  if (before === undefined) return "narrows";
  if (after === undefined) return "widens";
  if (keyword === "pattern") return anyText.test(after) ? "widens" : anyText.test(before) ? "narrows" : "unclear";
  return wider[before] === after ? "widens" : wider[after] === before ? "narrows" : "replaces";
}

const everyType = ["null", "boolean", "object", "array", "number", "string", "integer"];

function typesOf({ type, nullable, enum: values, const: value }: Members): ReadonlySet<string> {
  // Values say more than a type does.
  if (type === undefined && (values !== undefined || value !== undefined)) return new Set(everyType);
  const types = Array.isArray(type) ? (type as string[]) : typeof type === "string" ? [type] : everyType;
  return new Set(nullable === true ? [...types, "null"] : types);
}

function typeTextOf({ type, nullable }: Members): string | null {
  if (type === undefined) return null;
  return [...listOf(type), ...(Array.isArray(type) ? [] : [type]), ...(nullable === true ? ["null"] : [])].join(" or ");
}

function valuesOf({ enum: values, const: value }: Members): string[] | null {
  if (value !== undefined) return [textOf(value)];
  return Array.isArray(values) ? values.map(textOf) : null;
}

function alternativesOf({ anyOf, oneOf }: Members): readonly unknown[] | null {
  const alternatives = anyOf ?? oneOf;
  return Array.isArray(alternatives) ? (alternatives as unknown[]) : null;
}

/** A schema of several types is one of them at a time. */
function byType(schema: Members): readonly unknown[] {
  const { type } = schema;
  return Array.isArray(type) ? (type as unknown[]).map((one) => ({ ...schema, type: one })) : [schema];
}

function withoutUnion(schema: Members): Members {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== "anyOf" && keyword !== "oneOf"));
}

/** Schemas of two lists: those that are written alike, and what one of them alone has. */
interface Matched {
  readonly same: [unknown, unknown][];
  readonly gone: unknown[];
  readonly added: unknown[];
}

/** Finds the schemas of two lists that are written alike, in any order. What they refer to may differ. */
function matched(before: readonly unknown[], after: readonly unknown[]): Matched {
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
