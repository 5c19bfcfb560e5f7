import { propertyOf } from "../http/javascript/property.ts";
import { lightField, type LightRequest } from "../http/message/light-request.ts";

/**
 * Returns the value of a header field of the request, with several lines joined by commas. Returns null when it is
 * absent.
 *
 * Reads `input.headers` of the native chain, and `input.request.headers` of the polyfill chain: the headers of Node, or
 * `Headers`.
 */
export function requestField(input: object, name: string): string | null {
  // PERF: creating `Headers` takes 2 us, and a line reads some fields of each request (`bench/requests`, R1).
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

/** The header fields of a request, in any representation. */
export interface RequestFields extends Iterable<[string, string]> {
  get(name: string): string | null;
}

/** Returns the header fields of the request. Reads the headers of Node as `Headers` are read. */
export function requestFieldsOf(input: object): RequestFields {
  const fields = carriedBy(input) ?? {};
  if (typeof (fields as Headers).get === "function") return fields as Headers;
  return {
    get: (name) => requestField(input, name),
    *[Symbol.iterator]() {
      for (const [name, value] of Object.entries(fields)) {
        const text = joined(value);
        if (text !== null && !name.startsWith(":")) yield [name, text];
      }
    },
  };
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
