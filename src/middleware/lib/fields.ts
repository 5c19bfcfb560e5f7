import type { Middleware } from "../../application/middleware.ts";
import { parseList } from "../../fields/list.ts";
import { addVary } from "../../fields/vary.ts";
import type { HeadersOrList } from "../../http/answer/field-list.ts";
import { putOwnLines } from "./own-lines.ts";

/** The header fields of a response, as `Headers` has them, in any representation. */
export interface Fields extends Pick<Headers, "get" | "set" | "delete"> {
  /** Sets the value of a field, unless code nearer to the resource has set one. */
  offer(name: string, value: string): void;
  /** Adds lines to a field, all at once. Replaces the lines that the same middleware added for the same call. */
  add(name: string, ...lines: readonly string[]): void;
  /** Adds field names to `Vary` (RFC 9110 §12.5.5). */
  vary(...names: readonly string[]): void;
}

/** The members of Node's response that are used. The contexts of the polyfill chain carry it. */
export interface NodeResponse {
  statusCode: number;
  getHeader(name: string): number | string | readonly string[] | undefined;
  setHeader(name: string, value: string): unknown;
  appendHeader(name: string, value: string): unknown;
  removeHeader(name: string): unknown;
  end(): unknown;
}

/** The fields of `Headers`, or of a list. */
export class HeadersFields implements Fields {
  readonly #headers: HeadersOrList;
  readonly #middleware: Middleware | null;

  /**
   * @param middleware the middleware that adds fields before the response is there. Code nearer to the resource comes
   * later, so that its offer replaces one from further out. Null if the response is there.
   */
  constructor(headers: HeadersOrList, middleware: Middleware | null) {
    this.#headers = headers;
    this.#middleware = middleware;
  }

  get(name: string): string | null {
    return this.#headers.get(name);
  }

  set(name: string, value: string): void {
    this.#headers.set(name, value);
  }

  append(name: string, value: string): void {
    this.#headers.append(name, value);
  }

  delete(name: string): void {
    this.#headers.delete(name);
  }

  offer(name: string, value: string): void {
    if (this.#middleware !== null || !this.#headers.has(name)) this.#headers.set(name, value);
  }

  add(name: string, ...lines: readonly string[]): void {
    if (this.#middleware !== null) putOwnLines(this, this.#headers, this.#middleware, name, lines);
    else for (const line of lines) this.append(name, line);
  }

  linesOf(name: string): string[] {
    if (name.toLowerCase() === "set-cookie") return this.#headers.getSetCookie();
    return parseList(this.#headers.get(name) ?? "");
  }

  vary(...names: readonly string[]): void {
    addVary(this.#headers, ...names);
  }
}

/** The fields of Node's response, which is there before the handler runs. */
export class NodeFields implements Fields {
  readonly #response: NodeResponse;
  readonly #middleware: Middleware;

  constructor(response: NodeResponse, middleware: Middleware) {
    this.#response = response;
    this.#middleware = middleware;
  }

  get(name: string): string | null {
    const value = this.#response.getHeader(name);
    if (value === undefined) return null;
    return typeof value === "object" ? value.join(", ") : String(value);
  }

  set(name: string, value: string): void {
    this.#response.setHeader(name, value);
  }

  append(name: string, value: string): void {
    this.#response.appendHeader(name, value);
  }

  delete(name: string): void {
    this.#response.removeHeader(name);
  }

  offer(name: string, value: string): void {
    this.set(name, value);
  }

  add(name: string, ...lines: readonly string[]): void {
    putOwnLines(this, this.#response, this.#middleware, name, lines);
  }

  linesOf(name: string): string[] {
    return [this.#response.getHeader(name) ?? []].flat().map(String);
  }

  vary(...names: readonly string[]): void {
    addVary(this, ...names);
  }
}
