import type { OptionCheck } from "../../http/option-check.ts";

/** What a guard by bearer tokens needs, however it reads them. */
export interface TokenOptions {
  /** Names what is protected: printable ASCII; `default` unless given. */
  readonly realm?: string;
  /** The scopes that a token must have, all of them (RFC 6750 §3). */
  readonly scope?: readonly string[];
}

/** Refuses wrong options that guards by bearer tokens share. */
export function checkTokenOptions(check: OptionCheck<TokenOptions>): void {
  const { realm, scope } = check.options;
  check.printable("realm", realm);
  check.list("scope", scope, isScope, "scope tokens");
}

/** RFC 6749 §3.3: scope-token. */
function isScope(member: unknown): boolean {
  return typeof member === "string" && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(member);
}
