import { listOf, memberOf, membersOf, textOf, verdictOf, type Effect, type Members } from "./change.ts";
import { finding, isFine, isTyped, type Comparison, type Finding } from "./finding.ts";
import type { NormalSchemas } from "./normal-schema.ts";
import { commonTypes, joined, memberSchemas, typesOf, typeTextOf } from "./schema-keywords.ts";

/** Schemas of which one must fit. */
export interface Union {
  readonly alternatives: readonly unknown[];
  /** Whether only one may fit, as of `oneOf`. */
  readonly isExclusive: boolean;
  readonly normals: NormalSchemas;
}

/** The most pairs of alternatives that are compared where nothing says which ones are meant to be the same. */
const mostPairs = 10_000;

/** The most unions inside of each other that become one. */
const mostAlternatives = 1000;

export function withoutUnion(schema: Members): Members {
  const { anyOf: _, oneOf: __, ...beside } = schema;
  return beside;
}

/** Returns the alternatives of a schema, with alternatives inside of them. All single values are one alternative. */
export function unionOf(schema: unknown, normals: NormalSchemas): Union {
  const values: unknown[] = [];
  const seen = new Set<string>();
  let isExclusive = false;
  const alternatives: unknown[] = [];
  const add = (one: unknown): void => {
    const normal = normals.of(one);
    const inner = normal["anyOf"] ?? normal["oneOf"];
    const [key, count] = [textOf(one), seen.size];
    if (inner !== undefined && count < mostAlternatives && count < seen.add(key).size) {
      isExclusive ||= normal["anyOf"] === undefined;
      for (const alternative of listOf(inner)) add(joined([alternative, withoutUnion(normal)]));
      return;
    }
    // What is among the alternatives twice counts for `oneOf`, and for nothing else.
    if (inner !== undefined && seen.has(key) && !isExclusive) return;
    const { type, enum: own, ...beside } = normal;
    if (own !== undefined && Object.keys(beside).length === 0) values.push(...listOf(own));
    else if (listOf(type).length > 1) for (const each of listOf(type)) add({ ...normal, type: [each] });
    else if (textOf(normal) === '{"type":["null"]}') values.push(null);
    else if (textOf(normal) === '{"type":["boolean"]}') values.push(false, true);
    else if (typesOf(normal).size > 0) alternatives.push(one);
  };
  add(schema);
  if (values.length > 0) alternatives.push({ enum: values });
  return { alternatives, isExclusive, normals };
}

/**
 * Takes the alternatives from two lists that are meant to be the same. They have one name, one meaning or one
 * discriminating member, or are the only two of a type.
 */
function pairsOf(gone: unknown[], added: unknown[], before: Union, after: Union): [unknown, unknown][] {
  const pairs: [unknown, unknown][] = [];
  for (const keyOf of [referenceOf, meaningOf, discriminatorOf, kindOf]) {
    const [older, newer] = [grouped(gone, keyOf, before.normals), grouped(added, keyOf, after.normals)];
    const same = [...older].flatMap(([key, ones]) => {
      const others = newer.get(key) ?? [];
      return ones.length === 1 && others.length === 1 ? [[ones[0], others[0]] as [unknown, unknown]] : [];
    });
    const [ones, others] = [new Set(same.map(([one]) => one)), new Set(same.map(([, other]) => other))];
    gone.splice(0, gone.length, ...gone.filter((one) => !ones.has(one)));
    added.splice(0, added.length, ...added.filter((one) => !others.has(one)));
    pairs.push(...same);
  }
  return pairs;
}

type Key = (schema: unknown, normals: NormalSchemas) => string | null;

function grouped(schemas: readonly unknown[], keyOf: Key, normals: NormalSchemas): Map<string, unknown[]> {
  const groups = new Map<string, unknown[]>();
  for (const schema of schemas) {
    const key = keyOf(schema, normals);
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), schema]);
  }
  return groups;
}

