import { isLocal, listOf, membersOf, namesOf, resolved, textOf, type Members } from "./change.ts";
import { boundOf, commonTypes, joined, keywordsOf, memberSchemas, opaque, typesOf } from "./schema-keywords.ts";
import { fits, textsOf, type Fit } from "./value-fit.ts";

type Loose = Record<string, unknown>;

const nothing: Members = { type: [] };
const logical = ["type", "enum", "format", "not", "if", "then", "else", "anyOf", "oneOf", "allOf"];
const known = new Set([...logical, ...Object.values(keywordsOf).flat(), ...opaque]);
/** Keywords with values that say nothing. */
const idle = new RegExp(
  `^(?:${[
    "min(?:Length|Items|Properties) 0",
    String.raw`(?:propertyNames|then|else|unevaluated\w+) (?:true|\{\})`,
    String.raw`(?:p(?:atternP)?roperties|dependent\w+) \{\}`,
    String.raw`(?:required|prefixItems|allOf) \[\]`,
    "(?:uniqueItems|not) false",
  ].join("|")})$`,
);
/** Keywords that mean something together only. */
const groups = [
  ["contains", "minContains", "maxContains"],
  ["if", "then", "else"],
] as const;
/** What `unevaluated…` is about, and the keyword that says the same where nothing else looks at members or items. */
export const lookedAt = [
  ["unevaluatedItems", "items"],
  ["unevaluatedProperties", "additionalProperties"],
] as const;
const scoped = new Set(["properties", "patternProperties", "additionalProperties", "prefixItems", "items"]);

/** The schemas of a document, each in the form in which one meaning has one spelling. */
export class NormalSchemas {
  readonly #document: Members;
  readonly #known = new Map<string, Members>();

  constructor(document: Members) {
    this.#document = document;
  }

