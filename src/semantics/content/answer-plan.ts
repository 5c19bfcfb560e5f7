import { has } from "../../http/given.ts";
import {
  answerShapesOf,
  isPrimitive,
  joinedList,
  joinedObject,
  type AnswerMember,
  type AnswerShape,
} from "./answer-shape.ts";
import { pointerOf } from "./json-pointer.ts";
import type { JsonSchema } from "./json-schema.ts";

/** Where an answer does not fit, and what is expected there; the answer itself is not in it. */
export interface AnswerFault {
  readonly pointer: string;
  readonly detail: string;
}

/**
 * Writes answers as JSON, by the JSON Schema of their schema's output.
 *
 * What the JSON Schema names is written, and no other member, unless it declares `additionalProperties`. Required members have to
 * be there, and primitive values of their type: numbers that are not finite are not. `toJSON()` is called before anything is
 * compared. What may be anything is written as `JSON.stringify()` does.
 *
 * A plan is made once, and holds itself where the schema does. It does not know limits, patterns and refinements.
 */
export class AnswerPlan {
  readonly #shape: AnswerShape;
  /** Whether an answer has to be validated by its schema first: its JSON Schema says more of its shape than a plan can decide. */
  readonly isPartial: boolean;

  constructor(schema: JsonSchema) {
    const { root, isPartial } = answerShapesOf(schema);
    this.#shape = root;
    this.isPartial = isPartial;
  }

