import { described } from "../http/javascript/described.ts";
import { formatQuotedString } from "./quoted-string.ts";
import { isToken } from "./token.ts";

/**
 * Writes a challenge, the value of `WWW-Authenticate` (RFC 9110 §11.6.1). Values are written as quoted strings, which
 * all clients read; parameters that are undefined are left out.
 * @throws {TypeError} when the scheme or a name is not a token, or a value cannot be quoted.
 */
export function formatChallenge(scheme: string, parameters: Readonly<Record<string, string | undefined>> = {}): string {
  const wrong = [scheme, ...Object.keys(parameters)].find((name) => !isToken(name));
  if (wrong !== undefined) {
    throw new TypeError(`Cannot write a challenge: ${described(wrong)} is not a token`);
  }
  const written = Object.entries(parameters)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([name, value]) => `${name}=${formatQuotedString(value)}`);
  return written.length === 0 ? scheme : `${scheme} ${written.join(", ")}`;
}
