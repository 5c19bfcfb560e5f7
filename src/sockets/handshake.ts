import { running } from "../dispatch/runtime-host.ts";
import { inputURLOf } from "../dispatch/input.ts";
import { parseList, trimmed } from "../fields/list.ts";
import { isOrigin } from "../fields/origin.ts";
import { requestField } from "../fields/request-fields.ts";
import { isToken } from "../fields/token.ts";
import { HTTPError } from "../http/protocol/http-error.ts";
import { parsedURL } from "../http/protocol/host.ts";
import { Status } from "../http/protocol/status.ts";

export interface HandshakeRules {
  /** Origins whose pages may connect, beside the host's own; `"*"` for all. */
  readonly origins: readonly string[] | "*";
  /** The subprotocols that are spoken, the best first. */
  readonly protocols: readonly string[];
}

/** Returns whether a GET asks for a WebSocket (RFC 6455 §4.2.1). */
export function isHandshake(input: object, method: string): boolean {
  if (method !== "GET") return false;
  const upgrade = requestField(input, "upgrade");
  if (running.host.hidesConnection === true) return upgrade?.toLowerCase() === "websocket";
  return lists(upgrade, "websocket") && lists(requestField(input, "connection"), "upgrade");
}

function lists(value: string | null, member: string): boolean {
  return value !== null && parseList(value).some((one) => one.toLowerCase() === member);
}

/**
 * Checks a handshake, and returns the subprotocol that it agrees on; an empty string for none.
 * @throws {HTTPError} 400 when it has content, a bad key or bad subprotocols, 403 for a page of another origin, 426 for
 * another version.
 */
export function checkHandshake(input: object, { origins, protocols }: HandshakeRules): string {
  // A `Request` of GET shows none.
  const hasContent = /[1-9]/.test(requestField(input, "content-length") ?? "");
  if (hasContent || requestField(input, "transfer-encoding") !== null)
    throw new HTTPError(Status.BadRequest, "A handshake has no content");
  if (requestField(input, "sec-websocket-version") !== version) throw upgradeRequired(true);
  // 16 bytes in base64 (RFC 6455 §4.1).
  if (!/^[A-Za-z\d+/]{21}[AQgw]==$/.test(requestField(input, "sec-websocket-key") ?? "")) {
    throw new HTTPError(Status.BadRequest, "Sec-WebSocket-Key is not 16 bytes in base64");
  }
  const origin = requestField(input, "origin");
  // Who is not a browser sends none.
  if (origin !== null && origins !== "*" && !origins.includes(origin) && !isOwn(origin, input)) {
    throw new HTTPError(Status.Forbidden, "The handshake was sent by a page of another origin");
  }
  const offered = offeredProtocols(requestField(input, "sec-websocket-protocol"));
  return protocols.find((protocol) => offered.includes(protocol)) ?? "";
}

/** Reads the subprotocols that are offered: tokens, each of them once (RFC 6455 §4.1). @throws {HTTPError} 400. */
function offeredProtocols(value: string | null): readonly string[] {
  if (value === null) return [];
  const offered = value.split(",").map(trimmed);
  if (offered.every(isToken) && new Set(offered).size === offered.length) return offered;
  throw new HTTPError(Status.BadRequest, "Sec-WebSocket-Protocol is not a list of different tokens");
}

/**
 * Makes the refusal of a request that must be a handshake, or one of another version (RFC 9110 §15.5.22, RFC 6455
 * §4.2.2).
 */
export function upgradeRequired(isVersion: boolean = false): HTTPError {
  return new HTTPError(
    Status.UpgradeRequired,
    isVersion ? `Only version ${version} of WebSocket is spoken` : "Connect by WebSocket",
    {
      headers: {
        Upgrade: "websocket",
        Connection: "upgrade",
        ...(isVersion ? { "Sec-WebSocket-Version": version } : {}),
      },
    },
  );
}

const version = "13";

function isOwn(origin: string, input: object): boolean {
  return isOrigin(origin) && new URL(origin).host === parsedURL(inputURLOf(input))?.host;
}
