import type { Middleware } from "../core/middleware.ts";
import { addVary } from "../fields/vary.ts";
import { described } from "../http/described.ts";
import type { StatusConstant } from "../http/status.ts";

/** The header fields of a response, as `Headers` has them, whatever holds them. */
export interface Fields extends Pick<Headers, "get" | "set" | "append" | "delete"> {
  /** Gives a field a value, unless something nearer to the resource has given it one. */
  offer(name: string, value: string): void;
  /** Adds field names to `Vary` (RFC 9110 §12.5.5). */
  vary(...names: readonly string[]): void;
}

/** What is needed of Node's response, which the contexts of the polyfill door carry. */
export interface NodeResponse {
  statusCode: number;
  getHeader(name: string): number | string | readonly string[] | undefined;
  setHeader(name: string, value: string | readonly string[]): unknown;
  appendHeader(name: string, value: string): unknown;
  removeHeader(name: string): unknown;
  end(): unknown;
}

/**
 * Passes an input on, and has a function add fields to the response, be it of a handler or made from an error (C5.7).
 *
 * With the polyfill door, where the response is there from the start, the function is called once, before the handler runs.
 * With the native door it is called for the response of an error that may come, and again for the response that did, so it
 * must do the same each time. What the handler sets itself stays, if the function only offers, appends and varies.
 *
 * @throws {TypeError} when there is no response to add fields to: neither a `Response` from `next()` nor one of Node.
 */
export async function respondWith(
  middleware: Middleware,
  input: object,
  add: (fields: Fields) => void,
): Promise<unknown> {
  const response = nodeResponseOf(input);
  if (response !== null) {
    add(new NodeFields(response));
    return middleware.next(input);
  }
  add(new HeadersFields(middleware.errorFields(input), true));
  return withFields(await middleware.next(input), add);
}

/**
 * Answers an input without passing it on: no content, this status, and the fields that a function adds.
 *
 * Outer middleware sees it as what `next()` returns. Field and status are written to Node's response where there is one.
 */
export function answerWith(input: object, status: StatusConstant, add: (fields: Fields) => void): unknown {
  const response = nodeResponseOf(input);
  if (response === null) {
    const headers = new Headers();
    add(new HeadersFields(headers, false));
    return new Response(null, { ...status, headers });
  }
  add(new NodeFields(response));
  response.statusCode = status.status;
  response.end();
  return response;
}

/**
 * Adds fields to what `next()` gave: to the `Response` itself, or to a copy of one that is immutable or may be shared.
 *
 * @throws {TypeError} when it is no `Response`.
 */
export function withFields(result: unknown, add: (fields: Fields) => void): Response {
  if (!isResponse(result)) {
    throw new TypeError(
      `Cannot add fields to the response: expected a Response from next(), or an input with a response of Node, got ${described(result)}`,
    );
  }
  // RFC 9110 §15.2: not final, and not to be copied.
  if (result.status < 200) return result;
  // Without content, nothing keeps a handler from returning the same object for everyone.
  if (result.body !== null) {
    try {
      add(new HeadersFields(result.headers, false));
      return result;
    } catch {
      // That of Response.redirect() or fetch() is immutable; any other reason will show again below.
    }
  }
  const copy = new Response(result.body, result);
  add(new HeadersFields(copy.headers, false));
  return copy;
}

/** What `next()` gave, as a `Response`, for what only the native door has. @throws {TypeError} when it is none. */
export function responseOf(result: unknown): Response {
  if (isResponse(result)) return result;
  throw new TypeError(`Cannot change the response: expected a Response from next(), got ${described(result)}`);
}

// By what it does, not by its class: a server may bring a light Response of its own.
function isResponse(value: unknown): value is Response {
  if (typeof value !== "object" || value === null) return false;
  const { status, headers, arrayBuffer } = value as Partial<Response>;
  return typeof status === "number" && typeof headers === "object" && typeof arrayBuffer === "function";
}

/** The response of Node that an input of the polyfill door carries; null for other inputs. */
export function nodeResponseOf(input: object): NodeResponse | null {
  const { response } = input as { response?: unknown };
  if (typeof response !== "object" || response === null) return null;
  return typeof (response as Partial<NodeResponse>).setHeader === "function" ? (response as NodeResponse) : null;
}

class HeadersFields implements Fields {
  readonly #headers: Headers;
  readonly #isBefore: boolean;

  /** @param isBefore whether what is nearer to the resource comes later, so that an offer replaces one from further out. */
  constructor(headers: Headers, isBefore: boolean) {
    this.#headers = headers;
    this.#isBefore = isBefore;
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
    if (this.#isBefore || !this.#headers.has(name)) this.#headers.set(name, value);
  }

  vary(...names: readonly string[]): void {
    addVary(this.#headers, ...names);
  }
}

class NodeFields implements Fields {
  readonly #response: NodeResponse;

  constructor(response: NodeResponse) {
    this.#response = response;
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

  vary(...names: readonly string[]): void {
    addVary(this, ...names);
  }
}
