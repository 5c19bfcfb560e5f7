import { listOf, textOf, type Effect, type Members, type Side } from "./change.ts";

/** The effect of a keyword on the values that fit, and what differs. */
export type KeywordChange = readonly [effect: Effect, what: string];

/**
 * Lists the differences of keywords that hold no schema.
 *
 * @param isText whether values are text that is read as a type, as in a query: every number is a string there.
 */
export function* keywordChanges(before: Members, after: Members, isText: boolean): Generator<KeywordChange> {
  yield* typeChanges(before, after, isText);
  yield* valueChanges(before, after);
  yield* limitChanges(before, after);
  yield* formatChanges(before, after);
}

/** Lists the differences of what says nothing of the values that fit, but for the default. */
export function* descriptionChanges(before: Members, after: Members, side: Side): Generator<KeywordChange> {
  yield* defaultChanges(before, after, side);
  for (const keyword of describing) if (differs(before, after, keyword)) yield ["describes", `${keyword} differs`];
}

function* typeChanges(before: Members, after: Members, isText: boolean): Generator<KeywordChange> {
  const [older, newer] = [typesOf(before), typesOf(after)];
  const isCovered = (type: string, by: ReadonlySet<string>): boolean =>
    by.has(type) || (type === "integer" && by.has("number")) || (isText && type !== "null" && by.has("string"));
  const isNarrower = [...older].some((type) => !isCovered(type, newer));
  const isWider = [...newer].some((type) => !isCovered(type, older));
  const [was, is] = [typeTextOf(before) ?? "any", typeTextOf(after) ?? "any"];
  if (was === is) return;
  const effect = isNarrower && isWider ? "replaces" : isNarrower ? "narrows" : isWider ? "widens" : "describes";
  yield [effect, `type ${is}, was ${was}`];
}

function* valueChanges(before: Members, after: Members): Generator<KeywordChange> {
  const [older, newer] = [valuesOf(before), valuesOf(after)];
  if (older === null && newer !== null) yield ["narrows", `only ${newer.join(", ")}, was any value`];
  if (older !== null && newer === null) yield ["widens", `any value, was only ${older.join(", ")}`];
  if (older === null || newer === null) return;
  for (const value of older) if (!newer.includes(value)) yield ["narrows", `the value ${value} is gone`];
  for (const value of newer) if (!older.includes(value)) yield ["widens", `the value ${value} is new`];
}

function* limitChanges(before: Members, after: Members): Generator<KeywordChange> {
  for (const [keywords, sign] of [
    [uppers, 1],
    [lowers, -1],
  ] as const) {
    for (const keyword of keywords) {
      const [older, newer] = [limitOf(before, keyword), limitOf(after, keyword)];
      if (older === newer) continue;
      const isWider = newer === null || (older !== null && (newer - older) * sign > 0);
      yield [isWider ? "widens" : "narrows", changeOf(keyword, older, newer)];
    }
  }
  const [older, newer] = [limitOf(before, "multipleOf"), limitOf(after, "multipleOf")];
  if (older !== newer) {
    const isNarrower = older === null || (newer !== null && newer % older === 0);
    const isWider = newer === null || (older !== null && older % newer === 0);
    yield [isNarrower ? "narrows" : isWider ? "widens" : "replaces", changeOf("multipleOf", older, newer)];
  }
  if (differs(before, after, "uniqueItems")) {
    const isUnique = after["uniqueItems"] === true;
    yield [isUnique ? "narrows" : "widens", isUnique ? "items are unique now" : "items may repeat now"];
  }
}

function* formatChanges(before: Members, after: Members): Generator<KeywordChange> {
  for (const keyword of ["format", "pattern", ...replacing]) {
    if (!differs(before, after, keyword)) continue;
    const [older, newer] = [before[keyword], after[keyword]] as [string | undefined, string | undefined];
    yield [formatEffect(keyword, older, newer), changeOf(keyword, older ?? null, newer ?? null)];
  }
}

/** A default is what the application does for callers who leave a member out. In an answer it only describes. */
function* defaultChanges(before: Members, after: Members, side: Side): Generator<KeywordChange> {
  if (!differs(before, after, "default")) return;
  const [older, newer] = [before["default"], after["default"]];
  const isKnown = older !== undefined && newer !== undefined;
  const effect = side === "answer" ? "describes" : isKnown ? "replaces" : "unclear";
  yield [effect, changeOf("default", older ?? null, newer ?? null)];
}

const uppers = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"];
const lowers = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"];
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

/** The types that a schema names, or all of them. */
export function typesOf({ type, nullable, enum: values, const: value }: Members): ReadonlySet<string> {
  // Values say more than a type does.
  if (type === undefined && (values !== undefined || value !== undefined)) return new Set(everyType);
  const types = Array.isArray(type) ? (type as string[]) : typeof type === "string" ? [type] : everyType;
  return new Set(nullable === true ? [...types, "null"] : types);
}

/** The types that a schema names, as text; null for none. */
export function typeTextOf({ type, nullable }: Members): string | null {
  if (type === undefined) return null;
  return [...listOf(type), ...(Array.isArray(type) ? [] : [type]), ...(nullable === true ? ["null"] : [])].join(" or ");
}

function valuesOf({ enum: values, const: value }: Members): string[] | null {
  if (value !== undefined) return [textOf(value)];
  return Array.isArray(values) ? values.map(textOf) : null;
}
