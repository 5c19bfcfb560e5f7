import { parseList, trimmed } from "./list.ts";
import { parseParameters } from "./field-parameters.ts";
import { isToken } from "./token.ts";

/** The credentials of a client: the value of `Authorization` (RFC 9110 §11.6.2). */
export interface Credentials {
  /** The scheme, in lower case: it is case-insensitive (RFC 9110 §11.1). */
  readonly scheme: string;
  /** What follows the scheme, if it is one piece, as with Basic and Bearer. */
  readonly token68: string | null;
  /** What follows the scheme, if it is a list of parameters, as with Digest; names are in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

const noParameters: ReadonlyMap<string, string> = new Map();

/** Reads credentials; null when they are malformed (RFC 9110 §11.4). */
export function parseCredentials(value: string): Credentials | null {
  const text = trimmed(value);
  const space = text.indexOf(" ");
  const scheme = space === -1 ? text : text.slice(0, space);
  if (!isToken(scheme)) return null;
  const rest = space === -1 ? "" : trimmed(text.slice(space));
  const token68 = isToken68(rest) ? rest : null;
  const parameters = token68 === null ? parseParameters(parseList(rest)) : noParameters;
  return parameters === null ? null : { scheme: scheme.toLowerCase(), token68, parameters };
}

/** Returns whether a string is a token68: Base64 of either alphabet, or similar (RFC 9110 §11.2). */
export function isToken68(text: string): boolean {
  let end = text.length;
  while (text.charAt(end - 1) === "=") end--;
  return /^[-0-9A-Za-z._~+/]+$/.test(text.slice(0, end));
}

/** A user's name and password, as the scheme Basic has them (RFC 7617 §2). */
export interface BasicCredentials {
  readonly user: string;
  readonly password: string;
}

/**
 * Reads the token68 of the scheme Basic as UTF-8; null when it is malformed. The name ends at the first colon (RFC 7617
 * §2). Control characters are in neither part.
 */
export function parseBasicCredentials(token68: string): BasicCredentials | null {
  const text = utf8OfBase64(token68) ?? "";
  const colon = text.indexOf(":");
  if (colon === -1 || hasControls(text)) return null;
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Returns whether a string has control characters, which neither a name nor a password can have (RFC 7617 §2). */
export function hasControls(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  return /[\x00-\x1f\x7f]/.test(text);
}

function utf8OfBase64(base64: string): string | null {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
