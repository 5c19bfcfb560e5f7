import { reportServerFault } from "../dispatch/error-response.ts";
import { followsOf } from "../dispatch/followed-end.ts";
import { latestOf } from "../dispatch/input-exchange.ts";
import { methodOf, type Input } from "../dispatch/input.ts";
import type { MountedResource } from "../dispatch/mounted-resource.ts";
import { Params } from "../dispatch/params.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { changedFor, isRepeated } from "../sockets/accepted.ts";
import { accept } from "../sockets/switching.ts";
import { Connection } from "../sockets/connection.ts";
import { checkHandshake, isHandshake, upgradeRequired } from "../sockets/handshake.ts";
import { rawMessages } from "../sockets/messages.ts";
import { checkHandlers, type PeerHandlers } from "../sockets/peer.ts";
import { socketOptions, socketRules, type UpgradeOptions } from "../sockets/socket-options.ts";
import { topicsOf } from "../sockets/topics.ts";

/**
 * Answers a GET with a WebSocket (RFC 6455). Its handlers get strings and bytes as they come, in order, one at a time.
 *
 * Guards run before, as for any request. On Node, `serve()` completes the handshake by the package `ws`; on Bun,
 * `export default app` does; on Deno and Cloudflare Workers `app.fetch` does.
 *
 * @throws {HTTPError} 426 when the request is not a handshake, or of another version. 400 when it is malformed, and 403
 * when a page of another origin sent it.
 * @throws {TypeError} when a handler or an option is wrong.
 * @example
 * ```ts
 * class Echo extends Resource {
 *   paths = ["/echo"] as const;
 *   GET(request: Request): Response {
 *     return upgrade(request, { message: (peer, message) => peer.send(message) });
 *   }
 * }
 * const app = Application.builder().resources(Echo).build();
 * console.log((await app.request("/echo")).status); // 426
 * ```
 */
export function upgrade(request: Request, handlers: PeerHandlers, options: UpgradeOptions = {}): Response {
  const check = new OptionCheck<UpgradeOptions>("upgrade", options, socketOptions);
  const rules = socketRules(check);
  const mounted = Params.mountedOf((request as { params?: unknown }).params);
  const checked = checkHandlers(handlers, mounted?.name ?? "the request");
  if (!isHandshake(request, methodOf(request))) throw upgradeRequired();
  const protocol = checkHandshake(request, rules);
  // Middleware of an application may answer where no resource matches.
  const dispatcher =
    mounted === null ? latestOf(request)?.chain[0]?.dispatcher : (mounted as MountedResource).dispatcher;
  const report = dispatcher?.onLateError ?? reportServerFault;
  const connection = new Connection(
    changedFor(request, {
      handlers: checked,
      receives: rawMessages,
      sends: rawMessages,
      topics: topicsOf(mounted ?? dispatcher ?? request, () => rawMessages, isRepeated(request)),
      maxBytes: rules.maxBytes,
      maxMessagesPerSecond: rules.maxMessagesPerSecond,
      until: rules.until,
      protocol,
      onError: (error) => report(error, request as Input),
      follows: followsOf(request),
    }),
  );
  return accept(request, { connection, protocol, maxBytes: rules.maxBytes });
}
