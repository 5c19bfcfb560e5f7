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
import type { Fields } from "./fields.ts";
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
  /** Returns what adds fields to the answer of a request that passes. */
  readonly adderOf: (input: Input) => ((fields: Fields) => void) | undefined;
}

export type Refuse<Input> = (input: Input, status: StatusConstant, ...said: Said) => HTTPError;

/** Writes the challenge of a refusal. */
type Challenge<Input> = (input: Input, status: StatusConstant, ...said: Said) => string;

/**
 * What a refusal says: its error, the scopes that lack besides the guard's own, and what is wrong, for the programmer
 * of the client.
 */
type Said = [error?: string, scopes?: readonly string[], description?: string];

const standardScheme = "Bearer";

export function credentialsOf<Input extends object>(options: TokenOptions<Input>): Credentials<Input> {
  const { token, scheme } = options;
  const place = typeof token === "object" ? ownOf(token) : token;
  const challenge = challengeBy(options);
  const refuse: Refuse<Input> = (...refused) =>
    refusal(refused[1], undefined, { "www-authenticate": challenge(...refused) });
  return {
    security: securityOf(place, scheme),
    field: typeof place === "object" ? (place.header ?? "Cookie") : null,
    refuse,
    read: readerOf(place, scheme, refuse),
    adderOf: () => undefined,
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

export function challengeBy<Input extends object>(options: TokenOptions<Input>): Challenge<Input> {
  const { realm = "default", scopes: own = [], scheme = standardScheme, challenge, resourceMetadataURL } = options;
  // RFC 6750 §3: the scheme alone is not a challenge. Something must follow it.
  return (input, status, error, scopes = [], description) => {
    const needed = [...new Set([...own, ...scopes])].join(" ");
    // A path of the client's may hold what no field can: the refusal stays, without it.
    const sent = Object.entries(challenge?.(input) ?? {}).filter(
      ([, value]) => value === undefined || isFieldValue(value),
    );
    const given: Record<string, string | undefined> = ownOf(Object.fromEntries(sent));
    const scope = given["scope"] ?? (status === Status.Forbidden && needed !== "" ? needed : undefined);
    const parameters = { realm, ...given, scope, error, error_description: description };
    return formatChallenge(scheme, { ...parameters, resource_metadata: resourceMetadataURL });
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
    return (input) => tokenIn(input, expected, refuse);
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

/** Returns the scheme of credentials in lower case: it is case-insensitive (RFC 9110 §11.1). */
export function schemeIn(value: string): string {
  const end = value.indexOf(" ");
  return value.slice(0, end === -1 ? undefined : end).toLowerCase();
}

/** @param scheme in lower case. */
export function tokenIn<Input extends object>(input: Input, scheme: string, refuse: Refuse<Input>): string | null {
  const value = requestField(input, "authorization");
  if (value === null) return null;
  // RFC 6750 §3.1: who shows no credentials of this scheme is told of no error.
  if (schemeIn(value) !== scheme) throw refuse(input, Status.Unauthorized);
  const token = parseCredentials(value)?.token68 ?? null;
  if (token === null) throw refuse(input, Status.BadRequest, "invalid_request");
  return token;
}
