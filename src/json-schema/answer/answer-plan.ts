import { branchOf, hasToJson, otherOf } from "./answer-branch.ts";
import { Fitting, type AnswerFault } from "./answer-fitting.ts";
import { isPrimitive, type AnswerShape, type ListShape, type ObjectShape } from "./answer-shape.ts";
import { answerShapesOf } from "./answer-shape-reading.ts";
import type { JsonSchema } from "../shape/json-schema.ts";
import { isUnwritable, isWrittenExactly } from "./json-value.ts";

/**
 * Writes answers as JSON, by the JSON Schema of their schema's output.
 *
 * Writes only the members that the JSON Schema names, unless it declares `additionalProperties`. Required members must
 * be there, and primitive values must be of their type: numbers must be finite. `toJSON()` is called before anything is
 * compared. So are values that may be anything: a Map does not fit, as JSON has none, and NaN is null there.
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

  /**
   * @param mayChangeValues whether the schema may return another value than it accepts.
   * @param isCut whether its library leaves out members that it does not name.
   */
  constructor(schema: JsonSchema, mayChangeValues = false, isCut = false) {
    const { root, isPartial } = answerShapesOf(schema, isCut);
    this.#shape = root;
    this.isPartial = isPartial || mayChangeValues;
  }

  /**
   * Returns the text of an answer, or a list of faults. The platform writes JSON faster than a program could. An answer
   * with exactly the named members is checked once and left to the platform. An answer with other members is copied
   * without them. Any other answer is examined more closely.
   */
  write(answer: unknown): string | readonly AnswerFault[] {
    const text = textOf(this.#shape, answer);
    if (text !== null) return text;
    const fitting = new Fitting();
    const fitted = fitting.fit(this.#shape, answer);
    return fitting.faults.length > 0 ? fitting.faults : JSON.stringify(fitted);
  }
}

function textOf(shape: AnswerShape, answer: unknown): string | null {
  // Members on all objects would be found in each of them, but are never written.
  for (const _ in Object.prototype) return null;
  try {
    const writable = writableOf(shape, answer);
    return writable === undefined ? null : JSON.stringify(writable);
  } catch {
    // The answer contains itself, or one of its getters throws: the slow path says so.
    return null;
  }
}

/**
 * Returns what `JSON.stringify()` has to be given to write what the shape of a value names: the value itself, or a copy
 * of it without members that the shape does not name. Returns `undefined` if that is not enough, or may not be.
 */
function writableOf(shape: AnswerShape, value: unknown): unknown {
  switch (shape.kind) {
    case "object":
      return writableObject(shape.of, value);
    case "list":
      return writableList(shape.of, value);
    case "any":
      return isWrittenExactly(value) ? value : undefined;
    case "union": {
      const branch = branchOf(shape.of, value);
      return branch === null ? undefined : writableOf(branch, value);
    }
    default:
      return isPrimitive(shape, value) ? value : undefined;
  }
}

/**
 * Returns whether what is written of a value is a copy of it.
 * PERF: values that are no objects are not compared. Bun compiled a function again and again that compares texts,
 * numbers and booleans: 6 us of 35 (`node bench/requests.js --measure=sockets --runtime=bun`, R3).
 */
function isCopy(kept: unknown, value: unknown): boolean {
  return typeof kept === "object" && kept !== value;
}

function writableList({ first, items }: ListShape, value: unknown): unknown {
  if (!Array.isArray(value) || hasToJson(value)) return undefined;
  let list: unknown[] = value;
  for (let at = 0; at < value.length; at++) {
    const item: unknown = value[at];
    const kept = writableOf(at < first.length ? first[at]! : items, item);
    if (kept === undefined) return undefined;
    if (!isCopy(kept, item)) continue;
    if (list === value) list = [...value];
    list[at] = kept;
  }
  return list;
}

/**
 * Uses `for in`, which reads members of objects of one form several times faster than a list of names. Copies only
 * plain objects: instances of a class may have getters, which `for in` does not find.
 */
function writableObject(shape: ObjectShape, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value) || hasToJson(value)) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === Object.prototype || prototype === null;
  if (!isPlain && isUnwritable(value)) return undefined;
  const { members, byName } = shape;
  let copy: Record<string, unknown> | null = null;
  let at = 0;
  let required = 0;
  for (const name in value) {
    if (!isPlain && !Object.hasOwn(value, name)) return undefined;
    const inner = (value as Record<string, unknown>)[name];
    const expected = members[at];
    const isExpected = expected !== undefined && expected.name === name;
    if (isExpected) at++;
    const member = isExpected ? expected : byName.get(name);
    if (inner === undefined) continue;
    const kind = member === undefined ? otherOf(shape, name) : member.shape;
    const kept = kind === null ? null : writableOf(kind, inner);
    if (kept === undefined) return undefined;
    if (kind === null || isCopy(kept, inner)) {
      if (!isPlain) return undefined;
      copy ??= membersBefore(name, value);
    }
    if (copy !== null && kind !== null) copy[name] = kept;
    if (member !== undefined && member.isRequired) required++;
  }
  return required === shape.requiredCount ? (copy ?? value) : undefined;
}

/** Copies the members that come before another. */
function membersBefore(end: string, value: object): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const name in value) {
    if (name === end) break;
    copy[name] = (value as Record<string, unknown>)[name];
  }
  return copy;
}
