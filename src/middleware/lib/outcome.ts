import { saysThatClientLeft } from "../../dispatch/error-response.ts";
import { isError } from "../../http/javascript/any-realm.ts";
import { propertyOf } from "../../http/javascript/property.ts";
import { HTTPError } from "../../http/protocol/http-error.ts";
import { nodeResponseOf } from "./response-fields.ts";

/**
 * Returns the status code that a call ended with: from a `Response`, or from Node's response in a context. Null if
 * there is neither.
 */
export function statusOf(result: unknown, input: object): number | null {
  const response = nodeResponseOf(input) ?? { statusCode: (result as { readonly status?: unknown } | null)?.status };
  return typeof response.statusCode === "number" ? response.statusCode : null;
}

/**
 * Returns the bytes of content that a response declares by `Content-Length` (RFC 9110 §8.6). Null when it declares
 * none.
 */
export function declaredBytesOf(result: unknown, input: object): number | null {
  const response = nodeResponseOf(input);
  const value = response === null ? fieldOf(result, "content-length") : response.getHeader("content-length");
  return /^\d{1,15}$/.test(String(value)) ? Number(value) : null;
}

function fieldOf(result: unknown, name: string): unknown {
  if (typeof result !== "object" || result === null) return null;
  const headers = propertyOf(result as { headers?: Partial<Headers> | null }, "headers") ?? {};
  return typeof propertyOf(headers, "get") === "function" ? (headers as Headers).get(name) : null;
}

/** Returns the status code of the response that is made from an error. Null if the client has left. */
export function errorStatusOf(error: unknown, input: object): number | null {
  if (saysThatClientLeft(error, input)) return null;
  // A status that is not final cannot end a response.
  return error instanceof HTTPError && error.status >= 200 ? error.status : 500;
}

/**
 * Returns why a request failed: the detail that the client reads, or else the name of the error. Messages of other
 * errors may hold anything.
 */
export function reasonOf(error: unknown): string | null {
  if (error instanceof HTTPError && error.status < 500)
    return error.message === error.statusText ? null : error.message.slice(0, 200);
  const cause = error instanceof HTTPError ? (error.cause ?? error) : error;
  return isError(cause) ? String(cause.name) : null;
}

/** Returns the path pattern that an input matched. Null when it matched none. */
export function patternOf(input: object): string | null {
  const { params } = input as { readonly params?: { readonly pattern: string } };
  return params?.pattern ?? null;
}
