import type { Attribute } from "../application/attribute.ts";
import { Middleware, passing, type MiddlewareClass } from "../application/middleware.ts";
import type { DeclaredSecurity } from "../dispatch/guarded.ts";
import type { ReceivedRequest } from "../dispatch/params.ts";
import { isToken68, parseCredentials } from "../fields/authorization.ts";
import { parseCookies } from "../fields/cookie.ts";
import { isFieldValue } from "../fields/token.ts";
import { formatChallenge } from "../fields/www-authenticate.ts";
import { described, kindOf } from "../http/javascript/described.ts";
import { refusal, type HTTPError } from "../http/protocol/http-error.ts";
import { ownOf } from "../http/javascript/property.ts";
import { after } from "../http/javascript/thenable.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { Status, type StatusConstant } from "../http/protocol/status.ts";
import { requestField } from "../fields/request-fields.ts";
import { answerWithFields, nextOf } from "./lib/response-fields.ts";
import { Secrets } from "./lib/secrets.ts";
import { checkTokenOptions, type TokenOptions } from "./lib/token-options.ts";

/** What `bearer()` takes. */
export interface BearerOptions<Identity, Input extends object = ReceivedRequest> extends TokenOptions<Input> {
  /** Whom each token identifies. */
  readonly tokens?: Readonly<Record<string, Identity>> | undefined;
  /** Returns the identity of a token, instead of `tokens`; null, undefined or false if there is none. */
  readonly verify?: ((token: string, input: Input) => Found<Identity> | Promise<Found<Identity>>) | undefined;
  /** Is set to whom the token identifies. */
  readonly identity?: Pick<Attribute<Identity>, "set"> | undefined;
  /** Returns the scopes of an identity. Required with `scopes`. */
  readonly scopesOf?: ((identity: Identity) => readonly string[]) | undefined;
}

type Found<Identity> = Identity | null | undefined | false;

const known: readonly (keyof BearerOptions<unknown>)[] = [
  ...(["tokens", "verify", "identity", "scopesOf"] as const),
  ...(["realm", "scopes", "optional", "scheme", "token", "challenge", "resourceMetadata"] as const),
];

/**
 * Makes a guard that requires a bearer token (RFC 6750). It answers 401 without a token or with a wrong one. It answers
 * 403 if a scope is missing, and 400 if the field is malformed.
 *
 * It reads the token from `Authorization`, or where the option `token` says, and from nowhere else. `tokens` are stored
 * as SHA-256 digests and compared in constant time.
 *
 * @typeParam Input what its functions are given: a `Request`, unless one of them names another, such as `NodeContext`.
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * const client = new Attribute<string>("client");
 * const guard = bearer({ tokens: { "a-long-random-token": "billing" }, identity: client });
 * const group = ResourceGroup.builder().middleware(guard).build();
 * ```
 */
