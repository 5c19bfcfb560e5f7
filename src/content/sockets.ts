import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { print } from "../dispatch/error-response.ts";
import { described } from "../http/javascript/described.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { isProcessFeed, type ProcessFeed } from "../http/message/process-feed.ts";
import { shareBy } from "../sockets/shared-topics.ts";

export type { ProcessFeed } from "../http/message/process-feed.ts";

/** Options of `shareTopics()` besides the application. */
export interface ShareTopicsOptions {
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
export function shareTopics(app: SharingApplication, options: ShareTopicsOptions): void {
  const { dispatcher, publish } = Object(app) as { readonly dispatcher?: Dispatcher; readonly publish?: unknown };
  // Applications of the polyfill module have no `publish()`, because they have no WebSockets.
  if (typeof dispatcher !== "object" || typeof publish !== "function") {
    throw new TypeError(
      `Cannot call shareTopics(): expected an application that was built, got ${described(app)}; write ` +
        "Application.builder().build()",
    );
  }
  const check = new OptionCheck<ShareTopicsOptions>("shareTopics", options, ["feed", "onError"]);
  const { feed, onError = print } = check.options;
  check.require(isProcessFeed(feed), "feed", "{ inbox, send }");
  check.function("onError");
  shareBy(dispatcher.resources, feed, onError);
}
