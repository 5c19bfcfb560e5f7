import {
  errors,
  jwtVerify,
  type CryptoKey,
  type JWK,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
} from "jose";
import type { Attribute } from "../application/attribute.ts";
import type { MiddlewareClass } from "../application/middleware.ts";
import type { DeclaredSecurity } from "../dispatch/guarded.ts";
import type { ReceivedRequest } from "../dispatch/params.ts";
import { propertyOf, ownOf } from "../http/javascript/property.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { BoundTokens } from "./lib/bound-tokens.ts";
import { checkBoundTokens, boundTokenOptions, type BoundTokenOptions } from "./lib/bound-token-options.ts";
import { checkAlgorithms, checkKey } from "./lib/jwt-key.ts";
import { isTrustworthy, publishedKeys } from "./lib/published-keys.ts";
import { credentialsOf } from "./lib/token-credentials.ts";
import { tokenGuard } from "./lib/token-guard.ts";
import { checkTokenOptions, type TokenOptions } from "./lib/token-options.ts";

/** Options of `jwt()`. */
export interface JwtOptions<Input extends object = ReceivedRequest> extends TokenOptions<Input>, BoundTokenOptions {
  /** The algorithms that a token may be signed by: never what the token says of itself. */
  readonly algorithms: readonly string[];
  /** Who must have issued the token: its claim `iss`. */
  readonly issuer: string | readonly string[];
  /** For whom the token must be: one of these in its claim `aud`. */
  readonly audience: string | readonly string[];
  /** The key that verifies signatures, or a function of `jose` that finds it, such as `createLocalJWKSet(keys)`. */
  readonly key?: CryptoKey | JWK | Uint8Array | JWTVerifyGetKey | undefined;
  /**
   * Where the issuer publishes its keys (RFC 7517 §5), where no `key` is given: an `https` URL without user name and
   * password.
   */
  readonly jwksURI?: string | URL | undefined;
  /**
   * How many milliseconds the keys of `jwksURI` are used after their ten minutes while the issuer does not answer. A
   * key that the issuer has withdrawn is trusted for so long, if somebody keeps its answers from this server. Default:
   * 3,600,000. 0: not at all.
   */
  readonly staleKeysMs?: number | undefined;
  /** Returns the scopes of a token. Default: the claim `scope`, else `scp`, each a text of names or a list. */
  readonly scopesOf?: ((claims: JWTPayload) => readonly string[]) | undefined;
  /** The required parameter `typ` of the header, such as `at+jwt` (RFC 9068 §2.1). Default: not checked. */
  readonly typ?: string | undefined;
  /** Claims that must be there besides `exp`, `iss` and `aud`. */
  readonly requiredClaims?: readonly string[] | undefined;
  /** How much clocks may differ, in seconds. Default: 0. */
  readonly clockToleranceSeconds?: number | undefined;
  /** How long ago a token may have been issued, in seconds, at least 1: its claim `iat` must then be there. */
  readonly maxTokenAgeSeconds?: number | undefined;
  /** Is set to the claims of the token. */
  readonly identity?: Pick<Attribute<JWTPayload>, "set"> | undefined;
}

const known: readonly (keyof JwtOptions)[] = [
  ...(["algorithms", "issuer", "audience", "key", "jwksURI", "typ", "requiredClaims"] as const),
  ...(["clockToleranceSeconds", "maxTokenAgeSeconds", "identity", "staleKeysMs", "scopesOf"] as const),
  ...(["realm", "scopes", "optional", "scheme", "token", "challenge", "resourceMetadataURL"] as const),
  ...boundTokenOptions,
];

/**
 * Makes a guard that asks for a JSON Web Token (RFC 7519) as bearer token (RFC 6750), verified by `jose`.
 *
 * Signature, algorithm, issuer, audience and expiration are always checked. A token that fails gets 401, one whose
 * claim `scope` lacks something 403. When the keys of the issuer cannot be had, the request fails as by any fault of
 * the server.
 *
 * With `dpop`, each request proves that it comes from the client that the token was issued to (RFC 9449). A token that
 * somebody has stolen, and a request that somebody has recorded, are then worth nothing.
 *
 * @typeParam Input what its functions are given: a `Request`, unless one of them names another, such as `NodeContext`.
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * const guard = jwt({
 *   algorithms: ["ES256"],
 *   issuer: "https://issuer.example",
 *   audience: "https://api.example",
 *   jwksURI: "https://issuer.example/jwks.json",
 * });
 * const group = ResourceGroup.builder().middleware(guard).build();
 * ```
 */