  /** Returns the members of what a schema leads to, descriptions too. */
  described(schema: unknown): Members {
    const own = membersOf(resolved(schema, this.#document));
    const others = listOf(own["allOf"]).map((one) => membersOf(resolved(one, this.#document)));
    return others.length === 0 ? own : Object.assign({}, ...others, own);
  }

  /**
   * Returns a schema with the schemas of `allOf` and references in one, and without what says nothing. What cannot be
   * merged stays in `allOf`. A schema that nothing fits has an empty list of types.
   */
  of(schema: unknown): Members {
    if (schema === false) return nothing;
    const text = textOf(schema);
    const done = this.#known.get(text);
    if (done !== undefined) return done;
    // A circle of `allOf` says nothing.
    this.#known.set(text, {});
    const { $ref, allOf, unevaluatedItems, unevaluatedProperties, ...own }: Loose = membersOf(schema);
    const unevaluated: Loose = { unevaluatedItems, unevaluatedProperties };
    const isFollowed = typeof $ref === "string" && isLocal($ref);
    for (const [keyword, usual] of lookedAt) {
      // To look at all that is left is to leave nothing over.
      if (/^(?:true|\{\})$/.test(textOf(unevaluated[keyword])) && own[usual] === undefined) own[usual] = true;
    }
    let normal = this.#own(isFollowed || $ref === undefined ? own : { ...own, $ref });
    if (isFollowed) normal = this.#both(normal, this.of(resolved({ $ref }, this.#document)));
    for (const one of listOf(allOf)) normal = this.#both(normal, this.of(one));
    const looked = { ...normal, ...withoutIdle(unevaluated) };
    // What all members are looked at by leaves nothing over.
    if (normal["additionalProperties"] !== undefined) delete looked["unevaluatedProperties"];
    normal = this.#satisfiable(looked);
    this.#known.set(text, normal);
    return normal;
  }

  /** Returns whether nothing can fit a schema. */
  isNever(schema: unknown): boolean {
    return typesOf(this.of(schema)).size === 0;
  }

  fits(value: unknown, schema: Members): Fit {
    return fits(value, schema, (inner) => this.of(inner));
  }

  /** Puts the keywords beside `$ref` and `allOf` into their normal form. */
  #own(schema: Members): Members {
    const said: Loose = Object.fromEntries(Object.entries(schema).filter(([keyword]) => known.has(keyword)));
    const { type, const: value, nullable, minContains = 1 } = schema;
    if (value !== undefined) {
      said["enum"] = listOf(schema["enum"] ?? [value]).filter((one) => textOf(one) === textOf(value));
    }
    if (type !== undefined) {
      const types = [...(Array.isArray(type) ? (type as unknown[]) : [type]), ...(nullable === true ? ["null"] : [])];
      said["type"] = [...new Set(types)];
    }
    for (const [name, needed] of Object.entries(membersOf(schema["dependencies"]))) {
      // Until draft 7 one keyword had both meanings.
      const keyword = Array.isArray(needed) ? "dependentRequired" : "dependentSchemas";
      said[keyword] = { ...membersOf(said[keyword]), [name]: needed };
    }
    const needs = Object.entries(membersOf(said["dependentRequired"])).filter(([, names]) => listOf(names).length > 0);
    if (said["dependentRequired"] !== undefined) said["dependentRequired"] = Object.fromEntries(needs);
    for (const [exclusive, limit] of limits) {
      // In OpenAPI 3.0 this keyword is a flag of the other one.
      if (typeof schema[exclusive] !== "boolean") continue;
      delete said[exclusive];
      if (!schema[exclusive] || schema[limit] === undefined) continue;
      said[exclusive] = schema[limit];
      delete said[limit];
    }
    if (said["contains"] !== undefined) said["minContains"] = minContains;
    const isVain = minContains === 0 && schema["maxContains"] === undefined;
    if (said["contains"] === undefined || isVain) for (const keyword of groups[0]) delete said[keyword];
    const { not } = schema;
    if (not !== undefined && this.isNever(not)) delete said["not"];
    if (not !== undefined && Object.keys(this.of(not)).length === 0) return nothing;
    if (said["anyOf"] !== undefined && said["oneOf"] !== undefined) {
      const { oneOf, ...beside } = said;
      return this.#both(this.#own(beside), { allOf: [{ oneOf }] });
    }
    const only = ["anyOf", "oneOf"].find((union) => listOf(schema[union]).length === 1);
    if (only === undefined) return withoutIdle(said);
    delete said[only];
    return this.#both(withoutIdle(said), this.of(listOf(schema[only])[0]));
  }

  /** Returns a schema of what fits two others. */
  #both(one: Members, other: Members): Members {
    if (Object.keys(one).length === 0) return other;
    if (textOf(one) === textOf(other)) return one;
    for (const [scope, rest] of [
      [other, one],
      [one, other],
    ] as const) {
      // `unevaluated…` is about the keywords of its own schema, and none that stand around it.
      if (lookedAt.some(([keyword]) => scope[keyword] !== undefined)) {
        return { ...rest, allOf: [...listOf(rest["allOf"]), scope] };
      }
    }
    const merged: Loose = { ...one };
    const apart: unknown[] = [...listOf(one["allOf"])];
    if (!mergeMembers(merged, other)) {
      apart.push(
        Object.fromEntries(
          Object.entries(other).filter(([keyword]) => scoped.has(keyword) && !keyword.endsWith("tems")),
        ),
      );
    }
    mergeItems(merged, other);
    const grouped: Loose = { ...other };
    for (const group of groups) {
      const [mine, theirs] = [one, other].map((schema) => group.filter((keyword) => schema[keyword] !== undefined)) as [
        string[],
        string[],
      ];
      const isAlike = group.every((keyword) => textOf(one[keyword]) === textOf(other[keyword]));
      if (mine.length === 0 || theirs.length === 0 || isAlike) continue;
      apart.push(Object.fromEntries(theirs.map((keyword) => [keyword, other[keyword]])));
      for (const keyword of group) delete grouped[keyword];
    }
    for (const [keyword, value] of Object.entries(grouped)) {
      if (scoped.has(keyword)) continue;
      const own = one[keyword];
      if (keyword === "type") merged["type"] = commonTypes(one, other);
      else if (keyword === "allOf") apart.push(...listOf(value));
      else if (own === undefined || textOf(own) === textOf(value)) merged[keyword] = value;
      else if (/^(?:exclusiveM|m)in/.test(keyword)) merged[keyword] = Math.max(own as number, value as number);
      else if (/^(?:exclusiveM|m)ax/.test(keyword)) merged[keyword] = Math.min(own as number, value as number);
      else if (keyword === "required") merged[keyword] = [...new Set([...listOf(own), ...listOf(value)])];
      else if (keyword === "enum")
        merged[keyword] = listOf(own).filter((had) => textsOf(listOf(value)).has(textOf(had)));
      else if (keyword === "not") merged[keyword] = { anyOf: [own, value] };
      else apart.push({ [keyword]: value });
    }
    const rest = new Map(apart.map((schema) => [textOf(schema), schema]));
    return rest.size === 0 ? merged : { ...merged, allOf: [...rest.values()] };
  }

  /** Leaves out the types that no value can have, the keywords of other ones, and the values that do not fit. */
  #satisfiable(schema: Members): Members {
    const types = typesOf(schema);
    const [lower, upper] = [boundOf(schema, "Minimum"), boundOf(schema, "Maximum")];
    const isOver = (keyword: string, most: unknown): boolean => (schema[keyword] as number) > (most as number);
    const length = this.#lengthOf(schema);
    const none = new Set<string>();
    if (isOver("minLength", schema["maxLength"])) none.add("string");
    if (isOver("minItems", length)) none.add("array");
    if (isOver("minProperties", schema["maxProperties"])) none.add("object");
    if (listOf(schema["required"]).some((name) => this.#isRefused(schema, name as string))) none.add("object");
    if (
      lower !== null &&
      upper !== null &&
      (lower[0] > upper[0] || (lower[0] === upper[0] && (lower[1] || upper[1])))
    ) {
      none.add("number").add("integer");
    }
    const left = [...types].filter((type) => !none.has(type));
    if (left.length === 0) return nothing;
    const other = Object.entries(keywordsOf).flatMap(([type, keywords]) =>
      left.includes(type) || (type === "number" && left.includes("integer")) ? [] : keywords,
    );
    const kept = Object.entries(schema).filter(([keyword]) => !other.includes(keyword));
    const fitting: Loose = Object.fromEntries(kept);
    if (length < Infinity && left.includes("array")) {
      fitting["maxItems"] = length;
      if (listOf(schema["prefixItems"]).length >= length) delete fitting["items"];
      fitting["prefixItems"] = listOf(schema["prefixItems"]).slice(0, length);
    }
    if (none.size > 0) fitting["type"] = left;
    else if (schema["type"] !== undefined)
      fitting["type"] = listOf(schema["type"]).filter((type) => left.includes(type as string));
    return fitting["enum"] === undefined ? withoutIdle(fitting) : this.#values(fitting);
  }

  /** How long a list may be: it ends before an item that nothing fits. */
  #lengthOf({ maxItems = Infinity, prefixItems, items }: Members): number {
    const end = [...listOf(prefixItems), items ?? true].findIndex((one) => this.isNever(one));
    return Math.min(maxItems as number, end < 0 ? Infinity : end);
  }

  #isRefused(schema: Members, name: string): boolean {
    return memberSchemas(schema, name).some((one) => this.isNever(one));
  }

  /** Values say everything, unless it is hard to say whether they fit what is beside them. */
  #values({ enum: values, ...beside }: Members): Members {
    const results = listOf(values).map((value) => [value, this.fits(value, beside)] as const);
    const fitting = results.filter(([, fit]) => fit !== false).map(([value]) => value);
    if (fitting.length === 0) return nothing;
    if (results.some(([, fit]) => fit === null)) return { ...beside, enum: fitting };
    const texts = new Set(fitting.map(textOf));
    const whole = [
      ...(texts.has("true") && texts.has("false") ? ["boolean"] : []),
      ...(texts.has("null") ? ["null"] : []),
    ];
    return texts.size === whole.length + (whole.includes("boolean") ? 1 : 0) ? { type: whole } : { enum: fitting };
  }
}

const limits = [
  ["exclusiveMinimum", "minimum"],
  ["exclusiveMaximum", "maximum"],
] as const;

function withoutIdle(schema: Members): Members {
  return Object.fromEntries(
    Object.entries(schema).filter(
      ([keyword, value]) => value !== undefined && !idle.test(`${keyword} ${textOf(value)}`),
    ),
  );
}

/** Merges the members of another schema into a schema; says no where a name would need a schema that has no name. */
function mergeMembers(merged: Loose, other: Members): boolean {
  const [mine, theirs] = [membersOf(merged["patternProperties"]), membersOf(other["patternProperties"])];
  for (const [patterns, others, schema] of [
    [mine, theirs, other],
    [theirs, mine, merged],
  ] as const) {
    const isMore = Object.keys(patterns).some((pattern) => !Object.hasOwn(others, pattern));
    if (isMore && schema["additionalProperties"] !== undefined) return false;
  }
  const names = namesOf(membersOf(merged["properties"]), membersOf(other["properties"]));
  const properties = names.map((name) => [
    name,
    joined([...memberSchemas(merged, name), ...memberSchemas(other, name)]),
  ]);
  const patterns = namesOf(mine, theirs).map((pattern) => [
    pattern,
    joined([mine[pattern] ?? true, theirs[pattern] ?? true]),
  ]);
  if (names.length > 0) merged["properties"] = Object.fromEntries(properties);
  if (patterns.length > 0) merged["patternProperties"] = Object.fromEntries(patterns);
  const others = [merged["additionalProperties"], other["additionalProperties"]].filter((one) => one !== undefined);
  if (others.length > 0) merged["additionalProperties"] = joined(others);
  return true;
}

function mergeItems(merged: Loose, other: Members): void {
  const [mine, theirs] = [listOf(merged["prefixItems"]), listOf(other["prefixItems"])];
  const rest = [merged["items"], other["items"]].filter((one) => one !== undefined);
  const prefix = Array.from({ length: Math.max(mine.length, theirs.length) }, (_, at) =>
    joined([mine[at] ?? merged["items"] ?? true, theirs[at] ?? other["items"] ?? true]),
  );
  if (prefix.length > 0) merged["prefixItems"] = prefix;
  if (rest.length > 0) merged["items"] = joined(rest);
}
