import type { DeclaredSecurity } from "../../dispatch/guarded.ts";
import { parseCredentials } from "../../fields/authorization.ts";
import { parseCookies } from "../../fields/cookie.ts";
import { requestField } from "../../fields/request-fields.ts";
import { isFieldValue } from "../../fields/token.ts";
import { formatChallenge } from "../../fields/www-authenticate.ts";
import { kindOf } from "../../http/javascript/described.ts";
import { ownOf } from "../../http/javascript/property.ts";
import { refusal, type HTTPError } from "../../http/protocol/http-error.ts";
import { Status, type StatusConstant } from "../../http/protocol/status.ts";
import type { TokenOptions } from "./token-options.ts";

/** Where a guard finds tokens, and how it asks for one. */
export interface Credentials<Input> {
  /** As OpenAPI has it. */
  readonly security: DeclaredSecurity;
  /** The field that the token is in; null for one that shared caches know, or that nobody knows. */
  readonly field: string | null;
  readonly refuse: Refuse<Input>;
  /** Reads the token of an input. Null when it has no credentials, and an empty string for an empty token. */
  readonly read: (input: Input) => string | null;
}

/** @param scopes those that lack, besides the guard's own. */
type Refuse<Input> = (input: Input, status: StatusConstant, error?: string, scopes?: readonly string[]) => HTTPError;

const standardScheme = "Bearer";

export function credentialsOf<Input extends object>(options: TokenOptions<Input>): Credentials<Input> {
  const { token, scheme } = options;
  const place = typeof token === "object" ? ownOf(token) : token;
  const refuse = refuserOf(options);
  return {
    security: securityOf(place, scheme),
    field: typeof place === "object" ? (place.header ?? "Cookie") : null,
    refuse,
    read: readerOf(place, scheme, refuse),
  };
}

/**
 * As OpenAPI has it. Where a function reads the token, nothing is known of its place, and there is no scheme: answers
 * are still for one user.
 */
function securityOf(token: TokenOptions<never>["token"], scheme = standardScheme): DeclaredSecurity {
  if (typeof token === "function") return {};
  const name = scheme.toLowerCase();
  if (token === undefined) return { [name]: { type: "http", scheme: name } };
  const [place, key] = token.cookie === undefined ? ["header", token.header] : ["cookie", token.cookie];
  // Components have names of fewer characters than fields and cookies (OpenAPI 3.1 §4.8.7.1).
  return { [key.toLowerCase().replace(/[^\w.-]/g, "-")]: { type: "apiKey", in: place, name: key } };
}

function refuserOf<Input extends object>(options: TokenOptions<Input>): Refuse<Input> {
  const { realm = "default", scopes: own = [], scheme = standardScheme, challenge, resourceMetadata } = options;
  // RFC 6750 §3: the scheme alone is not a challenge. Something must follow it.
  return (input, status, error, scopes = []) => {
    const needed = [...new Set([...own, ...scopes])].join(" ");
    // A path of the client's may hold what no field can: the refusal stays, without it.
    const sent = Object.entries(challenge?.(input) ?? {}).filter(
      ([, value]) => value === undefined || isFieldValue(value),
    );
    const given: Record<string, string | undefined> = ownOf(Object.fromEntries(sent));
    const scope = given["scope"] ?? (status === Status.Forbidden && needed !== "" ? needed : undefined);
    const parameters = { realm, ...given, scope, error, resource_metadata: resourceMetadata };
    return refusal(status, undefined, { "www-authenticate": formatChallenge(scheme, parameters) });
  };
}

/** Reads the token of an input. Null when it has no credentials, and an empty string for an empty token. */
function readerOf<Input extends object>(
  token: TokenOptions<Input>["token"],
  scheme = standardScheme,
  refuse: Refuse<Input>,
): (input: Input) => string | null {
  if (token === undefined) {
    const expected = scheme.toLowerCase();
    return (input) => tokenIn(requestField(input, "authorization"), expected, refuse.bind(null, input));
  }
  if (typeof token === "object") {
    const { header, cookie } = token;
    return header === undefined
      ? (input) => parseCookies(requestField(input, "cookie") ?? "").get(cookie) ?? null
      : (input) => requestField(input, header);
  }
  return (input) => {
    const value: unknown = token(input) ?? null;
    if (value === null || typeof value === "string") return value;
    throw new TypeError(
      `Cannot read the token: expected token() to return a string, null or undefined, got ${kindOf(value)}`,
    );
  };
}

/** @param scheme in lower case. */
function tokenIn(
  value: string | null,
  scheme: string,
  refuse: (status: StatusConstant, error?: string) => HTTPError,
): string | null {
  if (value === null) return null;
  const end = value.indexOf(" ");
  // RFC 6750 §3.1: who shows no credentials of this scheme is told of no error.
  if (value.slice(0, end === -1 ? undefined : end).toLowerCase() !== scheme) {
    throw refuse(Status.Unauthorized);
  }
  const token = parseCredentials(value)?.token68 ?? null;
  if (token === null) throw refuse(Status.BadRequest, "invalid_request");
  return token;
}
