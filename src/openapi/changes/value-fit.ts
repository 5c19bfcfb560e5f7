import { listOf, membersOf, textOf, type Members } from "./change.ts";
import { boundOf, matches, memberSchemas, opaque, typesOf } from "./schema-keywords.ts";

/** Whether a value fits; null where that is hard to say. */
export type Fit = boolean | null;

/**
 * Returns whether a value fits a schema.
 * @param schema in its normal form.
 * @param normalOf returns the normal form of a schema inside.
 */
export function fits(value: unknown, schema: Members, normalOf: (schema: unknown) => Members): Fit {
  const inner = (one: unknown, of: unknown): Fit => fits(one, normalOf(of), normalOf);
  const { anyOf, oneOf, allOf, not, enum: values } = schema;
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  const types = typesOf(schema);
  const results: Fit[] = [types.has(type) || (types.has("integer") && Number.isInteger(value))];
  if (values !== undefined) results.push(textsOf(listOf(values)).has(textOf(value)));
  if (typeof value === "string") results.push(stringFit([...value].length, value, schema));
  if (typeof value === "number") results.push(numberFit(value, schema));
  if (Array.isArray(value)) results.push(...arrayFits(value, schema, inner));
  else if (typeof value === "object" && value !== null) results.push(...objectFits(membersOf(value), schema, inner));
  if (anyOf !== undefined) results.push(negated(every(listOf(anyOf).map((one) => negated(inner(value, one))))));
  if (oneOf !== undefined) results.push(oneFit(listOf(oneOf).map((one) => inner(value, one))));
  if (allOf !== undefined) results.push(every(listOf(allOf).map((one) => inner(value, one))));
  if (not !== undefined) results.push(negated(inner(value, not)));
  return [...opaque, "if"].some((keyword) => schema[keyword] !== undefined)
    ? every([...results, null])
    : every(results);
}

const known = new WeakMap<object, ReadonlySet<string>>();

/** Returns the texts of a list of values, which is asked about again and again. */
export function textsOf(values: readonly unknown[]): ReadonlySet<string> {
  const texts = known.get(values) ?? new Set(values.map(textOf));
  known.set(values, texts);
  return texts;
}

function every(results: readonly Fit[]): Fit {
  return results.includes(false) ? false : results.includes(null) ? null : true;
}

function negated(result: Fit): Fit {
  return result === null ? null : !result;
}

function oneFit(results: readonly Fit[]): Fit {
  const count = results.filter((result) => result === true).length;
  return count > 1 ? false : results.includes(null) ? null : count === 1;
}

function stringFit(length: number, value: string, { minLength = 0, maxLength = Infinity, pattern }: Members): boolean {
  const isMatch = typeof pattern !== "string" || matches(pattern, value);
  return length >= (minLength as number) && length <= (maxLength as number) && isMatch;
}

function numberFit(value: number, schema: Members): boolean {
  const [lower, upper] = [boundOf(schema, "Minimum"), boundOf(schema, "Maximum")];
  const isBelow = lower !== null && (lower[1] ? value <= lower[0] : value < lower[0]);
  const isAbove = upper !== null && (upper[1] ? value >= upper[0] : value > upper[0]);
  const { multipleOf } = schema;
  return !isBelow && !isAbove && (typeof multipleOf !== "number" || Number.isInteger(value / multipleOf));
}

type Inner = (value: unknown, schema: unknown) => Fit;

function arrayFits(value: readonly unknown[], schema: Members, inner: Inner): Fit[] {
  const { minItems = 0, maxItems = Infinity, uniqueItems, contains, items = true } = schema;
  const first = listOf(schema["prefixItems"]);
  return [
    value.length >= (minItems as number) && value.length <= (maxItems as number),
    uniqueItems !== true || new Set(value.map(textOf)).size === value.length,
    ...value.map((item, at) => inner(item, first[at] ?? items)),
    contains === undefined || null,
  ];
}

function objectFits(value: Members, schema: Members, inner: Inner): Fit[] {
  const { minProperties = 0, maxProperties = Infinity, propertyNames } = schema;
  const names = Object.keys(value);
  return [
    names.length >= (minProperties as number) && names.length <= (maxProperties as number),
    listOf(schema["required"]).every((name) => Object.hasOwn(value, name as string)),
    ...names.flatMap((name) => memberSchemas(schema, name).map((one) => inner(value[name], one))),
    ...(propertyNames === undefined ? [] : names.map((name) => inner(name, propertyNames))),
    (schema["dependentRequired"] === undefined && schema["dependentSchemas"] === undefined) || null,
  ];
}
