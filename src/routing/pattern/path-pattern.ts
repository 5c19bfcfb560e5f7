import { isNumbered, isOpenEnded, type PathParam, type PathSegment } from "./path-segment.ts";
import { encodeLiteral } from "../percent-encoding.ts";

/** An entry of `paths`, parsed. */
export interface PathPattern {
  /** The pattern as it was written. */
  readonly source: string;
  /** The parts between its slashes, in order. */
  readonly segments: readonly PathSegment[];
  /** The names of all params, in order. */
  readonly names: readonly string[];
  /** Whether the pattern was written with a trailing slash. True for the root `/`. */
  readonly hasTrailingSlash: boolean;
  /** Whether the pattern ends in an expression or rest, which see the path as it is, trailing slash included. */
  readonly isOpen: boolean;
}

/**
 * An entry of `paths` is not a path pattern. The message says where, why, and how to write it instead.
 *
 * The message shows the pattern with a caret under the column of the fault.
 *
 * @example
 * ```ts
 * class Books extends Resource {
 *   paths = ["/books/:"];
 * }
 * try {
 *   Application.builder().resources(Books).build();
 * } catch (error) {
 *   const { pattern, index } = error as PathPatternError;
 *   console.log(pattern, index); // /books/: 7
 * }
 * ```
 */
export class PathPatternError extends SyntaxError {
  /** The pattern as it was written. */
  declare readonly pattern: string;
  /** The place of the fault in the pattern, counted from 0. */
  declare readonly index: number;

  constructor(reason: string, pattern: string, index: number, owner?: string) {
    const shownFrom = Math.max(0, index - 40);
    const shown = pattern.slice(shownFrom, shownFrom + 80).replace(/[^ -~\xa0-\uffff]/g, " ");
    const of = owner === undefined ? "" : ` of ${owner}`;
    // An empty pattern has no place to show.
    const caret = pattern === "" ? "" : `\n  ${shown}\n  ${" ".repeat(index - shownFrom)}^`;
    super(`Cannot parse path pattern${of}: ${reason}${caret}`);
    this.name = "PathPatternError";
    this.pattern = pattern;
    this.index = index;
  }
}

/**
 * Parses an entry of `paths`.
 * @param owner the name of the resource class, for messages.
 * @throws {PathPatternError} when the entry is not a path pattern.
 */
export function parsePathPattern(source: string, owner?: string): PathPattern {
  return new Parser(source, owner).parse();
}

class Parser {
  readonly #source: string;
  readonly #owner: string | undefined;
  readonly #names = new Set<string>();
  #at = 0;
  #unnamed = 0;

  constructor(source: string, owner: string | undefined) {
    this.#source = source;
    this.#owner = owner;
  }

