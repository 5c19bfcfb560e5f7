import { branchOf, hasToJson, otherOf } from "./answer-branch.ts";
import { Fitting, type AnswerFault } from "./answer-fitting.ts";
import type { AnswerShape } from "./answer-shape.ts";
import { answerShapesOf } from "./answer-shape-reading.ts";
import type { JsonSchema } from "./json-schema.ts";
import { isUnwritable, isWrittenExactly } from "./json-value.ts";

/**
 * Writes answers as JSON, by the JSON Schema of their schema's output.
 *
 * Writes only the members that the JSON Schema names, unless it declares `additionalProperties`. Required members must
 * be there, and primitive values must be of their type: numbers must be finite. `toJSON()` is called before anything is
 * compared. So are values that may be anything: a Map or NaN does not fit, as JSON has none.
 *
 * A plan is made once, and refers to itself where the schema does. It does not know limits, patterns and refinements.
 */
export class AnswerPlan {
  readonly #shape: AnswerShape;
  /**
   * Whether an answer has to be validated by its schema first: the schema says more about it than a plan can decide, or
   * changes it.
   */
  readonly isPartial: boolean;

  /** @param mayChangeValues whether the schema may return another value than it accepts. */
  constructor(schema: JsonSchema, mayChangeValues = false) {
    const { root, isPartial } = answerShapesOf(schema);
    this.#shape = root;
    this.isPartial = isPartial || mayChangeValues;
  }

  /**
   * Returns the text of an answer, or a list of faults.
   *
   * The platform writes JSON faster than a program could. An answer with exactly the named members is checked once and
   * left to the platform. An answer with other members is copied without them. Any other answer is examined more
   * closely.
   */
  write(answer: unknown): string | readonly AnswerFault[] {
    const text = textOf(this.#shape, answer);
    if (text !== null) return text;
    const fitting = new Fitting();
    const fitted = fitting.fit(this.#shape, answer);
    return fitting.faults.length > 0 ? fitting.faults : JSON.stringify(fitted);
  }
}

/** Marks a value that cannot be written as it is. */
const unwritten = Symbol("unwritten");

function textOf(shape: AnswerShape, answer: unknown): string | null {
  // Members on all objects would be found in each of them, but are never written.
  for (const _ in Object.prototype) return null;
  try {
    const writable = isExact(shape, answer) ? answer : trimmed(shape, answer);
    return writable === unwritten ? null : JSON.stringify(writable);
  } catch {
    // It contains itself, or one of its getters throws: the slow path says so.
    return null;
  }
}

/**
 * Returns whether `JSON.stringify()` writes exactly what the shape of a value names. It may say no for a value that it
 * does write so.
 */
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
      return isWrittenExactly(value);
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

/** Uses `for in`, which reads members of objects of one form several times faster than a list of names. */
function isExactObject(shape: AnswerShape, value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === Object.prototype || prototype === null;
  if (!isPlain && isUnwritable(value)) return false;
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
 * Returns a value of objects and lists without the members that its shape does not name. Returns `unwritten` if that is
 * not enough. An exact value is not copied.
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

/** Takes only plain objects: instances of a class may have getters, which `for in` does not find. */
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
