import { parseJsonContent } from "./parsed-json.ts";
import type { Constant, TextShape } from "./text-shape.ts";

/** The reason why a text cannot be read as its JSON Schema names it. Holds nothing of the text. */
export class Unreadable {
  /** The expected value instead of the text, as a sentence without its period. */
  readonly detail: string;

  constructor(expected: string) {
    this.detail = `Expected ${expected}`;
  }
}

/** Reads a text, or the bytes of a form's part. */
export type TextReading = (text: string | Uint8Array) => unknown;

/**
 * Makes the function that reads a text as a value of a shape. Text that it cannot read is `Unreadable`, so that no
 * schema that converts by itself sees it.
 *
 * A text is compared with constants as they are written. Then it is read as number or boolean, or else stays a string
 * if one is accepted. `null` is read only if no string is accepted, because it could be meant as one. Objects are read
 * as JSON, which only parts of forms have.
 *
 * If the value can only be a string, every text passes: the schema describes the fault of a string better.
 */
export function readingOf(shape: TextShape): TextReading {
  const takesAll = shape.isString || shape.isUnknown;
  const types = new Set([...shape.constants].map((value) => typeof value));
  const number = shape.number ?? (types.has("number") && !takesAll ? "number" : null);
  const isBoolean = shape.isBoolean || (types.has("boolean") && !takesAll);
  const isMaybeJson = isJson(shape);
  const written = writtenOf(shape);
  if (number === null && !isBoolean && !isMaybeJson && (takesAll ? written.size === 0 : isOfTexts(shape)))
    return asItIs;

  const readNumber = number === null ? null : number === "integer" ? integerOf : numberOf;
  const otherwise = takesAll ? null : new Unreadable(expectationOf(shape, number, isBoolean));
  const isNumberOnly = !isBoolean && !isMaybeJson && shape.constants.size === 0;
  return (text) => {
    if (typeof text !== "string") return isMaybeJson ? (jsonOf(text) ?? otherwise) : text;
    const constant = written.get(text);
    if (constant !== undefined) return constant;
    const value = readNumber === null ? undefined : readNumber(text);
    if (typeof value === "number") return value;
    if (isBoolean && (text === "true" || text === "false")) return text === "true";
    const json = isMaybeJson ? jsonOf(text) : undefined;
    if (json !== undefined) return json;
    return otherwise === null ? text : ((isNumberOnly ? value : undefined) ?? otherwise);
  };
}

export function isText({ isString, isUnknown, constants }: TextShape): boolean {
  return isString || isUnknown || [...constants].some((value) => typeof value === "string");
}

/**
 * Returns whether a member of this shape is read as JSON if nothing else fits. It may be an object or a list, and never
 * a string.
 */
export function isJson({ isObject, list, isString, isUnknown }: TextShape): boolean {
  return (isObject || list !== null) && !isString && !isUnknown;
}

/** Returns whether a member may only be certain strings, or nothing. */
function isOfTexts({ isNull, constants }: TextShape): boolean {
  return !isNull && [...constants].every((value) => typeof value === "string");
}

const asItIs: TextReading = (text) => text;

/** Maps constants by how they are written. A string is written as it is, and so wins over a number or `true`. */
function writtenOf({ isNull, isString, isUnknown, constants }: TextShape): ReadonlyMap<string, Constant> {
  const takesAll = isString || isUnknown;
  const values = [...constants, ...(isNull ? [null] : [])].filter((value) => value !== null || !takesAll);
  const written = new Map<string, Constant>(values.map((value) => [String(value), value]));
  for (const value of values) if (typeof value === "string") written.set(value, value);
  return written;
}

/** RFC 8259 §6. */
const numeral = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const wholeNumeral = /^-?\d+$/;

function integerOf(text: string): number | Unreadable {
  if (!numeral.test(text)) return notInteger;
  const value = Number(text);
  if (Number.isFinite(value) && !Number.isInteger(value)) return notInteger;
  return Number.isSafeInteger(value) ? value : notSafe;
}

/** Refuses an integer that a double cannot hold, too: it would become another one. */
function numberOf(text: string): number | Unreadable {
  if (!numeral.test(text)) return notNumber;
  const value = Number(text);
  if (!Number.isFinite(value)) return notFinite;
  return Number.isSafeInteger(value) || !wholeNumeral.test(text) ? value : notSafe;
}

const notNumber = new Unreadable("a number");
const notInteger = new Unreadable("an integer");
const notFinite = new Unreadable("a number within the range of a double");
const notSafe = new Unreadable(`an integer from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`);

/** Returns undefined, which no JSON is, for content that is not JSON. */
function jsonOf(content: string | Uint8Array): unknown {
  try {
    return parseJsonContent(content);
  } catch {
    return undefined;
  }
}

function expectationOf(shape: TextShape, number: TextShape["number"], isBoolean: boolean): string {
  const texts = [...shape.constants].flatMap((value) => (typeof value === "string" ? [JSON.stringify(value)] : []));
  const expected = texts.join("").length > longestList ? ["one of the declared texts"] : texts;
  if (number !== null) expected.push(number === "integer" ? "an integer" : "a number");
  if (isBoolean) expected.push("true or false");
  if (isJson(shape)) expected.push("JSON");
  if (expected.length === 0) expected.push("null");
  return expected.join(", or ");
}

/** In characters: an error does not repeat the schema. */
const longestList = 100;