  parse(): PathPattern {
    const source = this.#source;
    if (!source.startsWith("/")) {
      const url = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^?#]*)/i.exec(source);
      if (url !== null)
        this.#refuse(`a path pattern has no scheme and no host; write ${JSON.stringify(cut(url[1] || "/"))}`);
      if (source === "") this.#refuse('an empty string matches nothing; write "/" for the root');
      this.#refuse(`no leading slash; write ${JSON.stringify("/" + cut(source))}`);
    }
    const segments: PathSegment[] = [];
    const hasTrailingSlash = source.endsWith("/");
    while (this.#at < source.length - 1) {
      const from = ++this.#at;
      const before = segments.at(-1);
      const segment = this.#segment(from);
      if (before?.isOptional && (!segment.isOptional || segment.kind === "rest")) {
        this.#refuse(
          `${described(segment)} follows optional param "${cut(before.source)}"; write optional params last, or two ` +
            "patterns",
          from,
        );
      }
      if (segment.kind === "static" && dots.test(segment.pieces[0] as string)) {
        this.#refuse("a dot segment is resolved before matching and never matches", from);
      }
      if (segment.kind === "rest") this.#checkRest(segment, segments, from);
      segments.push(segment);
    }
    const isOpen = !hasTrailingSlash && isOpenEnded(segments.at(-1)!);
    return { source, segments, names: [...this.#names], hasTrailingSlash, isOpen };
  }

  /**
   * Refuses a rest whose end nobody could tell. Two of them before the last segment would also cost quadratic time,
   * because the engine tries each end of the first with each end of the second.
   */
  #checkRest(rest: PathSegment, before: readonly PathSegment[], from: number): void {
    const source = this.#source;
    const text = cut(rest.source);
    const isLast = this.#at >= source.length;
    const other = before.find(({ kind }) => kind === "rest");
    if (!isLast && (rest.isOptional || this.#at === source.length - 1)) {
      const name = text.slice(0, -1);
      const instead = this.#at === source.length - 1 ? "leave out the slash" : `write "${name || ":name"}+"`;
      this.#refuse(`rest "${text}" must be last; ${instead}`, Math.min(this.#at + 1, source.length - 1));
    }
    if (other !== undefined && (!isLast || before.at(-1) === other)) {
      const why = isLast ? "so that nothing ends the first" : "and a pattern has one before its end";
      this.#refuse(`rest "${text}" follows rest "${cut(other.source)}", ${why}; write ":name" for one segment`, from);
    }
  }

  /** Reads up to the next slash that is not inside an expression. */
  #segment(from: number): PathSegment {
    const pieces: (string | PathParam)[] = [];
    let marker = "";
    for (;;) {
      const text = this.#read(literalText);
      if (text !== "") pieces.push(encodeLiteral(text.replace(/\\([^])/g, "$1")));
      if (this.#endsSegment()) break;
      const at = this.#at;
      const before = pieces.at(-1);
      const param = this.#param(from);
      if (typeof before === "object" && !(isNumbered(before) && isNumbered(param))) {
        this.#refuse('two params with nothing between them; separate them by literal text, as in "/:a-:b"', at);
      }
      pieces.push(param);
      marker = this.#marker(at === from, param);
    }
    if (pieces.length === 0) pieces.push("");
    const isOptional = marker === "?" || marker === "*";
    const kind = marker === "+" || marker === "*" ? "rest" : kindOf(pieces);
    return { kind, pieces, isOptional, source: this.#source.slice(from, this.#at) };
  }

  #param(from: number): PathParam {
    const source = this.#source;
    const at = this.#at;
    const character = source.charAt(at);
    let name: string;
    if (character === ":") {
      this.#at++;
      name =
        this.#read(asciiName) || this.#read((anyName ??= new RegExp("[\\p{IDS}$_][\\p{IDC}$\\u200c\\u200d]*", "uy")));
      if (name === "") this.#refuse('":" without a name; write "\\\\:" for the character', at);
      if (this.#names.has(name)) this.#refuse(`duplicate name "${cut(name)}"`, at);
    } else if (character === "(" || (character === "*" && at === from && this.#endsSegment(at + 1))) {
      // The marker `*` of a rest is still to be read.
      name = String(this.#unnamed++);
    } else {
      this.#refuse(misplaced[character === "\\" ? source.charAt(at + 1) : character]!, at);
    }
    this.#names.add(name);
    return { name, expression: source.charAt(this.#at) === "(" ? this.#expression(character === ":") : null };
  }

  /**
   * Reads an expression, up to the parenthesis that balances the first. Skips escapes and character classes, as the
   * engine does. Refuses back references: they would count the groups of the whole pattern, not the groups that the
   * user wrote. Refuses assertions of an end in the constraint of a param: they have no effect there, and a reader may
   * take them for needed.
   */
  #expression(isConstraint: boolean): string {
    const source = this.#source;
    let depth = 0;
    lexeme.lastIndex = this.#at;
    for (const found of source.matchAll(lexeme)) {
      const [part, reference] = found;
      if (reference) this.#refuse("back references cannot be used; write the alternatives out", found.index);
      if (isConstraint && (part === "^" || part === "$")) {
        this.#refuse(
          `the constraint of a param is anchored already; leave out "${part}", or write "\\\\${part}" for the ` +
            "character",
          found.index,
        );
      }
      if (part.startsWith("(")) depth++;
      if (part === ")" && --depth === 0) {
        const expression = source.slice(this.#at + 1, found.index);
        if (expression === "") this.#refuse('invalid expression: it is empty; write "\\\\(\\\\)" for the characters');
        if (expression.startsWith("?")) {
          this.#refuse(
            `invalid expression: write ${JSON.stringify(`((${cut(expression)}))`)}, a group inside the parentheses`,
          );
        }
        try {
          // oxlint-disable-next-line no-new -- only whether it compiles is of interest
          new RegExp(expression);
        } catch (error) {
          const reason = (error as Error).message.replace(/^Invalid regular expression: (?:\/.*\/: )?/s, "");
          this.#refuse(`invalid expression: ${reason}`);
        }
        this.#at = found.index + 1;
        return expression;
      }
    }
    this.#refuse('unbalanced parenthesis; write "\\\\(" for the character');
  }

  /** Reads the `?`, `+` or `*` after a param. */
  #marker(isFirst: boolean, param: PathParam): string {
    const at = this.#at;
    const marker = this.#read(markers);
    if (marker === "") return marker;
    if (isNumbered(param) && param.expression !== null) this.#refuse(`"${marker}" belongs inside the parentheses`, at);
    if (!isFirst || !this.#endsSegment()) {
      const means = marker === "?" ? "an optional param" : "a rest param";
      this.#refuse(`"${marker}" marks ${means}, which fills its segment; write "\\\\${marker}" for the character`, at);
    }
    if (marker !== "?" && param.expression !== null) {
      this.#refuse(`a rest param takes no expression; write ${JSON.stringify(`(${cut(param.expression)})`)} alone`, at);
    }
    return marker;
  }

  #endsSegment(at: number = this.#at): boolean {
    return at >= this.#source.length || this.#source[at] === "/";
  }

  /** Reads the text that a sticky expression matches, if it matches. */
  #read(expression: RegExp): string {
    expression.lastIndex = this.#at;
    const [text = ""] = expression.exec(this.#source) ?? [];
    this.#at += text.length;
    return text;
  }

  #refuse(reason: string, at: number = this.#at): never {
    throw new PathPatternError(reason, this.#source, at, this.#owner);
  }
}

const literalText = /(?:[^/\\:()*?#{}]|\\[^/])*/uy;
/** Finds parentheses and assertions of an expression, the tokens that hold them, and back references. */
const lexeme = /\\(?:([1-9]|k<)|[^])|\[(?:\\[^]|[^\\\]])*|\(\?<[$\w]+|[()^$]/g;
const dots = /^\.\.?$/;
const markers = /[?+*]?/y;
const asciiName = /[a-z$_][\w$]*(?![\w$]|[^ -~])/iy;
/**
 * Returns the expression for identifiers of JavaScript. Made on first use, as the classes of Unicode cost V8 a
 * millisecond even in an expression that is never tried.
 */
let anyName: RegExp | undefined;

/** Explains a special character, or one that seems special, at a place where it means nothing. */
const misplaced: Readonly<Record<string, string>> = {
  "?": 'a path holds no query; write an optional param "/:name?", or "\\\\?" for the character',
  "#": 'a path holds no fragment; write "\\\\#" for the character',
  "{":
    'groups do not exist; write ":name" or ":name([0-9]+)" for a param, "/:name?" for an optional one, or ' +
    '"\\\\{" for the character',
  "}":
    'groups do not exist; write ":name" or ":name([0-9]+)" for a param, "/:name?" for an optional one, or ' +
    '"\\\\}" for the character',
  "*": '"*" must fill the last segment; write "(.*)" for any text, or "\\\\*" for the character',
  ")": 'unbalanced parenthesis; write "\\\\)" for the character',
  // The end of the pattern, after a backslash.
  "": 'nothing follows the backslash; write "\\\\\\\\" for the character',
  "/": 'a slash always separates segments; write "%2F" for an encoded one',
};

function kindOf(pieces: readonly (string | PathParam)[]): PathSegment["kind"] {
  if (pieces.some(isNumbered)) return "expression";
  if (pieces.length > 1) return "affixed";
  const [only] = pieces;
  if (typeof only !== "object") return "static";
  return only.expression === null ? "param" : "constrained";
}

/** Names a segment that must not follow an optional param. */
function described({ kind, source }: PathSegment): string {
  const name =
    kind === "static" ? "static segment" : kind === "rest" || kind === "expression" ? kind : "required param";
  return `${name} "${cut(source)}"`;
}

function cut(text: string): string {
  return text.slice(0, 80);
}