export function jwt<Input extends object = ReceivedRequest>(options: JwtOptions<Input>): MiddlewareClass {
  const check = checked(options);
  const {
    algorithms,
    issuer,
    audience,
    jwksURI,
    staleKeysMs = 3_600_000,
    key = publishedKeys(new URL(jwksURI!), staleKeysMs),
    typ,
    requiredClaims = [],
    clockToleranceSeconds: clockTolerance = 0,
    maxTokenAgeSeconds,
  } = check.options;
  const rules = ownOf({
    algorithms: [...algorithms],
    issuer: listOf(issuer),
    audience: listOf(audience),
    requiredClaims: ["exp", ...requiredClaims],
    clockTolerance,
    ...(typ !== undefined && { typ }),
    ...(maxTokenAgeSeconds !== undefined && { maxTokenAge: maxTokenAgeSeconds }),
  });
  const dpop = check.options.dpop === undefined ? null : new BoundTokens(check, clockTolerance);
  const credentials = dpop?.credentials ?? credentialsOf(check.options);
  const guard = tokenGuard<JWTPayload, Input>(
    ownOf({ ...check.options, scopesOf: check.options.scopesOf ?? scopesIn }),
    async (token, input) => {
      // RFC 7515 §2: no padding. The library takes it, so that one token would have several texts.
      if (token.includes("=")) return null;
      const claims = await claimsOf(token, key, rules);
      return claims === null || dpop === null || (await dpop.isProven(claims, token, input)) ? claims : null;
    },
    credentials,
  );

  return class Jwt extends guard {
    // OpenAPI has the format of a token for this scheme only.
    static readonly security: DeclaredSecurity = Object.fromEntries(
      Object.entries(credentials.security).map(([name, scheme]) => [
        name,
        scheme["scheme"] === "bearer" ? { ...scheme, bearerFormat: "JWT" } : scheme,
      ]),
    );
  };
}

/** Returns the claims of a token; null when it is at fault. */
async function claimsOf(
  token: string,
  key: NonNullable<JwtOptions["key"]>,
  rules: JWTVerifyOptions,
): Promise<JWTPayload | null> {
  try {
    return (await jwtVerify(token, key as JWTVerifyGetKey, rules)).payload;
  } catch (error) {
    if (isOfToken(error)) return null;
    throw error;
  }
}

function checked<Input extends object>(options: JwtOptions<Input>): OptionCheck<JwtOptions<Input>> {
  const check = new OptionCheck("jwt", options, known);
  checkTokenOptions(check);
  const { algorithms, issuer, audience, key, jwksURI, typ, requiredClaims } = check.options;
  const { maxTokenAgeSeconds, staleKeysMs } = check.options;
  check.require(isNames(algorithms), "algorithms", "an array of algorithms, such as RS256");
  checkAlgorithms(check, algorithms);
  check.require(isText(issuer) || isNames(issuer), "issuer", "a string or an array of strings");
  check.require(isText(audience) || isNames(audience), "audience", "a string or an array of strings");
  check.require(requiredClaims === undefined || isNames(requiredClaims), "requiredClaims", "an array of strings");
  check.require(typ === undefined || isText(typ), "typ", "a string");
  check.count("clockToleranceSeconds", "maxTokenAgeSeconds", "staleKeysMs");
  // Up to version 6.2.0 at least, jose takes 0 for no limit.
  check.require(maxTokenAgeSeconds !== 0, "maxTokenAgeSeconds", "at least 1");
  check.attribute("identity");
  check.function("scopesOf");
  check.require(staleKeysMs === undefined || jwksURI !== undefined, "staleKeysMs", 'absent without "jwksURI"');
  check.either("key", "jwksURI");
  const isIssuers = jwksURI === undefined || isTrustworthy(jwksURI);
  check.requireSecret(isIssuers, "jwksURI", "an https URL without a user name and a password");
  if (key !== undefined) checkKey(check, key, algorithms);
  checkBoundTokens(check);
  return check;
}

/** Returns whether the token is at fault, and not the host or the issuer of the keys. */
function isOfToken(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return false;
  return /^ERR_(?:JOSE_ALG_NOT_ALLOWED|JOSE_NOT_SUPPORTED|JWS_|JWT_|JWKS_NO_|JWKS_MULTIPLE_)/.test(error.code);
}

/**
 * RFC 9068 §2.2.3: a claim of names with spaces in between. Other issuers have a list, and some name the claim `scp`.
 */
function scopesIn(payload: JWTPayload): readonly string[] {
  const value = propertyOf(payload, "scope") ?? propertyOf(payload, "scp");
  if (Array.isArray(value)) return value.filter((name): name is string => typeof name === "string");
  return typeof value === "string" ? value.split(" ") : [];
}

function listOf(value: string | readonly string[]): string[] {
  return typeof value === "string" ? [value] : [...value];
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every(isText);
}
