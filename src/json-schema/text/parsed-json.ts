import { utf8Text } from "../../http/message/utf8-text.ts";
import { refusal, type HTTPError } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";

/**
 * Reads JSON content (RFC 8259).
 *
 * Members that could reach a prototype, once a program copies them, are refused: `__proto__`, and `prototype` in
 * `constructor`. So are two members with one name (RFC 7493 §2.3): a proxy that checks the content may take the first,
 * where `JSON.parse()` takes the last. So are strings with half of a surrogate pair (§2.1), which neither a database
 * nor UTF-8 can hold. So is a byte order mark: nobody may send one (§8.1), and not all parsers ignore it.
 *
 * So are numbers that would be other ones here (§2.2): integers that lose digits, and `1e400`, which becomes infinite.
 *
 * @throws {HTTPError} 400 when the content is not UTF-8, is not JSON, has such a mark, member, string or number, or is
 * nested more than 512 times. 413 when its objects and lists have more members than that.
 */
export function parseJsonContent(content: Uint8Array | string, maxMembers: number = defaultMaxMembers): unknown {
  const text = typeof content === "string" ? content : utf8Text(content, "The content");
  if (text[0] === "\ufeff") throw refused("The content begins with a byte order mark");
  if (text.length > deepest && mayBeDeep(text) && depthOf(text) > deepest)
    throw refused(`The content is nested more than ${deepest} times`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // No cause: the message of a SyntaxError quotes what was sent.
    throw refused("The content is not JSON");
  }
  // A member takes two characters at least.
  if (text.length > 2 * maxMembers && hasMoreMembers(value, maxMembers)) throw tooManyMembers(maxMembers);
  if (typeof value === "object" && hasRepeatedName(text, value)) {
    throw refused("The content has two members with one name");
  }
  if (hasHalfPair(text)) throw refused("The content has a string with half of a surrogate pair");
  if (mayBeInexact.test(text) && hasInexactNumber(text)) {
    throw refused("The content has an integer that would lose digits, or a number that is not finite");
  }
  return value;
}

/** How many members content may have, unless it is declared: a schema takes microseconds and 2 kB for each. */
export const defaultMaxMembers = 100_000;

export function tooManyMembers(maxMembers: number): HTTPError {
  return refusal(Status.ContentTooLarge, `The content has more than ${maxMembers} members`);
}

/** Returns whether the lists and objects of a value have more members. It looks at no more than that. */
function hasMoreMembers(value: unknown, most: number): boolean {
  const open: unknown[] = [value];
  let count = 0;
  while (open.length > 0) {
    const at = open.pop();
    if (typeof at !== "object" || at === null) continue;
    const inside: unknown[] = Array.isArray(at) ? at : Object.values(at);
    count += inside.length;
    if (count > most) return true;
    for (const inner of inside) open.push(inner);
  }
  return false;
}

/** PERF: with `{15}` for fifteen digits, Node takes 4 times as long (`node bench/requests/kernel-less.js`, R2). */
const mayBeInexact = /\d(?:\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d|[eE]\+?\d\d\d)/;

/**
 * Returns whether a text outside of its strings has an integer that loses digits, or a number that is not finite. What
 * `JSON.stringify()` writes of a large number has the digits that it needs.
 */
function hasInexactNumber(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code >= zero && code <= nine) {
      let end = at + 1;
      while (isOfNumber(text.charCodeAt(end))) end++;
      const number = text.slice(at, end);
      const value = Number(number);
      if (value === Number.POSITIVE_INFINITY || (!/[.eE]/.test(number) && String(value) !== number)) return true;
      at = end;
    }
  }
  return false;
}

/** Digits, a point, an exponent and its sign. */
function isOfNumber(code: number): boolean {
  return (code >= zero && code <= nine) || code === 0x2e || (code | 0x20) === 0x65 || code === 0x2b || code === 0x2d;
}

const deepest = 512;

function refused(message: string): HTTPError {
  return refusal(Status.BadRequest, message);
}

/**
 * Returns whether brackets may be nested more than 512 times: validators call themselves for each level, and would
 * exhaust the stack. Content with at most 512 brackets, which is nearly all, is not read by character.
 */
function mayBeDeep(text: string): boolean {
  let opened = 0;
  for (const bracket of ["{", "["]) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1))
      if (++opened > deepest) return true;
  }
  return false;
}

/** How deep brackets outside of strings are nested, but not more than one level too deep. */
function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === openBrace || code === openBracket) {
      if (++depth > most) most = depth;
      if (most > deepest) return most;
    } else if (code === closeBrace || code === closeBracket) depth--;
  }
  return most;
}

/** Where a string ends that begins at a quote; the end of the text, if it does not. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === backslash) at++;
    else if (code === quote) return at;
  }
  return text.length;
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const colon = 0x3a;
const space = 0x20;
const zero = 0x30;
const nine = 0x39;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/**
 * Returns whether the text has more members than the value that was read from it: of members with one name, one is
 * left. A search finds colons faster than a loop over characters, unless strings are full of them.
 */
function hasRepeatedName(text: string, value: unknown): boolean {
  const names = namesIn(value);
  return mayHaveMore(text, names) && membersIn(text) > names;
}

/**
 * Returns whether a text may have more than `names` members. The colon of a member comes after a quote or white space.
 * If too many colons are in strings, nothing is known.
 */
function mayHaveMore(text: string, names: number): boolean {
  let count = 0;
  let left = 2 * names + 64;
  for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1)) {
    const before = text.charCodeAt(at - 1);
    if (before === quote || before <= space) count++;
    if (count > names || --left < 0) return true;
  }
  return false;
}

/**
 * How many members all objects have in a value, which is not nested deep.
 * PERF: a third of what lists of values take, and names need not be looked for in the text (`node bench/requests.js
 * --measure=sockets --runtime=bun`, R2).
 * @throws {HTTPError} 400 for a member that could reach a prototype.
 */
function namesIn(value: unknown): number {
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) if (typeof item === "object") count += namesIn(item);
    return count;
  }
  for (const name in value as Record<string, unknown>) {
    if (!Object.hasOwn(value as object, name)) continue;
    if (name === "__proto__") throw refused("The content has a member named __proto__");
    const inner = (value as Record<string, unknown>)[name];
    count++;
    if (typeof inner !== "object" || inner === null) continue;
    if (name === "constructor" && Object.hasOwn(inner, "prototype")) {
      throw refused("The content has a member named prototype in one named constructor");
    }
    count += namesIn(inner);
  }
  return count;
}

/** How many members a text has: colons outside of strings. */
function membersIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === colon) count++;
  }
  return count;
}

/** Returns whether a string has half of a surrogate pair, written as it is or by an escape. */
function hasHalfPair(text: string): boolean {
  if (!text.isWellFormed()) return true;
  if (!text.includes("\\") || !mayHaveHalf.test(text)) return false;
  // Other escapes become a space: without anything between them, two halves would be a pair.
  const written = text.replace(escapes, (_, digits?: string) =>
    digits === undefined ? " " : String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return !written.isWellFormed();
}

const mayHaveHalf = /\\ud[89a-f]/i;
const escapes = /\\(?:u([\da-f]{4})|[^u])/gi;
