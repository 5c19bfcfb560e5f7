/** Finds text of a client in a message, which may hold it if an application composes the message. */
export class Quotes {
  readonly #sent: unknown;
  /** By object, as many messages may be about one, and it may be large: what is in it, and what it has itself. */
  readonly #deep = new Map<unknown, readonly Primitive[]>();
  readonly #direct = new Map<unknown, readonly Primitive[]>();

  constructor(sent: unknown) {
    this.#sent = sent;
  }

  /**
   * Returns whether a text has what was sent at a place, or a string that stands beside it or at the top. Words of the
   * schema do not count: `"number"` may be sent where a number is expected.
   *
   * Case and whitespace around what was sent do not matter: a schema may have changed them before it composed the
   * message. Four characters between quotes count if a string begins with them. A string at the place itself need only
   * have them: parsers quote what is around a fault.
   *
   * @param words returns them in lower case. It is asked only about what was found: most messages hold nothing.
   */
  has(message: string, path: readonly PropertyKey[], words: () => ReadonlySet<string>): boolean {
    const text = message.toLowerCase();
    const at = this.at(path);
    const quoting = text.slice(0, mostQuoted);
    const all = quotationMark.test(quoting) ? quoting.split(quotationMark) : [quoting];
    const pieces = all.filter((piece) => piece.trim().length >= shortestString);
    const isQuoted = (primitive: Primitive): boolean => {
      const whole = String(primitive).toLowerCase();
      const sent = whole.trim();
      return (
        (hasPrimitive(text, sent, typeof primitive === "string") && !words().has(sent)) ||
        pieces.some(
          (piece) => (primitive === at ? whole.includes(piece) : whole.startsWith(piece)) && !words().has(piece),
        )
      );
    };
    const isQuotedString = (primitive: Primitive): boolean => typeof primitive === "string" && isQuoted(primitive);
    const around = this.at(path.slice(0, -1));
    return (
      known(this.#deep, at, 4).some(isQuoted) ||
      known(this.#direct, around, 1).some(isQuotedString) ||
      (around !== this.#sent && known(this.#direct, this.#sent, 1).some(isQuotedString))
    );
  }

  /** Returns what was sent at a place. */
  at(path: readonly PropertyKey[]): unknown {
    let value = this.#sent;
    for (const key of path) {
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
      value = (value as Record<PropertyKey, unknown>)[key];
    }
    return value;
  }
}

// The ellipsis is written as an escape, because engines hold a file with one such character in two bytes for each of
// all.
const quotationMark = /["'`\u2026]/;

/** In characters: no more of a message is sent. */
const mostQuoted = 600;

type Primitive = string | number | bigint;

function known(found: Map<unknown, readonly Primitive[]>, value: unknown, levels: number): readonly Primitive[] {
  let primitives = found.get(value);
  if (primitives === undefined) found.set(value, (primitives = primitivesIn(value, levels)));
  return primitives;
}

/** The first primitives in a value. A client cannot make us search everything that it sent for each message. */
function primitivesIn(value: unknown, levels: number): readonly Primitive[] {
  const found: Primitive[] = [];
  let looks = 0;
  const visit = (inner: unknown, left: number): void => {
    if (looks++ >= mostLooks) return;
    if (typeof inner === "string" || typeof inner === "number" || typeof inner === "bigint") found.push(inner);
    if (typeof inner !== "object" || inner === null || left === 0) return;
    if (Array.isArray(inner)) for (const item of inner.slice(0, mostLooks)) visit(item, left - 1);
    else {
      for (const name in inner) {
        if (looks >= mostLooks) return;
        visit((inner as Record<string, unknown>)[name], left - 1);
      }
    }
  };
  visit(value, levels);
  return found;
}

const mostLooks = 500;

/**
 * Strings of less than four characters count only between quotes, brackets or the like, as all sentences have `a`.
 * Numbers, and short strings with a digit, count only as a whole.
 */
function hasPrimitive(text: string, sent: string, isString: boolean): boolean {
  // The JSON of what was sent is at least as long.
  if (sent.length > text.length || sent === "") return false;
  // PERF: most sent strings are JSON as they are: writing each was 7 % of a refusal
  // (`node bench/requests/kernel-less.js "fingerpost semantics" "R6 422"`).
  const written = isEscapedInJson.test(sent) ? JSON.stringify(sent).slice(1, -1) : sent;
  if (isString && sent.length >= shortestString) return text.includes(sent) || text.includes(written);
  const mark = isString && !/\d/.test(sent) ? markOfShort : markOfWhole;
  return isBetween(text, sent, mark) || (written !== sent && isBetween(text, written, mark));
}

const markOfShort = /[^\w\s.,;-]/;
const markOfWhole = /\W|^$/;

// oxlint-disable-next-line no-control-regex -- JSON has escapes for them
const isEscapedInJson = /["\\\x00-\x1f\ud800-\udfff]/;

const shortestString = 4;

/** Returns whether a text has something between two marks. At its ends there is an empty mark. */
function isBetween(text: string, sent: string, mark: RegExp): boolean {
  for (let at = text.indexOf(sent); at >= 0; at = text.indexOf(sent, at + 1)) {
    const end = at + sent.length;
    if (mark.test(text.slice(Math.max(0, at - 1), at)) && mark.test(text.slice(end, end + 1))) return true;
  }
  return false;
}
