import { listOf, textOf, type Effect, type Members, type Side } from "./change.ts";
import { boundOf, typesOf, typeTextOf } from "./schema-keywords.ts";

/** The effect of a keyword on the values that fit, and what differs. */
export type KeywordChange = readonly [effect: Effect, what: string];

/**
 * Lists the differences of types between two schemas in their normal form.
 * @param isText whether values are text that is read as a type, as in a query: every number is a string there.
 */
export function* typeChanges(before: Members, after: Members, isText: boolean): Generator<KeywordChange> {
  const [older, newer] = [typesOf(before), typesOf(after)];
  const isCovered = (type: string, by: ReadonlySet<string>): boolean =>
    by.has(type) || (type === "integer" && by.has("number")) || (isText && type !== "null" && by.has("string"));
  const isNarrower = [...older].some((type) => !isCovered(type, newer));
  const isWider = [...newer].some((type) => !isCovered(type, older));
  const isSame = older.size === newer.size && [...older].every((type) => newer.has(type));
  if (isSame) return;
  const effect = isNarrower && isWider ? "replaces" : isNarrower ? "narrows" : isWider ? "widens" : "describes";
  yield [effect, `type ${typeTextOf(after) ?? "any"}, was ${typeTextOf(before) ?? "any"}`];
}

/** Lists the differences of limits between two schemas in their normal form, of the types that both have. */
export function* limitChanges(before: Members, after: Members, types: readonly string[]): Generator<KeywordChange> {
  for (const type of types) {
    for (const keyword of countsOf[type] ?? []) {
      if (!differs(before, after, keyword)) continue;
      const sign = keyword.startsWith("max") ? 1 : -1;
      const more = (countOf(after, keyword) - countOf(before, keyword)) * sign;
      yield [
        more > 0 ? "widens" : more < 0 ? "narrows" : "describes",
        changeOf(keyword, before[keyword], after[keyword]),
      ];
    }
  }
  if (types.includes("number") || types.includes("integer")) yield* numberChanges(before, after);
  if (types.includes("array") && differs(before, after, "uniqueItems")) {
    const isUnique = after["uniqueItems"] === true;
    yield [isUnique ? "narrows" : "widens", isUnique ? "items are unique now" : "items may repeat now"];
  }
}

function* numberChanges(before: Members, after: Members): Generator<KeywordChange> {
  for (const [side, sign] of [
    ["Maximum", 1],
    ["Minimum", -1],
  ] as const) {
    const keywords = [side.toLowerCase(), `exclusive${side}`].filter((keyword) => differs(before, after, keyword));
    if (keywords.length === 0) continue;
    const [older, newer] = [boundOf(before, side), boundOf(after, side)];
    yield [
      boundEffect(older, newer, sign),
      keywords.map((keyword) => changeOf(keyword, before[keyword], after[keyword])).join(", "),
    ];
  }
  const [older, newer] = [before["multipleOf"], after["multipleOf"]] as [number | undefined, number | undefined];
  if (older === newer) return;
  const isNarrower = older === undefined || (newer !== undefined && Number.isInteger(newer / older));
  const isWider = newer === undefined || (older !== undefined && Number.isInteger(older / newer));
  yield [isNarrower ? "narrows" : isWider ? "widens" : "replaces", changeOf("multipleOf", older, newer)];
}

type Bound = ReturnType<typeof boundOf>;

function boundEffect(before: Bound, after: Bound, sign: number): Effect {
  if (textOf(before) === textOf(after)) return "describes";
  if (before === null || after === null) return before === null ? "narrows" : "widens";
  const more = (after[0] - before[0]) * sign;
  return more > 0 || (more === 0 && before[1]) ? "widens" : "narrows";
}

/** Lists the differences of formats and patterns. */
export function* formatChanges(before: Members, after: Members, types: readonly string[]): Generator<KeywordChange> {
  const isString = types.includes("string");
  const keywords = isString
    ? ["format", "pattern", ...replacing]
    : types.some((one) => isNumber.test(one))
      ? ["format"]
      : [];
  for (const keyword of keywords) {
    if (!differs(before, after, keyword)) continue;
    const [older, newer] = [before[keyword], after[keyword]] as [string | undefined, string | undefined];
    yield [formatEffect(keyword, older, newer), changeOf(keyword, older, newer)];
  }
}

/** Lists the differences of what says nothing of the values that fit, but for the default. */
export function* descriptionChanges(before: Members, after: Members, side: Side): Generator<KeywordChange> {
  yield* defaultChanges(before, after, side);
  for (const keyword of describing) if (differs(before, after, keyword)) yield ["describes", `${keyword} differs`];
}

/** A default is what the application does for callers who leave a member out. In an answer it only describes. */
function* defaultChanges(before: Members, after: Members, side: Side): Generator<KeywordChange> {
  if (!differs(before, after, "default")) return;
  const [older, newer] = [before["default"], after["default"]];
  const isKnown = older !== undefined && newer !== undefined;
  const effect = side === "answer" ? "describes" : isKnown ? "replaces" : "unclear";
  yield [effect, changeOf("default", older, newer)];
}

const countsOf: Readonly<Record<string, readonly string[]>> = {
  string: ["maxLength", "minLength"],
  array: ["maxItems", "minItems"],
  contains: ["maxContains", "minContains"],
  object: ["maxProperties", "minProperties"],
};
/** How much a keyword says: all members that are required are there. */
function countOf(schema: Members, keyword: string): number {
  if (keyword.startsWith("max")) return (schema[keyword] ?? Number.MAX_VALUE) as number;
  return Math.max(
    (schema[keyword] ?? 0) as number,
    keyword === "minProperties" ? listOf(schema["required"]).length : 0,
  );
}

const isNumber = /^(?:number|integer)$/;
const replacing = ["contentEncoding", "contentMediaType"];
const describing =
  "title description examples example deprecated readOnly writeOnly discriminator externalDocs xml $comment".split(" ");
/** Formats whose values are all of another, wider one. */
const wider: Readonly<Record<string, string>> = { int32: "int64", float: "double" };
/** A pattern that every string matches. */
const anyText = /^\^?\.\*\$?$/;

function differs(before: Members, after: Members, keyword: string): boolean {
  return textOf(before[keyword]) !== textOf(after[keyword]);
}

function changeOf(keyword: string, before: unknown, after: unknown): string {
  if (after === undefined || after === null) return `no ${keyword}, was ${textOf(before)}`;
  return `${keyword} ${textOf(after)}, was ${before === undefined || before === null ? "none" : textOf(before)}`;
}

function formatEffect(keyword: string, before: string | undefined, after: string | undefined): Effect {
  if (replacing.includes(keyword)) return "replaces";
  if (before === undefined) return "narrows";
  if (after === undefined) return "widens";
  if (keyword === "pattern") return anyText.test(after) ? "widens" : anyText.test(before) ? "narrows" : "unclear";
  return wider[before] === after ? "widens" : wider[after] === before ? "narrows" : "replaces";
}
