/**
 * The value of a header field of the request, several lines joined by commas; null when there is none.
 *
 * Reads `input.headers` of the native door, and `input.request.headers` of the polyfill door: those of Node, or `Headers`.
 */
export function requestField(input: object, name: string): string | null {
  const { headers, request } = input as { headers?: unknown; request?: { headers?: unknown } };
  const fields = headers ?? request?.headers;
  if (typeof fields !== "object" || fields === null) return null;
  if (typeof (fields as Headers).get === "function") return (fields as Headers).get(name);
  // Node's are in lower case, and an object that may have a prototype.
  const key = name.toLowerCase();
  const value: unknown = Object.hasOwn(fields, key) ? (fields as Record<string, unknown>)[key] : undefined;
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.join(", ") : null;
}
