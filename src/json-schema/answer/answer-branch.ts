import { hasProperty } from "../../http/javascript/property.ts";
import {
  branchesOf,
  discriminated,
  isPrimitive,
  objectOf as objectShapeOf,
  unionOf,
  type AnswerMember,
  type AnswerShape,
  type ObjectShape,
  type ShapeOf,
  type UnionShape,
} from "./answer-shape.ts";

/**
 * The branch of a union that a value is written by; null if none fits. Objects are told apart by their members only.
 */
export function branchOf(union: UnionShape, value: unknown): AnswerShape | null {
  if (typeof value !== "object" || value === null) {
    return union.branches.find((branch) => isPrimitive(branch, value)) ?? anyOf(union, value);
  }
  if (Array.isArray(value)) return listOf(union) ?? anyOf(union, value);
  return objectOf(union, value) ?? anyOf(union, value);
}

/** The branch that may be anything; null without one. */
export function anyOf({ branches }: UnionShape, value: unknown): AnswerShape | null {
  return isSomething(value) ? (branches.find(({ kind }) => kind === "any") ?? null) : null;
}

function listOf({ branches }: UnionShape): AnswerShape | null {
  const lists = branchesOf("list", branches);
  return lists.length < 2 ? (lists[0] ?? null) : joinedOf(lists, joinedList);
}

function objectOf({ branches, discriminator }: UnionShape, value: object): AnswerShape | null {
  if (discriminator !== null) return discriminator.byValue.get(memberOf(value, discriminator.name)) ?? null;
  const objects = branchesOf("object", branches);
  if (objects.length < 2) return objects[0] ?? null;
  const alike = objects.filter(({ of }) => isAlikeObject(of, value));
  return alike.length < 2 ? (alike[0] ?? null) : joinedOf(alike, joinedObject);
}

/** Returns whether a value may have the shape, as far as its type shows. */
function isAlike(shape: AnswerShape, value: unknown): boolean {
  if (shape.kind === "union") return shape.of.branches.some((branch) => isAlike(branch, value));
  if (shape.kind === "any") return true;
  if (typeof value !== "object" || value === null) return isPrimitive(shape, value);
  return hasToJson(value) || shape.kind === (Array.isArray(value) ? "list" : "object");
}

function isAlikeObject({ members }: ObjectShape, value: object): boolean {
  return members.every(({ name, shape, isRequired }) => {
    const inner = memberOf(value, name);
    return inner === undefined ? !isRequired : isAlike(shape, inner);
  });
}

type Join<Shape extends AnswerShape> = (one: Shape, other: Shape) => Shape;

/** Joined once for each choice that was met: as many as the schema has. */
const joined = new WeakMap<object, WeakMap<AnswerShape, Map<AnswerShape, AnswerShape>>>();

function joinedOf<Shape extends AnswerShape>(shapes: readonly Shape[], join: Join<Shape>): Shape {
  const byFirst = known(joined, join, () => new WeakMap<AnswerShape, Map<AnswerShape, AnswerShape>>());
  return shapes.reduce((one, other) => {
    const bySecond = known(byFirst, one, () => new Map<AnswerShape, AnswerShape>());
    return known(bySecond, other, () => join(one, other)) as Shape;
  });
}

function known<Key, Value>(
  map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

/**
 * Joins objects of which a validated value is one. Its members are the members that one of them names, by
 * `additionalProperties` or an expression, too. Required are the members that both of them require.
 */
export function joinedObject(one: ShapeOf<"object">, other: ShapeOf<"object">): ShapeOf<"object"> {
  const objects = [one.of, other.of] as const;
  const names = new Set(objects.flatMap(({ members }) => members.map(({ name }) => name)));
  const members = [...names].map((name): AnswerMember => {
    const isRequired = objects.every(({ byName }) => byName.get(name)?.isRequired === true);
    return { name, shape: eitherNamed(objects, name)!, isRequired };
  });
  return { kind: "object", of: { ...objectShapeOf(members, null, []), joined: objects, isLoose: true } };
}

/** The shape of a member that one of the objects names, or both; null if neither does. */
function eitherNamed(objects: readonly [ObjectShape, ObjectShape], name: string): AnswerShape | null {
  const shapes = objects.flatMap((object) => object.byName.get(name)?.shape ?? otherOf(object, name) ?? []);
  return shapes.length === 0 ? null : joinedOf(shapes, joinedShape);
}

/** Joins lists of which a value may be any. Each item may be an item of any list. */
export function joinedList(one: ShapeOf<"list">, other: ShapeOf<"list">): ShapeOf<"list"> {
  const items = [one, other].flatMap(({ of: { first, items: rest } }) => [...first, rest]);
  return { kind: "list", of: { first: [], items: joinedOf(items, joinedShape) } };
}

/** What may be anything is not restricted by another branch. */
function joinedShape(one: AnswerShape, other: AnswerShape): AnswerShape {
  if (one === other || one.kind === "any") return one;
  if (other.kind === "any") return other;
  const union = unionOf([one, other]);
  return union.kind === "union" ? { kind: "union", of: discriminated(union.of.branches) } : union;
}

/**
 * Reads a member that an object has itself or by its class, a getter too. The members that all objects have do not
 * count.
 */
export function memberOf(value: object, name: string): unknown {
  const member = (value as Record<string, unknown>)[name];
  return member !== undefined && (Object.hasOwn(value, name) || hasProperty(value, name)) ? member : undefined;
}

/** `JSON.stringify()` leaves out members that are functions or symbols, as it does undefined ones. */
export function isSomething(value: unknown): boolean {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol";
}

export function hasToJson(value: object | bigint): value is { toJSON(key: string): unknown } & (object | bigint) {
  return typeof (value as { toJSON?: unknown }).toJSON === "function";
}

/** The shape of a member that is not named; null if it is left out. So is a member that would set a prototype. */
export function otherOf(
  { others, patterns, joined: both }: Pick<ObjectShape, "others" | "patterns" | "joined">,
  name: string,
): AnswerShape | null {
  if (name === "__proto__") return null;
  if (both !== null) return eitherNamed(both, name);
  for (const [expression, shape] of patterns) if (expression.test(name)) return shape;
  return others;
}
