import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { print, reportServerFault } from "../dispatch/error-response.ts";
import { followsOf } from "../dispatch/followed-end.ts";
import { latestOf } from "../dispatch/input-exchange.ts";
import { methodOf, type Input } from "../dispatch/input.ts";
import type { MountedResource } from "../dispatch/mounted-resource.ts";
import { Params } from "../dispatch/params.ts";
import { described } from "../http/javascript/described.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { isProcessFeed, type ProcessFeed } from "../http/message/process-feed.ts";
import { changedFor, isRepeated } from "../sockets/accepted.ts";
import { accept } from "../sockets/switching.ts";
import { Connection } from "../sockets/connection.ts";
import { checkHandshake, isHandshake, upgradeRequired } from "../sockets/handshake.ts";
import { rawMessages } from "../sockets/messages.ts";
import { checkHandlers, type PeerHandlers } from "../sockets/peer.ts";
import { socketOptions, socketRules, type SocketOptions } from "../sockets/socket-options.ts";
import { shareBy } from "../sockets/shared-topics.ts";
import { topicsOf } from "../sockets/topics.ts";

export type { SocketOptions } from "../sockets/socket-options.ts";
export type { InvalidMember, Peer, PeerHandlers } from "../sockets/peer.ts";
export type { ProcessFeed } from "../http/message/process-feed.ts";

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
export function upgrade(request: Request, handlers: PeerHandlers, options: SocketOptions = {}): Response {
  const check = new OptionCheck<SocketOptions>("upgrade", options, socketOptions);
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
      perSecond: rules.perSecond,
      until: rules.until,
      protocol,
      onError: (error) => report(error, request as Input),
      follows: followsOf(request),
    }),
  );
  return accept(request, { connection, protocol, maxBytes: rules.maxBytes });
}

/** What `shareTopics()` takes besides the application. */
export interface SharingOptions {
  /** Sends to other processes, and receives from them. Use a key that nothing else uses. */
  readonly feed: ProcessFeed;
  /** Gets the errors of the feed. Default: prints them. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** An application that has WebSockets. */
export interface SharingApplication {
  /** Sends a message to all peers of a topic. */
  publish(Resource: abstract new (...args: never[]) => object, topic: string, message: unknown): void;
}

/**
 * Shares the topics of WebSockets with all processes that serve an application: `peer.publish()` and `app.publish()`
 * reach the peers of each of them. Each process must have the same resources.
 *
 * A message reaches each peer at most once. The process where it was published sends it to its own peers at once. A
 * message that the feed fails to send reaches nobody else, and `onError` gets the error. When the feed ends, all peers
 * are closed with 1001, so that their clients connect again and read what they have missed.
 *
 * @throws {TypeError} when the application was not built, has connections already, or an option is wrong.
 * @example
 * ```ts
 * class Rooms extends Resource {
 *   paths = ["/rooms/:room"] as const;
 *   GET(request: RequestOf<Rooms>): Response {
 *     const room = request.params.pathParam("room");
 *     return upgrade(request, {
 *       open: (peer) => peer.subscribe(room),
 *       message: (peer, said) => peer.publish(room, said),
 *     });
 *   }
 * }
 * // In place of redisFeed(client, "rooms"), which all processes share.
 * const sent: unknown[] = [];
 * const inbox = { async *listen(): AsyncGenerator<{ data: unknown }> {} };
 * const feed = { inbox, send: (data: unknown) => sent.push(data) };
 * const app = Application.builder().resources(Rooms).build();
 * shareTopics(app, { feed });
 * app.publish(Rooms, "a", "to all processes");
 * console.log(sent.length); // 1
 * ```
 */
export function shareTopics(app: SharingApplication, options: SharingOptions): void {
  const { dispatcher, publish } = Object(app) as { readonly dispatcher?: Dispatcher; readonly publish?: unknown };
  // Applications of the polyfill module have no `publish()`, because they have no WebSockets.
  if (typeof dispatcher !== "object" || typeof publish !== "function") {
    throw new TypeError(
      `Cannot call shareTopics(): expected an application that was built, got ${described(app)}; write ` +
        "Application.builder().build()",
    );
  }
  const check = new OptionCheck<SharingOptions>("shareTopics", options, ["feed", "onError"]);
  const { feed, onError = print } = check.options;
  check.require(isProcessFeed(feed), "feed", "{ inbox, send }", feed);
  check.function("onError", onError);
  shareBy(dispatcher.resources, feed, onError);
}
