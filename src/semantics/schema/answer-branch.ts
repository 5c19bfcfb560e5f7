import { hasProperty } from "../../http/javascript/property.ts";
import {
  branchesOf,
  isPrimitive,
  joinedList,
  joinedObject,
  type AnswerShape,
  type ObjectShape,
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

/** Joined once for each choice that was met: as many as the schema has. */
const joined = new WeakMap<AnswerShape, Map<AnswerShape, AnswerShape>>();

function joinedOf<Shape extends AnswerShape>(shapes: readonly Shape[], join: (two: readonly Shape[]) => Shape): Shape {
  return shapes.reduce((one, other) => {
    let known = joined.get(one);
    if (known === undefined) joined.set(one, (known = new Map()));
    let both = known.get(other) as Shape | undefined;
    if (both === undefined) known.set(other, (both = join([one, other])));
    return both;
  });
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
  { others, patterns }: Pick<ObjectShape, "others" | "patterns">,
  name: string,
): AnswerShape | null {
  if (name === "__proto__") return null;
  for (const [expression, shape] of patterns) if (expression.test(name)) return shape;
  return others;
}