  /**
   * Returns the text of an answer, or a list of what does not fit.
   *
   * The platform writes JSON faster than a program could. So an answer with the members that are named, and no others, is looked
   * through once and left to it, and one that has others is copied without them. What is neither is looked at more closely.
   */
  write(answer: unknown): string | readonly AnswerFault[] {
    const writable = writableOf(this.#shape, answer);
    if (writable !== unwritten) {
      const text = writtenOrNull(writable);
      if (text !== null) return text;
    }
    const fitting = new Fitting(false);
    const fitted = fitting.fit(this.#shape, answer);
    if (fitting.faults.length > 0) return fitting.faults;
    const text = writtenOrNull(fitted);
    if (text !== null) return text;
    const finding = new Fitting(true);
    finding.fit(this.#shape, answer);
    return finding.faults.length > 0 ? finding.faults : [{ pointer: "#", detail: unwritable }];
  }
}

const unwritable = "Expected what JSON can write";

/** Stands for what is not to be written as it is. */
const unwritten = Symbol("unwritten");

function writableOf(shape: AnswerShape, answer: unknown): unknown {
  // Members that stand on all objects would be met in each of them, and be written in none.
  for (const _ in Object.prototype) return unwritten;
  try {
    return isExact(shape, answer) ? answer : trimmed(shape, answer);
  } catch {
    // It holds itself, or one of its getters throws: the other way says so.
    return unwritten;
  }
}

/** Null for what JSON cannot write: a bigint, what holds itself, or nothing at all. */
function writtenOrNull(value: unknown): string | null {
  try {
    return (JSON.stringify(value) as string | undefined) ?? null;
  } catch {
    return null;
  }
}

/** Whether `JSON.stringify()` writes of a value all that its shape names, and nothing else. It may say no where it does. */
function isExact(shape: AnswerShape, value: unknown): boolean {
  switch (shape.kind) {
    case "string":
      return typeof value === "string";
    case "integer":
      return Number.isInteger(value);
    case "number":
      return Number.isFinite(value);
    case "boolean":
      return typeof value === "boolean";
    case "object":
      return isExactObject(shape, value);
    case "list":
      return isExactList(shape, value);
    case "any":
      return isSomething(value);
    case "null":
      return value === null;
    case "constant":
      return shape.constants.has(value);
    case "union": {
      const branch = branchOf(shape, value);
      return branch !== null && isExact(branch, value);
    }
    default:
      return false;
  }
}

function isExactList({ first, items }: AnswerShape, value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  for (let at = 0; at < value.length; at++)
    if (!isExact(at < first.length ? first[at]! : items, value[at])) return false;
  return !hasToJson(value);
}

/** By `for in`, which reads members of objects of one form several times faster than any list of names does. */
function isExactObject(shape: AnswerShape, value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === Object.prototype || prototype === null;
  const { members, byName } = shape;
  let at = 0;
  let required = 0;
  for (const name in value) {
    if (!isPlain && !Object.hasOwn(value, name)) return false;
    const inner = (value as Record<string, unknown>)[name];
    const expected = members[at++];
    const member = expected !== undefined && expected.name === name ? expected : byName.get(name);
    if (member === undefined) {
      const other = otherOf(shape, name);
      if (inner !== undefined && (other === null || !isExact(other, inner))) return false;
    } else if (inner === undefined) {
      if (member.isRequired) return false;
    } else {
      if (!isExact(member.shape, inner)) return false;
      if (member.isRequired) required++;
    }
  }
  return required === shape.requiredCount && !hasToJson(value);
}

/**
 * Returns a value of objects and lists without the members that its shape does not name, or `unwritten` if there is more to it than
 * that. What is exact is not copied.
 */
function trimmed(shape: AnswerShape, value: unknown): unknown {
  if (shape.kind === "object") return trimmedObject(shape, value);
  if (shape.kind === "list") return trimmedList(shape, value);
  const branch = shape.kind === "union" ? branchOf(shape, value) : null;
  return branch === null ? unwritten : trimmed(branch, value);
}

function trimmedList({ first, items }: AnswerShape, value: unknown): unknown {
  if (!Array.isArray(value) || hasToJson(value)) return unwritten;
  const list: unknown[] = [];
  for (let at = 0; at < value.length; at++) {
    const shape = at < first.length ? first[at]! : items;
    const item: unknown = value[at];
    const kept = isExact(shape, item) ? item : trimmed(shape, item);
    if (kept === unwritten) return unwritten;
    list.push(kept);
  }
  return list;
}

/** Only what is an object by itself: what has a class may have getters, which `for in` does not meet. */
function trimmedObject(shape: AnswerShape, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value) || hasToJson(value)) return unwritten;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return unwritten;
  const { members, byName } = shape;
  const copy: Record<string, unknown> = {};
  let at = 0;
  let required = 0;
  for (const name in value) {
    const expected = members[at];
    const isExpected = expected !== undefined && expected.name === name;
    if (isExpected) at++;
    const member = isExpected ? expected : byName.get(name);
    const inner = (value as Record<string, unknown>)[name];
    if (inner === undefined) continue;
    const kind = member === undefined ? otherOf(shape, name) : member.shape;
    if (kind === null) continue;
    const kept = isExact(kind, inner) ? inner : trimmed(kind, inner);
    if (kept === unwritten) return unwritten;
    copy[name] = kept;
    if (member !== undefined && member.isRequired) required++;
  }
  return required === shape.requiredCount ? copy : unwritten;
}

/** The shape of a member that is not named; null if it is left out, as is what would set a prototype where it is read. */
function otherOf({ others, patterns }: AnswerShape, name: string): AnswerShape | null {
  if (name === "__proto__") return null;
  for (const [expression, shape] of patterns) if (expression.test(name)) return shape;
  return others;
}

/** `JSON.stringify()` leaves out members that are functions or symbols, as it does undefined ones. */
function isSomething(value: unknown): boolean {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol";
}

function hasToJson(value: object | bigint): value is { toJSON(key: string): unknown } & (object | bigint) {
  return typeof (value as { toJSON?: unknown }).toJSON === "function";
}

/** The branch of a union that a value is written by; null if none fits. Objects are told apart by their members only. */
function branchOf(union: AnswerShape, value: unknown): AnswerShape | null {
  if (typeof value !== "object" || value === null) {
    return union.branches.find((branch) => isPrimitive(branch, value)) ?? anyOf(union, value);
  }
  if (Array.isArray(value)) return listOf(union) ?? anyOf(union, value);
  return objectOf(union, value) ?? anyOf(union, value);
}

function anyOf({ branches }: AnswerShape, value: unknown): AnswerShape | null {
  return isSomething(value) ? (branches.find(({ kind }) => kind === "any") ?? null) : null;
}

function listOf(union: AnswerShape): AnswerShape | null {
  const lists = union.branches.filter(({ kind }) => kind === "list");
  return lists.length < 2 ? (lists[0] ?? null) : joinedOf(lists, joinedList);
}

function objectOf({ branches, discriminator }: AnswerShape, value: object): AnswerShape | null {
  if (discriminator !== null) return discriminator.byValue.get(memberOf(value, discriminator.name)) ?? null;
  const objects = branches.filter(({ kind }) => kind === "object");
  if (objects.length < 2) return objects[0] ?? null;
  const alike = objects.filter((object) => isAlikeObject(object, value));
  return alike.length < 2 ? (alike[0] ?? null) : joinedOf(alike, joinedObject);
}

/** Whether a value may have the shape, as far as its type tells. */
function isAlike(shape: AnswerShape, value: unknown): boolean {
  if (shape.kind === "union") return shape.branches.some((branch) => isAlike(branch, value));
  if (shape.kind === "any") return true;
  if (typeof value !== "object" || value === null) return isPrimitive(shape, value);
  return hasToJson(value) || shape.kind === (Array.isArray(value) ? "list" : "object");
}

function isAlikeObject({ members }: AnswerShape, value: object): boolean {
  return members.every(({ name, shape, isRequired }) => {
    const inner = memberOf(value, name);
    return inner === undefined ? !isRequired : isAlike(shape, inner);
  });
}

/** Joined once for each choice that was met: as many as the schema has. */
const joined = new WeakMap<AnswerShape, Map<AnswerShape, AnswerShape>>();
function joinedOf(shapes: readonly AnswerShape[], join: typeof joinedObject): AnswerShape {
  return shapes.reduce((one, other) => {
    let known = joined.get(one);
    if (known === undefined) joined.set(one, (known = new Map()));
    let both = known.get(other);
    if (both === undefined) known.set(other, (both = join([one, other])));
    return both;
  });
}

/** What an object has itself or by its class, private fields behind getters too; what all objects have does not count. */
function memberOf(value: object, name: string): unknown {
  const member = (value as Record<string, unknown>)[name];
  return member !== undefined && (Object.hasOwn(value, name) || has(value, name)) ? member : undefined;
}

/** Makes a copy of an answer that has what its shape names, and collects what does not fit. */
class Fitting {
  readonly faults: AnswerFault[] = [];
  readonly #path: (string | number)[] = [];
  readonly #triesAny: boolean;

