import { trimmed } from "../../fields/list.ts";
import { HTTPError } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import { malformed } from "./multipart-reader.ts";

/**
 * Returns the boundary between the parts of a form (RFC 2046 §5.1.1).
 * @param contentType the value of `Content-Type`.
 * @throws {HTTPError} 415 when the content is not `multipart/form-data`, 400 when there is no boundary.
 */
export function boundaryOf(contentType: string | null): string {
  const parameters = formParametersOf(contentType ?? "", "multipart/form-data");
  if (parameters === null) {
    throw new HTTPError(Status.UnsupportedMediaType, "Expected multipart/form-data", {
      headers: { Accept: "multipart/form-data" },
    });
  }
  const boundary = parameters.get("boundary") ?? "";
  if (!/^[\x20-\x7e]{0,69}[\x21-\x7e]$/.test(boundary)) throw malformed();
  return boundary;
}

/**
 * Reads the parameters of a value such as `form-data; name="a"`. Returns null if it begins otherwise. Not by
 * `parseParameters()`: .NET leaves out quotes whatever is in a name, and a backslash that escapes nothing is of a path
 * of Windows.
 * @throws {HTTPError} 400 when they cannot be read, or one is there twice.
 */
export function formParametersOf(value: string, first: string): ReadonlyMap<string, string> | null {
  const start = value.split(";", 1)[0]!;
  if (trimmed(start).toLowerCase() !== first) return null;
  const parameters = new Map<string, string>();
  for (let at = start.length; at < value.length;) {
    parameter.lastIndex = at;
    const found = parameter.exec(value);
    if (found === null) throw malformed();
    at = parameter.lastIndex;
    const [, given, quoted, plain] = found;
    if (given === undefined) continue;
    const name = trimmed(given).toLowerCase();
    // What stands twice would be read as one by us, and as the other by somebody else.
    if (parameters.has(name)) throw malformed();
    parameters.set(name, quoted?.replaceAll(/\\(["\\])/g, "$1") ?? trimmed(plain ?? ""));
  }
  return parameters;
}

// A semicolon, and what stands before the next one: nothing, or a name and a value with quotes or without.
const parameter = /;[ \t]*(?:([^=;" \t][^=;"]*)=[ \t]*(?:"((?:[^"\\]|\\[^])*)"[ \t]*|([^;" \t][^;"]*)?))?(?=;|$)/y;
