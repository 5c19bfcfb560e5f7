/**
 * Header fields in a list, with the members of `Headers` by which responses are completed.
 * PERF: `Headers` cost 2 us of 14 on Node before anything is in them (`node bench/requests.js`, R6).
 */
export class FieldList {
  /** Names in lower case, and values, in turn. */
  readonly lines: string[];

  /** @param lines the list to change in place. */
  constructor(lines: string[] = []) {
    this.lines = lines;
  }

  /** Returns the value of a field, of several lines a list. Null if there is none. */
  get(name: string): string | null {
    const { lines } = this;
    const key = lowerCased(name);
    let found: string | null = null;
    for (let at = 0; at < lines.length; at += 2) {
      if (lines[at] === key) found = found === null ? lines[at + 1]! : `${found}, ${lines[at + 1]!}`;
    }
    return found;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  /** @throws {TypeError} when it is not a field, as `Headers` say. */
  set(name: string, value: string): void {
    const [key, text] = checked(name, value);
    this.delete(key);
    this.lines.push(key, text);
  }

  /** @throws {TypeError} when it is not a field, as `Headers` say. */
  append(name: string, value: string): void {
    const [key, text] = checked(name, value);
    // Lines of one name are a list, except `Set-Cookie` (RFC 9110 §5.3). `Headers` do the same.
    const before = key === "set-cookie" ? null : this.get(key);
    if (before === null) this.lines.push(key, text);
    else this.set(key, `${before}, ${text}`);
  }

  delete(name: string): void {
    const { lines } = this;
    const key = lowerCased(name);
    for (let at = lines.length - 2; at >= 0; at -= 2) if (lines[at] === key) lines.splice(at, 2);
  }

  getSetCookie(): string[] {
    return [...this].filter(([name]) => name === "set-cookie").map(([, value]) => value);
  }

  *[Symbol.iterator](): Generator<[name: string, value: string]> {
    const { lines } = this;
    for (let at = 0; at < lines.length; at += 2) yield [lines[at]!, lines[at + 1]!];
  }
}

/** The members that `Headers` and a list of fields have in common. */
export type HeadersOrList = Pick<Headers, "get" | "has" | "set" | "append" | "delete" | "getSetCookie"> &
  Iterable<[string, string]>;

export function pairsOf(lines: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < lines.length; at += 2) pairs.push([lines[at]!, lines[at + 1]!]);
  return pairs;
}

/**
 * Fields as what a platform makes `Headers` of: an object, or pairs where a name is there twice, or is one of all
 * objects. PERF: pairs take 0.1 us more than an object on Bun. Deno sends a response whose only field is its type,
 * named by an object, without `Headers`: 3 us less (`node bench/requests.js --measure=sockets --runtime=deno`, R1).
 */
export function headersInitOf(lines: readonly string[]): Record<string, string> | [string, string][] {
  const fields: Record<string, string> = {};
  for (let at = 0; at < lines.length; at += 2) {
    const name = lines[at]!;
    if (name in fields) return pairsOf(lines);
    fields[name] = lines[at + 1]!;
  }
  return fields;
}

/** Names that were asked for, in lower case. */
const known = new Map<string, string>();

/**
 * PERF: a text that was made anew takes 0.2 us on Bun when it becomes the name of a member, 1 us of 16 in R4 (`node
 * bench/requests.js --measure=sockets --runtime=bun`).
 */
function lowerCased(name: string): string {
  const found = known.get(name);
  if (found !== undefined) return found;
  const key = name.toLowerCase();
  if (known.size < mostKnown) known.set(name, key);
  return key;
}

const mostKnown = 256;

/** Field names and values that no parser has to judge. */
export const fieldName: RegExp = /^[!#$%&'*+\-.^_`|~\w]+$/;
export const fieldValue: RegExp = /^(?![\t ])[\t\x20-\x7e\x80-\xff]*(?<![\t ])$/;

/** Returns a field as it is kept. What is not plain is for the platform to judge: it trims values, or throws. */
function checked(name: string, value: string): [name: string, value: string] {
  if (fieldName.test(name) && typeof value === "string" && fieldValue.test(value)) return [lowerCased(name), value];
  return [...new Headers([[name, value]])][0]!;
}
