import { quoted } from "../http/javascript/described.ts";
import { refusal } from "../http/protocol/http-error.ts";
import { badRequest, notFound } from "../http/protocol/status-constant.ts";
import type { PathMatch } from "../routing/index/path-match.ts";
import type { AnyName, ParamNames, RequiredName, Routed } from "../routing/pattern/path-param-names.ts";
import { queryOf } from "../routing/request/target-path.ts";

/**
 * The value of a path pattern, as far as its name is concerned. The class is in `mounted-resource.ts`, which uses
 * params.
 */
interface Mounted {
  readonly mounted: { readonly name: string };
}

/** The values that a request target carries: `input.params`. */
export class Params {
  readonly #match: PathMatch<Mounted>;
  readonly #url: string;
  #query: URLSearchParams | null = null;
  readonly #carried: object | null;

  /** @param carried the exchange that they lead to; null if there is none. */
  constructor(match: PathMatch<Mounted>, url: string, carried: object | null) {
    this.#match = match;
    this.#url = url;
    this.#carried = carried;
  }

  /** Returns the exchange of params. Null for any other value. */
  static carriedBy(params: unknown): object | null {
    return typeof params === "object" && params !== null && #carried in params ? params.#carried : null;
  }

  /** Returns the mounted resource that params lead to. Null for any other value. */
  static mountedOf(params: unknown): Mounted["mounted"] | null {
    return typeof params === "object" && params !== null && #match in params ? params.#match.value.mounted : null;
  }

  /** Names the pattern and the resource of params, in messages. Returns an empty string for any other value. */
  static ownerOf(params: unknown): string {
    if (typeof params !== "object" || params === null || !(#match in params)) return "";
    const { source, value } = params.#match;
    return ` at ${quoted(source)} of ${value.mounted.name}`;
  }

  /** Returns the texts of all path params of params, not decoded. Returns an empty list for any other value. */
  static textsOf(params: unknown): readonly (string | undefined)[] {
    return typeof params === "object" && params !== null && #match in params ? params.#match.texts : [];
  }

  /** The path pattern that matched, as written: a name for logs, metrics and `http.route` that no client chooses. */
  get pattern(): string {
    return this.#match.source;
  }

  /**
   * Returns the value of a path param, percent-decoded once as UTF-8.
   *
   * Returns `undefined` for an optional param that the path does not have, and for a name that the pattern does not
   * have.
   *
   * @throws {HTTPError} 400 when the value is not valid percent-encoded UTF-8.
   */
  pathParam(name: string): string | undefined {
    try {
      return this.#match.param(name);
    } catch {
      throw refusal(badRequest);
    }
  }

  /**
   * Returns the segments of a rest param, such as `:path+`, each percent-decoded once as UTF-8. They can be joined to a
   * file path.
   *
   * An absent param has none, and a param that fills one segment has one. With `"any"` it also returns segments that
   * cannot be joined.
   *
   * @throws {HTTPError} 404 when a segment is empty, `.` or `..`, or holds `/`, `\` or NUL, except with `"any"`.
   * @throws {HTTPError} 400 when a segment is not valid percent-encoded UTF-8.
   */
  segments(name: string, which?: "any"): string[] {
    try {
      const segments = this.#match.param(name, false)?.split("/").map(decodeURIComponent) ?? [];
      if (which === "any" || !segments.some((segment) => /^\.?\.?$|[/\\\0]/.test(segment))) return segments;
    } catch {
      throw refusal(badRequest);
    }
    throw refusal(notFound);
  }

  /**
   * Returns the first value of a query parameter, or `undefined` (`application/x-www-form-urlencoded`, URL standard
   * §5).
   */
  queryParam(name: string): string | undefined {
    return this.queryParams(name).at(0);
  }

  /** Returns all values of a query parameter, in order. Returns an empty array if it is absent. */
  queryParams(name: string): string[] {
    return (this.#query ??= new URLSearchParams(queryOf(this.#url))).getAll(name);
  }
}

/** A `Request` that came in. It has no `params` if no path pattern matched, as with 404. */
export interface ReceivedRequest extends Request {
  /** The values that path and query carry. */
  readonly params?: Params | undefined;
}

/**
 * The params that the paths of a resource class name, if they are written `as const`. Otherwise any name is allowed.
 *
 * @typeParam Prefix the prefixes of the groups around it, if they hold params.
 */
export type ParamsOf<Of extends Routed, Prefix extends string = never> = string extends Of["paths"][number]
  ? Params
  : NamedParams<ParamNames<Of["paths"], Prefix>>;

/** Params whose path params are typed by their names, with `?` after a name that may be absent: `"id" | "page?"`. */
export interface NamedParams<Names extends string> extends Params {
  /**
   * Returns the value of a param that every match has. @throws {HTTPError} 400 when it is not valid percent-encoded
   * UTF-8.
   */
  pathParam(name: RequiredName<Names>): string;
  /**
   * Returns the value of a param that a match may lack. @throws {HTTPError} 400 when it is not valid percent-encoded
   * UTF-8.
   */
  pathParam(name: AnyName<Names>): string | undefined;
  /**
   * Returns the segments of a param: see `Params`. @throws {HTTPError} 400 or 404 when one cannot be decoded or joined.
   */
  segments(name: AnyName<Names>, which?: "any"): string[];
}