const referenceOf: Key = (schema) => {
  const { $ref, allOf } = membersOf(schema);
  const reference = $ref ?? membersOf(listOf(allOf)[0])["$ref"];
  return typeof reference === "string" ? reference : null;
};
const meaningOf: Key = (schema, normals) => textOf(normals.of(schema));
/** Members with one value only tell alternatives apart. */
const discriminatorOf: Key = (schema, normals) => {
  const constants = constantsOf(normals.of(schema), normals);
  return Object.keys(constants).length > 0 ? textOf(constants) : null;
};
const kindOf: Key = (schema, normals) => {
  const normal = normals.of(schema);
  return normal["enum"] === undefined ? typeTextOf(normal) : "values";
};

function constantsOf({ properties }: Members, normals: NormalSchemas): Readonly<Record<string, string>> {
  const constants = Object.entries(membersOf(properties)).map(([name, member]) => [name, normals.of(member)["enum"]]);
  return Object.fromEntries(
    constants.filter(([, values]) => listOf(values).length === 1).map(([name, values]) => [name, textOf(values)]),
  );
}

/** Returns whether no value fits two schemas of a union of which some are new or wider. */
function areApart(some: readonly unknown[], { alternatives, normals }: Union): boolean {
  const constants = alternatives.map((one) => constantsOf(normals.of(one), normals));
  const isKind = (name: string): boolean =>
    new Set(constants.map((members) => memberOf(members, name))).size === alternatives.length &&
    alternatives.every((one) => listOf(normals.of(one)["required"]).includes(name));
  if (Object.keys(constants[0] ?? {}).some(isKind)) return true;
  if (some.length * alternatives.length > mostPairs) return false;
  return some.every((one) => {
    const own = alternatives.indexOf(one);
    return alternatives.every((other, at) => at === own || isApart(one, other, normals));
  });
}

function isApart(one: unknown, other: unknown, normals: NormalSchemas, depth: number = 0): boolean {
  const [first, second] = [normals.of(one), normals.of(other)];
  const common = commonTypes(first, second);
  if (common.length === 0) return true;
  for (const [mine, theirs] of [
    [first, second],
    [second, first],
  ] as const) {
    if (mine["enum"] !== undefined) return listOf(mine["enum"]).every((value) => normals.fits(value, theirs) === false);
  }
  if (common.some((type) => type !== "object") || depth > 4) return false;
  const needed = [first, second].flatMap(({ required }) => listOf(required) as string[]);
  return needed.some((name) => {
    const [mine, theirs] = [first, second].map((schema) => joined(memberSchemas(schema, name)));
    return isApart(mine, theirs, normals, depth + 1);
  });
}

/** Lists the differences between two unions. */
export function* unionChanges(
  comparison: Comparison,
  before: Union,
  after: Union,
  isText: boolean,
): Generator<Finding> {
  const isRequest = comparison.side === "request";
  const [target, source, own] = isRequest ? [after, before, comparison.before] : [before, after, comparison.after];
  const [gone, added] = [[...before.alternatives], [...after.alternatives]];
  const pairs = pairsOf(gone, added, before, after);
  let tries = 0;
  const differences = (one: unknown, other: unknown): readonly Finding[] =>
    ++tries > mostPairs ? [finding("unclear", "")] : comparison.findings(one, other, isText);
  const isSame = (one: unknown, other: unknown): boolean =>
    added.includes(other) && isFine(differences(one, other), comparison.side);
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
    const found = comparison.findings(one, other, isText);
    const isHarmless = isFine(found, comparison.side) || isCovered(isRequest ? one : other);
    yield* isHarmless ? found.filter(({ effect }) => verdictOf(comparison.side, effect) === "compatible") : found;
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
  if (!isRequest) grown.push(...gone.filter((one) => !isTyped(comparison.before.of(one))));
  const isOther = !source.isExclusive && source.alternatives.length > 1;
  if (target.isExclusive && !areApart(isOther ? target.alternatives : grown, target)) {
    yield finding("unclear", "several alternatives of oneOf may fit");
  }
}

function alternativeNameOf(schema: unknown, { normals }: Union): string {
  const reference = referenceOf(schema, normals);
  if (reference !== null) return reference.slice(reference.lastIndexOf("/") + 1);
  const normal = normals.of(schema);
  const { title } = normals.described(schema);
  if (typeof title === "string") return title;
  const { enum: values } = normal;
  return values === undefined ? (typeTextOf(normal) ?? "of any type") : listOf(values).map(textOf).join(" or ");
}
