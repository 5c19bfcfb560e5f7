import { propertyOf } from "../http/javascript/property.ts";
import { lightField, type LightRequest } from "../http/message/light-request.ts";

/**
 * Returns the value of a header field of the request, with several lines joined by commas. Returns null when it is
 * absent. Reads `input.headers` of the native chain, and `input.request.headers` of the polyfill chain: the headers of
 * Node, or `Headers`.
 */
export function requestField(input: object, name: string): string | null {
  // PERF: creating `Headers` takes 2 us of 38, and the line reads fields of each request
  // (`node bench/requests/kernel-less.js "fingerpost semantics" R1`).
  const light = (input as Partial<LightRequest>)[lightField]?.(name);
  if (light !== undefined) return light;
  const fields = carriedBy(input);
  if (fields === null) return null;
  // `Headers` cannot even be asked for the pseudo fields of HTTP/2, which Node's headers include.
  if (typeof (fields as Headers).get === "function") return name.startsWith(":") ? null : (fields as Headers).get(name);
  // Node's names are in lower case, in an object that may have a prototype.
  const key = name.toLowerCase();
  return Object.hasOwn(fields, key) ? joined((fields as Record<string, unknown>)[key]) : null;
}

/** The header fields of one request, in any representation. Each is read when it is asked for. */
export class RequestFields implements Iterable<[string, string]> {
  readonly #input: object;

  constructor(input: object) {
    this.#input = input;
  }

  /** Returns the value of a field; null when it is absent. */
  get(name: string): string | null {
    return requestField(this.#input, name);
  }

  *[Symbol.iterator](): Generator<[string, string]> {
    const fields = carriedBy(this.#input) ?? {};
    const entries = typeof (fields as Headers).get === "function" ? (fields as Headers) : Object.entries(fields);
    for (const [name, value] of entries) {
      const text = joined(value);
      if (text !== null && !name.startsWith(":")) yield [name, text];
    }
  }
}

function carriedBy(input: object): object | null {
  const sources = input as { headers?: unknown; request?: { headers?: unknown } };
  const fields = propertyOf(sources, "headers") ?? propertyOf(sources, "request")?.headers;
  return typeof fields === "object" ? fields : null;
}

function joined(value: unknown): string | null {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.join(", ") : null;
}

/**
 * Returns whether the connection of Node's request in a context is encrypted. Returns `undefined` if there is no
 * connection to ask.
 */
export function isEncrypted(input: object): boolean | undefined {
  const socket = propertyOf(input as { request?: { socket?: { encrypted?: unknown } } }, "request")?.socket;
  return socket === undefined ? undefined : propertyOf(socket, "encrypted") === true;
}
