import { HTTPError } from "../../http/http-error.ts";
import { nodeResponseOf } from "./response-fields.ts";

/** The status code that a call ended with: that of a `Response`, or of Node's response in a context; null if neither. */
export function statusOf(result: unknown, input: object): number | null {
  const response = nodeResponseOf(input) ?? { statusCode: (result as { readonly status?: unknown } | null)?.status };
  return typeof response.statusCode === "number" ? response.statusCode : null;
}

/** The status code of the response that is made from an error (C7.3). */
export function errorStatusOf(error: unknown): number {
  // What is not final cannot end a response.
  return error instanceof HTTPError && error.status >= 200 ? error.status : 500;
}

/** The path pattern that an input matched; null when it matched none. */
export function patternOf(input: object): string | null {
  const { params } = input as { readonly params?: { readonly pattern: string } };
  return params?.pattern ?? null;
}
