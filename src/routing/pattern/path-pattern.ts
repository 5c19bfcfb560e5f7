import { scanExpression } from "./expression.ts";
import { misplaced, readName, readText } from "./lexeme.ts";
import { PathPatternError } from "./path-pattern-error.ts";
import { isNumbered, isOpenEnded, type PathParam, type PathSegment } from "./path-segment.ts";
import { encodeLiteral } from "../percent-encoding.ts";

/** An entry of `paths`, parsed. */
export interface PathPattern {
  /** As it was written. */
  readonly source: string;
  /** What stands between its slashes, in order. */
  readonly segments: readonly PathSegment[];
  /** The names of all params, in order. */
  readonly names: readonly string[];
  /** Whether it was written with a slash at the end; true of the root `/`. */
  readonly hasTrailingSlash: boolean;
  /** Whether it ends in an expression or rest, which see the path as it is, trailing slash included (C4.7). */
  readonly isOpen: boolean;
}

/**
 * Parses an entry of `paths` by the grammar of C4.3.
 *
 * @param owner the name of the resource class, for messages.
 * @throws {PathPatternError} when the entry is not a path pattern (C4.4).
 */
export function parsePathPattern(source: unknown, owner?: string): PathPattern {
  if (typeof source !== "string") {
    throw new PathPatternError(`expected a string, got ${source === null ? "null" : typeof source}`, "", 0, owner);
  }
  if (!source.startsWith("/")) throw new PathPatternError(noLeadingSlash(source), source, 0, owner);
  return new Parser(source, owner).parse();
}

function noLeadingSlash(source: string): string {
  if (source === "") return 'an empty string matches nothing; write "/" for the root';
  const url = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^?#]*)/i.exec(source);
  if (url === null) return `no leading slash; write ${JSON.stringify("/" + source.slice(0, 80))}`;
  return `a path pattern has no scheme and no host; write ${JSON.stringify((url[1] || "/").slice(0, 80))}`;
}

class Parser {
  readonly #source: string;
  readonly #owner: string | undefined;
  readonly #names = new Set<string>();
  readonly #segments: PathSegment[] = [];
  #at = 0;
  #unnamed = 0;

  constructor(source: string, owner: string | undefined) {
    this.#source = source;
    this.#owner = owner;
  }

  parse(): PathPattern {
    const source = this.#source;
    let hasTrailingSlash = false;
    while (this.#at < source.length) {
      const from = ++this.#at;
      if (from === source.length) hasTrailingSlash = true;
      else this.#append(this.#segment(from), from);
    }
    const last = this.#segments.at(-1);
    if (hasTrailingSlash && last?.kind === "rest")
      this.#refuse(`rest "${cut(last.source)}" must be last`, source.length - 1);
    const isOpen = !hasTrailingSlash && last !== undefined && isOpenEnded(last);
    return { source, segments: this.#segments, names: [...this.#names], hasTrailingSlash, isOpen };
  }

  #append(segment: PathSegment, from: number): void {
    const before = this.#segments.at(-1);
    if (before?.kind === "rest") this.#refuse(`rest "${cut(before.source)}" must be last`, from);
    if (before?.isOptional && !(segment.isOptional && segment.kind !== "rest")) {
      this.#refuse(`${described(segment)} follows optional param "${cut(before.source)}"`, from);
    }
    if (segment.kind === "static" && /^\.\.?$/.test(segment.pieces[0] as string)) {
      this.#refuse("a dot segment is resolved before matching and never matches", from);
    }
    this.#segments.push(segment);
  }

