import type { Attribute } from "../application/attribute.ts";
import type { MiddlewareClass } from "../application/middleware.ts";
import type { ReceivedRequest } from "../dispatch/params.ts";
import { isToken68 } from "../fields/authorization.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { after } from "../http/javascript/thenable.ts";
import { Secrets } from "./lib/secrets.ts";
import { credentialsOf } from "./lib/token-credentials.ts";
import { tokenGuard, type Found } from "./lib/token-guard.ts";
import { checkTokenOptions, type TokenOptions } from "./lib/token-options.ts";

/** Options of `bearer()`. */
export interface BearerOptions<Identity, Input extends object = ReceivedRequest> extends TokenOptions<Input> {
  /** Whom each token identifies. */
  readonly tokens?: Readonly<Record<string, Identity>> | undefined;
  /** Returns the identity of a token, instead of `tokens`; null, undefined or false if there is none. */
  readonly verify?: ((token: string, input: Input) => Found<Identity> | Promise<Found<Identity>>) | undefined;
  /** Is set to whom the token identifies. */
  readonly identity?: Pick<Attribute<Identity>, "set"> | undefined;
  /** Returns the scopes of an identity: of those that `scopes` and operations require. Required with `scopes`. */
  readonly scopesOf?: ((identity: Identity) => readonly string[]) | undefined;
}

const known: readonly (keyof BearerOptions<unknown>)[] = [
  ...(["tokens", "verify", "identity", "scopesOf"] as const),
  ...(["realm", "scopes", "optional", "scheme", "token", "challenge", "resourceMetadataURL"] as const),
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
  const { scopes: needed, scopesOf, token } = check.options;
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
  return tokenGuard(check.options, identifierOf(check), credentialsOf(check.options));
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
