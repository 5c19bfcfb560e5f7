import { trimmed } from "./list.ts";
import { parseQuotedString } from "./quoted-string.ts";
import { isToken } from "./token.ts";

/**
 * Reads `name=value`, where the value is a token or a quoted string; the name comes in lower case (RFC 9110 §5.6.6).
 */
export function parseParameter(part: string): [name: string, value: string] | null {
  const equals = part.indexOf("=");
  const name = equals === -1 ? "" : trimmed(part.slice(0, equals));
  if (!isToken(name)) return null;
  const text = trimmed(part.slice(equals + 1));
  const value = isToken(text) ? text : parseQuotedString(text);
  return value === null ? null : [name.toLowerCase(), value];
}

/** Reads several of them; null when one is malformed or stands there twice. */
export function parseParameters(parts: readonly string[]): Map<string, string> | null {
  const parameters = new Map<string, string>();
  for (const part of parts) {
    const parameter = parseParameter(part);
    if (parameter === null || parameters.has(parameter[0])) return null;
    parameters.set(...parameter);
  }
  return parameters;
}
