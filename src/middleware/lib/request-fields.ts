import { given } from "../../http/given.ts";

/**
 * The value of a header field of the request, several lines joined by commas; null when there is none.
 *
 * Reads `input.headers` of the native chain, and `input.request.headers` of the polyfill chain: those of Node, or `Headers`.
 */
export function requestField(input: object, name: string): string | null {
  const sources = input as { headers?: unknown; request?: { headers?: unknown } };
  const fields = given(sources, "headers") ?? given(sources, "request")?.headers;
  if (typeof fields !== "object" || fields === null) return null;
  // Of the pseudo fields of HTTP/2, which Node's have among them, `Headers` cannot even be asked.
  if (typeof (fields as Headers).get === "function") return name.startsWith(":") ? null : (fields as Headers).get(name);
  // Node's are in lower case, and an object that may have a prototype.
  const key = name.toLowerCase();
  const value: unknown = Object.hasOwn(fields, key) ? (fields as Record<string, unknown>)[key] : undefined;
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.join(", ") : null;
}

/** Whether the connection is encrypted that Node's request in a context came by; `undefined` where there is none to ask. */
export function isEncrypted(input: object): boolean | undefined {
  const socket = given(input as { request?: { socket?: { encrypted?: unknown } } }, "request")?.socket;
  return socket === undefined ? undefined : given(socket, "encrypted") === true;
}