  /** @param triesAny whether what may be anything is written at once, to find where that fails. */
  constructor(triesAny: boolean) {
    this.#triesAny = triesAny;
  }

  fit(shape: AnswerShape, given: unknown, key: string | number = ""): unknown {
    if (this.#path.length > deepest)
      return this.#add("Expected a value that ends, got one that holds itself, or is nested too deep");
    const value = jsonOf(given, key);
    switch (shape.kind) {
      case "any":
        if (!isSomething(value)) return this.#fault("a value", value);
        if (this.#triesAny && writtenOrNull(value) === null) this.#add(unwritable);
        return value;
      case "object":
        if (typeof value !== "object" || value === null || Array.isArray(value)) return this.#fault("an object", value);
        return this.#fitObject(shape, value);
      case "list":
        return Array.isArray(value) ? this.#fitList(shape, value) : this.#fault("a list", value);
      case "union": {
        const branch = branchOf(shape, value);
        return branch === null ? this.#noBranch(shape, value) : this.#fitBranch(shape, branch, value, key);
      }
      default:
        return isPrimitive(shape, value) ? value : this.#fault(expectedOf(shape), value);
    }
  }

  #fitObject(shape: AnswerShape, value: object): object {
    const copy: Record<string, unknown> = {};
    for (const member of shape.members) {
      const inner = memberOf(value, member.name);
      if (isSomething(inner)) this.#fitMember(shape, copy, member.name, member.shape, inner);
      else if (member.isRequired) this.#missing(member);
    }
    if (shape.others !== null || shape.patterns.length > 0) {
      for (const [name, inner] of Object.entries(value)) {
        const other = shape.byName.has(name) ? null : otherOf(shape, name);
        if (other !== null && isSomething(inner)) this.#fitMember(shape, copy, name, other, inner);
      }
    }
    return copy;
  }

  #fitMember({ isLoose }: AnswerShape, copy: object, name: string, shape: AnswerShape, inner: unknown): void {
    const known = this.faults.length;
    this.#path.push(name);
    const fitted = this.fit(shape, inner, name);
    this.#path.pop();
    if (isLoose && this.faults.length > known) this.faults.length = known;
    else (copy as Record<string, unknown>)[name] = fitted;
  }

