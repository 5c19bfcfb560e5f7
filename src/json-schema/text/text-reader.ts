import { isBlob, isBytes } from "../../http/javascript/any-realm.ts";
import { parseList } from "../../fields/list.ts";
import { isToken } from "../../fields/token.ts";
import { refusal } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import type { JsonSchema } from "../shape/json-schema.ts";
import { none, textMembersOf, type TextMembers } from "./text-members.ts";
import { isJson, isText, readingOf, Unreadable, type TextReading } from "./text-reading.ts";
import type { TextShape } from "./text-shape.ts";
import { addUrlEncoded, addValue, emptyValues, type TextValues } from "./text-values.ts";

/** The source of texts, as operations name it. A form is content. */
export type TextPart = "path" | "query" | "headers" | "cookies" | "form";

/** The values for a schema, and the members that could not be read. */
export interface ReadTexts {
  /** The values without the members that could not be read: no schema that converts by itself sees them. */
  readonly values: TextValues;
  readonly failures: readonly TextFailure[];
}

/** A member, or an item of one, that could not be read. */
export interface TextFailure {
  readonly path: readonly (string | number)[];
  /** The value that is expected; nothing that was sent. */
  readonly detail: string;
}

/** Fields, such as `Headers`, or cookies with all values of each name, as `parseCookieValues()` reads them. */
export interface NamedTexts extends Iterable<readonly [string, string | readonly string[]]> {
  get(name: string): string | readonly string[] | null | undefined;
}

/**
 * Reads the texts of one part of requests as the types that a JSON Schema names, for the schema to validate.
 *
 * Lists collect repeats. A comma splits nothing but a field that is a list, as repeats of a field are joined by commas
 * (RFC 9110 §5.3). A repeated name that is not a list stays a list, and is a failure. A list without repeats is empty
 * in a query or a form that requires it: no other text says so.
 * Without a JSON Schema everything is a string. A reader is made once. Reading takes no more than the texts.
 */
export class TextReader {
  readonly #members: ReadonlyMap<string, Member>;
  readonly #patterns: readonly (readonly [RegExp, Member])[];
  /** Reads names that are neither declared nor match an expression. Null if they are strings. */
  readonly #others: Member | null;
  readonly #isClosed: boolean;
  readonly #isContent: boolean;
  /**
   * The members that neither a string nor a list of strings can be: objects, and lists of objects or of lists. Forms
   * have them as JSON. Members without a declared name are named by their expression, or `*`.
   */
  readonly objectMembers: readonly string[];

  constructor(schema: JsonSchema | undefined, part: TextPart) {
    const members = schema === undefined ? none : textMembersOf(schema);
    // Only a token can be the name of a field (RFC 9110 §5.1). `Headers` throws for any other name.
    const entries = [...members.shapes].filter(([name]) => part !== "headers" || isToken(name));
    this.#members = new Map(entries.map(([name, shape]) => [name, memberOf(shape, part, members.required.has(name))]));
    this.#patterns = members.patterns.map(([expression, shape]) => [expression, memberOf(shape, part, false)]);
    this.#others = othersOf(members, part);
    this.#isClosed = schema !== undefined;
    this.#isContent = part === "form";
    const all: (readonly [unknown, TextShape])[] = [...entries, ...members.patterns, ["*", members.others]];
    this.objectMembers = all.flatMap(([name, shape]) => (isOfObjects(shape) ? String(name) : []));
  }

  /**
   * Reads the query of a URL, without its question mark, or content that is written like one. All names reach the
   * schema.
   * @throws {HTTPError} 400 for content that is not UTF-8. A query has U+FFFD then, as the URL Standard reads it.
   */
  readUrlEncoded(text: string): ReadTexts {
    const values = emptyValues();
    if (!addUrlEncoded(values, text) && this.#isContent) throw refusal(Status.BadRequest, "The content is not UTF-8");
    return this.#read(values);
  }

  /** Reads path params, or the parts of a form without objects in files. All names reach the schema. */
  readEntries(entries: Iterable<readonly [string, unknown]>): ReadTexts {
    const values = emptyValues();
    for (const [name, value] of entries) addValue(values, name, value);
    return this.#read(values);
  }

  /**
   * Reads the parts of a form. A part for an object may come as a file, as browsers send it, with any type. Then the
   * result is a Promise. An empty file without a name is absent: browsers send one where none was chosen.
   */
  readForm(entries: Iterable<readonly [string, unknown]>): ReadTexts | Promise<ReadTexts> {
    const values = emptyValues();
    for (const [name, value] of entries) {
      const isLeftEmpty = isBlob(value) && !value.size && !(value as File).name;
      if (!isLeftEmpty) addValue(values, name, value);
    }
    const names = Object.keys(values).filter((name) => {
      const member = this.#memberOf(name);
      return member !== null && member.isJson && [values[name]].flat().some((value) => isBlob(value));
    });
    return names.length === 0 ? this.#read(values) : this.#readFiles(values, names);
  }

  /**
   * Reads fields or cookies: only those that the JSON Schema names, with field names in any case. Without a JSON
   * Schema, reads all of them. Of several cookies with one name that is not a list the first counts.
   */
  readNamed(texts: NamedTexts): ReadTexts {
    if (!this.#isClosed) return this.readEntries([...texts].map(([name, text]) => [name, [text].flat()[0]]));
    const values = emptyValues();
    for (const [name, { isSingle, readItem }] of this.#members) {
      const given = texts.get(name) ?? [];
      const all = typeof given === "string" ? (isSingle ? [given] : parseList(given)) : given;
      for (const text of readItem === null ? all.slice(0, 1) : all) addValue(values, name, text);
    }
    return this.#read(values);
  }

  /** Returns whether what has a name may be JSON in a file. */
  takesJson(name: string): boolean {
    return this.#memberOf(name)?.isJson === true;
  }

  async #readFiles(values: TextValues, names: readonly string[]): Promise<ReadTexts> {
    for (const name of names) {
      const value = values[name];
      values[name] = Array.isArray(value) ? await Promise.all(value.map(bytesOf)) : await bytesOf(value);
    }
    return this.#read(values);
  }

  #memberOf(name: string): Member | null {
    const declared = this.#members.get(name);
    if (declared !== undefined) return declared;
    for (const [expression, member] of this.#patterns) if (expression.test(name)) return member;
    return this.#others;
  }

  #read(values: TextValues): ReadTexts {
    const failures: TextFailure[] = [];
    for (const [name, member] of this.#members) {
      if (values[name] !== undefined) readMember(member, name, values, failures);
      else if (member.isEmptyList) values[name] = [];
    }
    if (this.#others !== null || this.#patterns.length > 0) {
      for (const name of Object.keys(values)) {
        const member = this.#members.has(name) ? null : this.#memberOf(name);
        if (member !== null) readMember(member, name, values, failures);
      }
    }
    return { values, failures };
  }
}