export function bearer<Identity, Input extends object = ReceivedRequest>(
  options: BearerOptions<Identity, Input>,
): MiddlewareClass {
  const check = new OptionCheck("bearer", options, known);
  const { identity, scopes: needed, scopesOf, optional = false, token } = check.options;
  check.requireSecret(
    typeof token !== "string",
    "token",
    'a function that reads the token of a request, { header: "X-API-Key" } or { cookie: "session" } (was "tokens" ' +
      'meant, as in { tokens: { "a-long-random-token": "billing" } }?)',
  );
  checkTokenOptions(check);
  check.attribute("identity");
  check.function("scopesOf");
  check.require(needed === undefined || scopesOf !== undefined, "scopesOf", 'given with "scopes"');
  const identify = identifierOf(check);
  const refuse = refuserOf(check.options);
  const place = typeof token === "object" ? ownOf(token) : token;
  const tokenOf = readerOf(place, check.options.scheme, refuse);
  const field = typeof place === "object" ? (place.header ?? "Cookie") : null;

  return class Bearer extends Middleware {
    static {
      passing(this);
    }

    static readonly security: DeclaredSecurity = securityOf(place, check.options.scheme);
    static readonly isSecurityOptional: boolean = optional;
    static readonly answers = {
      ...(token === undefined && { 400: "The token cannot be read" }),
      401: "A valid token is needed",
      ...(needed !== undefined && { 403: `The token lacks a scope: ${needed.join(", ")} is needed` }),
    };

    ALL(input: Input): unknown {
      const shown = tokenOf(input);
      if (shown === null && optional) return this.#pass(input);
      // RFC 6750 §3.1: who shows no credentials is told of no error.
      if (shown === null) throw refuse(input, Status.Unauthorized);
      const found = shown === "" ? null : identify(shown, input);
      return after(found, (identified) => this.#goOn(input, identified));
    }

    #goOn(input: Input, found: Found<Identity>): unknown {
      // RFC 6750 §3.1.
      if (found === null || found === undefined || found === false)
        throw refuse(input, Status.Unauthorized, "invalid_token");
      if (!hasScope(scopesOf?.(found) ?? [], needed)) throw refuse(input, Status.Forbidden, "insufficient_scope");
      identity?.set(input, found);
      return this.#pass(input);
    }

    /** Passes an input on. Of itself, a shared cache leaves out only answers to `Authorization` (RFC 9111 §3.5). */
    #pass(input: Input): unknown {
      const resource = this.resourceOf(input);
      // Declared operations have these fields by what they and their guards declare.
      if (field === null || resource === null || "QUERY" in resource) return nextOf(this, input);
      return answerWithFields(this, input, (fields) => {
        fields.vary(field);
        fields.offer("cache-control", "private");
      });
    }
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

type Refuse<Input> = (input: Input, status: StatusConstant, error?: string) => HTTPError;

const standardScheme = "Bearer";

function refuserOf<Input extends object>(options: TokenOptions<Input>): Refuse<Input> {
  const { realm = "default", scopes, scheme = standardScheme, challenge: own, resourceMetadata } = options;
  // RFC 6750 §3: the scheme alone is not a challenge. Something must follow it.
  return (input, status, error) => {
    const needed = status === Status.Forbidden ? scopes?.join(" ") : undefined;
    // A path of the client's may hold what no field can: the refusal stays, without it.
    const sent = Object.entries(own?.(input) ?? {}).filter(([, value]) => value === undefined || isFieldValue(value));
    const given: Record<string, string | undefined> = ownOf(Object.fromEntries(sent));
    const scope = given["scope"] ?? needed;
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

function identifierOf<Identity, Input extends object>(
  check: OptionCheck<BearerOptions<Identity, Input>>,
): (token: string, input: Input) => Found<Identity> | Promise<Found<Identity>> {
  const { tokens = {}, verify } = check.options;
  check.function("verify");
  check.either("tokens", "verify");
  if (verify !== undefined) return verify;
  const example = 'such as { "a-long-random-token": "billing" }';
  check.secrets("tokens", `a plain object that says whom each token identifies, one at least, ${example}`);
  const entries = Object.entries(tokens);
  check.requireSecret(
    // A key that was computed of a variable that is not set is the text "undefined", which is a token by its form.
    entries.every(([token]) => isToken68(token) && token !== "undefined" && token !== "null"),
    "tokens",
    'an object whose keys are tokens (RFC 6750 §2.1), and not "undefined" or "null"',
    tokens,
  );
  const secrets = new Secrets(entries);
  return (token) => after(secrets.find(token), (found) => found?.value);
}

function hasScope(scopes: unknown, needed: readonly string[] = []): boolean {
  // A string has includes(), too: "readonly" must not pass for "read".
  if (Array.isArray(scopes)) return needed.every((scope) => scopes.includes(scope));
  throw new TypeError(
    `Cannot check the scope: expected scopesOf() of bearer() to return an array of scopes, got ${described(scopes)}`,
  );
}
