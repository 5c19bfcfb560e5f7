import { isDate } from "../http/javascript/any-realm.ts";
import { isOrigin } from "../fields/origin.ts";
import { isToken } from "../fields/token.ts";
import type { OptionCheck } from "../http/javascript/option-check.ts";

/** Limits of a connection, and the origins that may open one. */
export interface UpgradeOptions {
  /** Maximum size of a message in bytes. Default: 64 KiB. A longer one closes the connection with 1009. */
  readonly maxBytes?: number | undefined;
  /** Maximum number of messages in a second. Default: 100. More close the connection with 1008. */
  readonly maxMessagesPerSecond?: number | undefined;
  /**
   * Origins whose pages may connect beside the host's own, such as `https://example.com`; `"*"` for all. Default: none.
   */
  readonly origins?: readonly string[] | "*" | undefined;
  /** The subprotocols that are spoken, the best first. Default: none. */
  readonly protocols?: readonly string[] | undefined;
  /** The time at which the connection is closed with 1008, such as the end of a session. Default: none. */
  readonly until?: Date | null | undefined;
}

/** The names of the options, as a declaration has them, too. */
export const socketOptions = ["maxBytes", "maxMessagesPerSecond", "origins", "protocols", "until"] as const;

export interface SocketRules {
  readonly maxBytes: number;
  /** Messages a second. */
  readonly maxMessagesPerSecond: number;
  readonly origins: readonly string[] | "*";
  readonly protocols: readonly string[];
  readonly until: number | null;
}

/** Checks the options of a connection. @throws {TypeError} when one is wrong. */
export function socketRules(check: OptionCheck<UpgradeOptions>): SocketRules {
  const { maxBytes = 65_536, maxMessagesPerSecond = 100, origins = [], protocols = [], until } = check.options;
  check.positive("maxBytes", "maxMessagesPerSecond");
  if (origins !== "*")
    check.list("origins", isOrigin, 'origins such as "https://example.com", or "*" without an array');
  check.list("protocols", (one) => typeof one === "string" && isToken(one), 'tokens such as "chat.v1"');
  const isValid = until === undefined || until === null || (isDate(until) && !Number.isNaN(until.getTime()));
  check.require(isValid, "until", "a date or null");
  return { maxBytes, maxMessagesPerSecond, origins, protocols, until: until?.getTime() ?? null };
}
