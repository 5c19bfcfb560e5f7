import { given } from "../http/given.ts";
import { lightField, type LightRequest } from "../http/light-request.ts";

/**
 * The value of a header field of the request, several lines joined by commas; null when there is none.
 *
 * Reads `input.headers` of the native chain, and `input.request.headers` of the polyfill chain: those of Node, or `Headers`.
 */
export function requestField(input: object, name: string): string | null {
  // PERF: to make `Headers` takes 2 us, and a line asks for some fields of each request (`bench/requests`, R1).
  const light = (input as Partial<LightRequest>)[lightField];
  if (light !== undefined) return light.call(input as LightRequest, name);
  const fields = carriedBy(input);
  if (fields === null) return null;
  // Of the pseudo fields of HTTP/2, which Node's have among them, `Headers` cannot even be asked.
  if (typeof (fields as Headers).get === "function") return name.startsWith(":") ? null : (fields as Headers).get(name);
  // Node's are in lower case, and an object that may have a prototype.
  const key = name.toLowerCase();
  return Object.hasOwn(fields, key) ? joined((fields as Record<string, unknown>)[key]) : null;
}

/** The header fields of a request, whatever holds them. */
export interface RequestFields extends Iterable<[string, string]> {
  get(name: string): string | null;
}

/** The header fields of the request; those of Node are read as `Headers` are. */
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
  const fields = given(sources, "headers") ?? given(sources, "request")?.headers;
  return typeof fields === "object" ? fields : null;
}

function joined(value: unknown): string | null {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.join(", ") : null;
}

/** Whether the connection is encrypted that Node's request in a context came by; `undefined` where there is none to ask. */
export function isEncrypted(input: object): boolean | undefined {
  const socket = given(input as { request?: { socket?: { encrypted?: unknown } } }, "request")?.socket;
  return socket === undefined ? undefined : given(socket, "encrypted") === true;
}