  #fitList({ first, items }: AnswerShape, value: readonly unknown[]): unknown[] {
    return Array.from(value, (item, at) => {
      this.#path.push(at);
      const fitted = this.fit(first[at] ?? items, item, at);
      this.#path.pop();
      return fitted;
    });
  }

  /** What does not fit the branch that it is most like may still be anything, where that is a branch. */
  #fitBranch(union: AnswerShape, branch: AnswerShape, value: unknown, key: string | number): unknown {
    const known = this.faults.length;
    const fitted = this.fit(branch, value, key);
    const otherwise = this.faults.length > known ? anyOf(union, value) : null;
    if (otherwise === null || otherwise === branch) return fitted;
    this.faults.length = known;
    return this.fit(otherwise, value, key);
  }

  /** The member that tells objects apart is what does not fit. */
  #noBranch({ discriminator, branches }: AnswerShape, value: unknown): undefined {
    if (discriminator === null || kindOf(value) !== "an object") return this.#fault(expectationOf(branches), value);
    const { name, byValue } = discriminator;
    this.#path.push(name);
    this.#fault(constantsOf([...byValue.keys()]), memberOf(value as object, name));
    this.#path.pop();
  }

  #missing({ name, shape }: AnswerMember): void {
    this.#path.push(name);
    this.#fault(expectedOf(shape), undefined);
    this.#path.pop();
  }

  #fault(expected: string, value: unknown): undefined {
    this.#add(`Expected ${expected}, got ${kindOf(value)}`);
  }

  #add(detail: string): void {
    if (this.faults.length < mostFaults) this.faults.push({ pointer: pointerOf(this.#path), detail });
  }
}

/** In levels; JSON content of requests has at most half as many. */
const deepest = 1_000;

/** Of a list of thousands, the first ones tell enough. */
const mostFaults = 100;

function jsonOf(value: unknown, key: string | number): unknown {
  const isObject = (typeof value === "object" && value !== null) || typeof value === "bigint";
  return isObject && hasToJson(value) ? value.toJSON(String(key)) : value;
}

function expectedOf(shape: AnswerShape): string {
  switch (shape.kind) {
    case "any":
      return "a value";
    case "null":
      return "null";
    case "boolean":
      return "true or false";
    case "constant":
      return constantsOf([...shape.constants]);
    case "union":
      return expectationOf(shape.branches);
    case "nothing":
      return "nothing";
    default:
      return /^[aio]/.test(shape.kind) ? `an ${shape.kind}` : `a ${shape.kind}`;
  }
}

function expectationOf(branches: readonly AnswerShape[]): string {
  return [...new Set(branches.map(expectedOf))].join(", or ");
}

function constantsOf(constants: readonly unknown[]): string {
  if (constants.length > mostConstants) return "one of the declared values";
  return constants.map((value) => (typeof value === "bigint" ? String(value) : JSON.stringify(value))).join(" or ");
}

const mostConstants = 8;

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "number" && !Number.isFinite(value)) return "a number that is not finite";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