  /** Reads up to the next slash that is not inside an expression. */
  #segment(from: number): PathSegment {
    const pieces: (string | PathParam)[] = [];
    let literal = "";
    let kind: PathSegment["kind"] = "static";
    let isOptional = false;
    while (!this.#endsSegment(this.#at)) {
      const at = this.#at;
      const character = this.#source[at];
      let param: PathParam;
      if (character === ":") {
        param = this.#param(at);
        if (kind !== "expression") kind = param.expression === null ? "param" : "constrained";
      } else if (character === "(") {
        param = this.#numbered(this.#expression(at));
        kind = "expression";
      } else if (character === "*" && at === from && this.#endsSegment(at + 1)) {
        // Nothing but the marker of a rest.
        param = this.#numbered(null);
      } else {
        literal += character === "\\" ? this.#escaped(at) : this.#text(at);
        continue;
      }
      const before = pieces.at(-1);
      if (literal !== "") pieces.push(encodeLiteral(literal));
      else if (typeof before === "object" && !(isNumbered(before) && isNumbered(param))) {
        this.#refuse("two params with nothing between them; separate them by literal text", at);
      }
      literal = "";
      pieces.push(param);
      const marker = this.#marker(from, at, param);
      if (marker === "+" || marker === "*") kind = "rest";
      isOptional = marker === "?" || marker === "*";
    }
    if (literal !== "" || pieces.length === 0) pieces.push(encodeLiteral(literal));
    if (pieces.length > 1 && kind !== "expression") kind = "affixed";
    return { kind, pieces, isOptional, source: this.#source.slice(from, this.#at) };
  }

  #numbered(expression: string | null): PathParam {
    const name = String(this.#unnamed++);
    this.#names.add(name);
    return { name, expression };
  }

  /** Reads literal text. */
  #text(at: number): string {
    const text = readText(this.#source, at) ?? this.#refuse(misplaced.get(this.#source[at]!)!, at);
    this.#at += text.length;
    return text;
  }

  #endsSegment(at: number): boolean {
    return (this.#source[at] ?? "/") === "/";
  }

  #escaped(at: number): string {
    const [character = ""] = this.#source.slice(at + 1);
    if (character === "") this.#refuse('nothing follows the backslash; write "\\\\\\\\" for the character', at);
    if (character === "/") this.#refuse('a slash always separates segments; write "%2F" for an encoded one', at);
    this.#at += 1 + character.length;
    return character;
  }

  #param(at: number): PathParam {
    const name = readName(this.#source, at + 1);
    if (name === undefined) this.#refuse('":" without a name; write "\\\\:" for the character', at);
    if (this.#names.has(name)) this.#refuse(`duplicate name "${cut(name)}"`, at);
    this.#names.add(name);
    this.#at += 1 + name.length;
    return { name, expression: this.#source[this.#at] === "(" ? this.#expression(this.#at) : null };
  }

  #expression(at: number): string {
    const found = scanExpression(this.#source, at);
    if (found.fault !== null) this.#refuse(found.fault, found.index);
    this.#at = found.end;
    return found.source;
  }

  /** Reads the `?`, `+` or `*` behind a param. */
  #marker(from: number, at: number, param: PathParam): string {
    const marker = this.#source[this.#at];
    if (marker !== "?" && marker !== "+" && marker !== "*") return "";
    if (isNumbered(param) && param.expression !== null) this.#refuse(`"${marker}" belongs inside the parentheses`);
    if (at !== from || !this.#endsSegment(this.#at + 1)) {
      const means = marker === "?" ? "an optional param" : "a rest param";
      this.#refuse(`"${marker}" marks ${means}, which fills its segment; write "\\\\${marker}" for the character`);
    }
    if (marker !== "?" && param.expression !== null) {
      this.#refuse(`a rest param takes no expression; write ${JSON.stringify(`(${cut(param.expression)})`)} alone`);
    }
    this.#at++;
    return marker;
  }

  #refuse(reason: string, at: number = this.#at): never {
    throw new PathPatternError(reason, this.#source, at, this.#owner);
  }
}

/** Names what follows an optional param and must not. */
function described({ kind, source }: PathSegment): string {
  if (kind === "static") return `static segment "${cut(source)}"`;
  if (kind === "rest" || kind === "expression") return `${kind} "${cut(source)}"`;
  return `required param "${cut(source)}"`;
}

function cut(text: string): string {
  return text.slice(0, 80);
}
