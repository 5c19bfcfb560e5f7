import type { ReceivedRequest } from "../../dispatch/params.ts";
import { isToken } from "../../fields/token.ts";
import type { OptionCheck } from "../../http/javascript/option-check.ts";

/** The options of a guard by bearer tokens, however it reads them. */
export interface TokenOptions<Input extends object = ReceivedRequest> {
  /** Names the protected area. Printable ASCII. Default: `default`. */
  readonly realm?: string | undefined;
  /** The scopes that a token must have, all of them (RFC 6750 §3). */
  readonly scope?: readonly string[] | undefined;
  /**
   * Whether requests without credentials pass. Handlers then ask an attribute by `find()`, because the user may be
   * unknown. Wrong credentials are still refused. Default: false.
   */
  readonly optional?: boolean | undefined;
  /** The authentication scheme that comes before the token in `Authorization`, and in challenges. Default: `Bearer`. */
  readonly scheme?: string | undefined;
  /** Returns the token of a request, or nothing if it has none. Default: the token in `Authorization`. */
  readonly token?: ((input: Input) => string | null | undefined) | undefined;
}

/** Refuses wrong options that guards by bearer tokens share. */
export function checkTokenOptions<Input extends object>(check: OptionCheck<TokenOptions<Input>>): void {
  const { realm, scope, optional, scheme, token } = check.options;
  check.printable("realm", realm);
  check.list("scope", scope, isScope, "scope tokens");
  check.boolean("optional", optional);
  check.require(scheme === undefined || isToken(scheme), "scheme", "an authentication scheme, such as Token", scheme);
  // Someone may pass a token in place of the function.
  check.requireSecret(token === undefined || typeof token === "function", "token", "a function", token);
}

/** RFC 6749 §3.3: scope-token. */
function isScope(member: unknown): boolean {
  return typeof member === "string" && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(member);
}