interface Member {
  readonly readOne: TextReading;
  /** Null if no list is accepted. */
  readonly readItem: ((at: number) => TextReading) | null;
  /** One text is not a list of one. */
  readonly isSingle: boolean;
  /** Several texts are a failure. */
  readonly isNeverList: boolean;
  readonly isEmptyAbsent: boolean;
  /** No text is an empty list. */
  readonly isEmptyList: boolean;
  /** A value inside may be written as JSON. */
  readonly isJson: boolean;
}

function memberOf(shape: TextShape, part: TextPart, isRequired: boolean): Member {
  const { list } = shape;
  const first = list === null ? [] : list.first.map(readingOf);
  const rest = list === null ? null : readingOf(list.rest);
  // A list in a list has no repeats to collect: it is read as JSON, as objects are.
  const single = { ...shape, list: null };
  const isSingle = list === null || isScalar(shape);
  const isOfText = isSingle ? isText(shape) : [...list.first, list.rest].some(isText);
  const hasRepeats = part === "query" || part === "form";
  return {
    readOne: readingOf(single),
    readItem: rest === null ? null : (at) => first[at] ?? rest,
    isSingle,
    isNeverList: list === null && !shape.isUnknown,
    isEmptyAbsent: hasRepeats && !isRequired && !isOfText,
    isEmptyList: hasRepeats && !isSingle && isRequired && !shape.isObject,
    isJson: isJson(single) || (list !== null && [...list.first, list.rest].some(isJson)),
  };
}

function othersOf({ others }: TextMembers, part: TextPart): Member | null {
  const isPlainText = others.isUnknown && !isScalar({ ...others, isUnknown: false }) && others.list === null;
  return isPlainText ? null : memberOf(others, part, false);
}

/** Reads in place. Removes the values that cannot be read. */
function readMember(member: Member, name: string, values: TextValues, failures: TextFailure[]): void {
  const { readOne, readItem } = member;
  const given = member.isEmptyAbsent ? withoutEmpty(values[name]) : values[name];
  const isList = Array.isArray(given);
  const known = failures.length;
  if (readItem !== null && (isList || !member.isSingle) && given !== undefined) {
    const items: readonly unknown[] = isList ? given : [given];
    values[name] = items.map((item, at) => valueOf(readItem(at), item, [name, at], failures));
  } else values[name] = isList ? given : valueOf(readOne, given, [name], failures);
  if (values[name] === undefined || failures.length > known) delete values[name];
  else if (isList && member.isNeverList) failures.push({ path: [name], detail: "Expected one value, and not several" });
}

/** Returns files as they are. */
function valueOf(read: TextReading, given: unknown, path: TextFailure["path"], failures: TextFailure[]): unknown {
  if (typeof given !== "string" && !isBytes(given)) return given;
  const value = read(given);
  if (value instanceof Unreadable) failures.push({ path, detail: value.detail });
  return value;
}

async function bytesOf(value: unknown): Promise<unknown> {
  return isBlob(value) ? new Uint8Array(await value.arrayBuffer()) : value;
}

/** Returns undefined if nothing is left. If one is left of a list, that is a list of one. */
function withoutEmpty(given: unknown): unknown {
  if (!Array.isArray(given)) return given === "" ? undefined : given;
  const rest = given.filter((item) => item !== "");
  return rest.length > 1 ? rest : rest[0];
}

/**
 * Returns whether one text may be meant, and not only a list. `null` alone is how a library says that a list is
 * optional.
 */
function isScalar({ isUnknown, isString, number, isBoolean, constants }: TextShape): boolean {
  return isUnknown || isString || number !== null || isBoolean || [...constants].some((value) => value !== null);
}

function isOfObjects(shape: TextShape): boolean {
  if (isScalar(shape)) return false;
  if (shape.list === null) return shape.isObject;
  return [...shape.list.first, shape.list.rest].some(
    (item) => !isScalar(item) && (item.isObject || item.list !== null),
  );
}
