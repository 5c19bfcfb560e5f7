import { listOf, memberOf, membersOf, textOf, type Members } from "./change.ts";

const words = (text: string): readonly string[] => text.split(" ");

/** Keywords that say something of values of one type only. */
export const keywordsOf: Readonly<Record<"number" | "string" | "array" | "object", readonly string[]>> = {
  number: words("minimum exclusiveMinimum maximum exclusiveMaximum multipleOf"),
  string: words("minLength maxLength pattern contentEncoding contentMediaType contentSchema"),
  array: words("minItems maxItems uniqueItems prefixItems items contains minContains maxContains"),
  object: words(
    "minProperties maxProperties required properties patternProperties additionalProperties propertyNames " +
      "dependentRequired dependentSchemas",
  ),
};

/** Keywords that lead to what is not in the document, or depend on how a schema was reached. */
export const opaque: readonly string[] = words("$ref $dynamicRef $recursiveRef unevaluatedItems unevaluatedProperties");

const everyType = ["null", "boolean", "object", "array", "number", "string"];

/** The types that a schema in its normal form names, or all of them. */
export function typesOf({ type }: Members): ReadonlySet<string> {
  const types = new Set(type === undefined ? everyType : (listOf(type) as string[]));
  if (types.has("number")) types.delete("integer");
  return types;
}

/** The types that a schema names, as text; null for all. */
export function typeTextOf({ type }: Members): string | null {
  if (type === undefined) return null;
  return listOf(type).length === 0 ? "nothing" : listOf(type).join(" or ");
}

export function commonTypes(one: Members, other: Members): string[] {
  const [types, others] = [typesOf(one), typesOf(other)];
  const both = [...types].filter((type) => others.has(type) || (type === "integer" && others.has("number")));
  return others.has("integer") && types.has("number") ? [...both, "integer"] : both;
}

/** Returns the least or greatest number that fits, and whether it does not fit itself; null without a bound. */
export function boundOf(schema: Members, side: "Minimum" | "Maximum"): readonly [limit: number, isOut: boolean] | null {
  const sign = side === "Minimum" ? 1 : -1;
  const bounds = ([side.toLowerCase(), `exclusive${side}`] as const)
    .map((keyword, at) => [schema[keyword], at === 1] as const)
    .filter((bound): bound is readonly [number, boolean] => typeof bound[0] === "number");
  const [first, second] = bounds;
  if (first === undefined) return null;
  const [limit, isOut] = second !== undefined && (second[0] - first[0]) * sign >= 0 ? second : first;
  if (typesOf(schema).has("number")) return [limit, isOut];
  const whole = sign > 0 ? Math.ceil(limit) : Math.floor(limit);
  return [isOut && whole === limit ? limit + sign : whole, false];
}

/** Returns the schemas that a member must fit because of its name; an empty list for any other member. */
export function namedSchemas(schema: Members, name: string): unknown[] {
  const own = memberOf(membersOf(schema["properties"]), name);
  const patterns = Object.entries(membersOf(schema["patternProperties"])).filter(([pattern]) => matches(pattern, name));
  return [...(own === undefined ? [] : [own]), ...patterns.map(([, one]) => one)];
}

/** Returns the schemas that a member must fit, whether it is named or one of the others. */
export function memberSchemas(schema: Members, name: string): readonly unknown[] {
  const named = namedSchemas(schema, name);
  return named.length > 0 ? named : [schema["additionalProperties"] ?? true];
}

/** Returns one schema that says what all of a list say. */
export function joined(schemas: readonly unknown[]): unknown {
  const distinct = [
    ...new Map(schemas.filter((one) => one !== true && textOf(one) !== "{}").map((one) => [textOf(one), one])).values(),
  ];
  return distinct.length > 1 ? { allOf: distinct } : (distinct[0] ?? true);
}

/** Returns whether a text matches a pattern (ECMA-262); not for a pattern of another language. */
export function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return false;
  }
}
