import { parseJsonContent } from "./json-content.ts";
import type { Constant, TextShape } from "./text-shape.ts";

/** Why a text cannot be read as what its JSON Schema names; it holds nothing of the text. */
export class Unreadable {
  /** What is expected in place of the text, as a sentence without its period. */
  readonly detail: string;

  constructor(expected: string) {
    this.detail = `Expected ${expected}`;
  }
}

/** Reads a text, or the bytes of a form's part. */
export type TextReading = (text: string | Uint8Array) => unknown;

/**
 * Makes the function that reads a text as a value of a shape. What it cannot read is `Unreadable`, so that no schema that converts
 * by itself sees it.
 *
 * A text is tried against constants as they are written, then as number or boolean, else it stays a text where one is taken. `null`
 * is read only where no text is taken, as it may well be meant as one. Objects are read as JSON, which only parts of forms have.
 *
 * Where nothing but texts can be meant, all of them pass: the schema knows better what is wrong with one.
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

/** Whether a member of this shape may be a text. */
export function isText({ isString, isUnknown, constants }: TextShape): boolean {
  return isString || isUnknown || [...constants].some((value) => typeof value === "string");
}

/** Whether a member of this shape is read as JSON where nothing else fits: it may be an object or a list, and no text whatever. */
export function isJson({ isObject, list, isString, isUnknown }: TextShape): boolean {
  return (isObject || list !== null) && !isString && !isUnknown;
}

/** Whether all that is known of a member is texts that it may be, or nothing. */
function isOfTexts({ isNull, constants }: TextShape): boolean {
  return !isNull && [...constants].every((value) => typeof value === "string");
}

const asItIs: TextReading = (text) => text;

/** Constants by how they are written. A string is written as it is, and so wins over a number or `true`. */
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

/** An integer that a double cannot hold is refused here, too: it would be another one. */
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

/** Undefined, which no JSON is, for what is not JSON. */
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
