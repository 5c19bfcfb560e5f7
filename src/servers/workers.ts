import { described } from "../http/javascript/described.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { Hibernation, type Asked, type ObjectState } from "../sockets/hibernation.ts";
import type { HibernatableSocket } from "../sockets/kept-socket.ts";

export type { ObjectState } from "../sockets/hibernation.ts";
export type { HibernatableSocket } from "../sockets/kept-socket.ts";

/**
 * Options of `hibernating()`.
 *
 * @experimental
 */
export interface HibernatingOptions {
  /**
   * Runs before the application gets a request, such as to set attributes. It also runs before a handshake is repeated.
   */
  readonly prepare?: ((request: Request) => void) | undefined;
}

/**
 * Takes the events of a Durable Object. Its methods have the names of the methods of the object.
 *
 * @experimental
 */
export interface HibernatingSockets {
  /** Answers a request as `app.fetch()` does. Its WebSockets survive the object. */
  fetch(request: Request): Promise<Response>;
  /** Takes a message of a peer. Fulfills when it is handled. */
  webSocketMessage(socket: HibernatableSocket, message: string | ArrayBuffer): Promise<void>;
  /** Takes the end of a connection. Fulfills when it is handled. */
  webSocketClose(socket: HibernatableSocket, code: number, reason: string): Promise<void>;
  /** Takes the end of a connection that broke off. Fulfills when it is handled. */
  webSocketError(socket: HibernatableSocket): Promise<void>;
}

/**
 * Serves the WebSockets of an application in a Durable Object of Cloudflare that hibernates while its peers are silent.
 *
 * Topics survive with the connection. When a peer sends a message after the object has woken, the application gets the
 * handshake of that peer again. Guards and the handler of GET run, `open()` does not. A refusal closes the connection
 * with 1008. Otherwise the new handlers get the message.
 *
 * The fields of the handshake, cookies included, are kept as the attachment of the WebSocket. If they are longer than
 * the runtime allows, the handshake gets 431. Cloudflare allows 16 KiB.
 *
 * @experimental
 * @throws {TypeError} when the application was not built, the state has no `acceptWebSocket()`, or an option is wrong.
 * @example
 * ```ts
 * class Room extends Resource {
 *   paths = ["/rooms/:room"] as const;
 *
 *   GET(request: RequestOf<Room>): Response {
 *     const room = request.params.pathParam("room");
 *     return upgrade(request, {
 *       open: (peer) => peer.subscribe(room),
 *       message: (peer, said) => peer.publish(room, said),
 *     });
 *   }
 * }
 * const app = Application.builder().resources(Room).build();
 *
 * class Rooms {
 *   readonly #sockets: HibernatingSockets;
 *   constructor(state: ObjectState) {
 *     this.#sockets = hibernating(app, state);
 *   }
 *   fetch(request: Request): Promise<Response> {
 *     return this.#sockets.fetch(request);
 *   }
 *   webSocketMessage(socket: HibernatableSocket, message: string | ArrayBuffer): Promise<void> {
 *     return this.#sockets.webSocketMessage(socket, message);
 *   }
 *   webSocketClose(socket: HibernatableSocket, code: number, reason: string): Promise<void> {
 *     return this.#sockets.webSocketClose(socket, code, reason);
 *   }
 *   webSocketError(socket: HibernatableSocket): Promise<void> {
 *     return this.#sockets.webSocketError(socket);
 *   }
 * }
 * console.log(Rooms.name); // Rooms
 * ```
 */
export function hibernating(
  app: HibernatingApplication,
  state: ObjectState,
  options: HibernatingOptions = {},
): HibernatingSockets {
  const { fetch, dispatcher } = (app ?? {}) as Partial<Asked>;
  if (typeof fetch !== "function" || typeof dispatcher !== "object") {
    throw new TypeError(
      `Cannot call hibernating(): expected an application that was built, got ${described(app)}; write ` +
        "Application.builder().build()",
    );
  }
  if (typeof (state as Partial<ObjectState> | null)?.acceptWebSocket !== "function") {
    throw new TypeError(
      `Cannot call hibernating(): expected the state of a Durable Object, got ${described(state)}; pass the first ` +
        "argument of its constructor",
    );
  }
  const check = new OptionCheck("hibernating", options, ["prepare"]);
  const { prepare = () => {} } = check.options;
  check.function("prepare");
  const sockets = new Hibernation(app as unknown as Asked, state, prepare);
  return {
    fetch: (request) => sockets.fetch(request),
    webSocketMessage: (socket, message) => sockets.message(socket, message),
    webSocketClose: (socket, code, reason) => sockets.closed(socket, code, reason),
    webSocketError: (socket) => sockets.closed(socket, 1006, ""),
  };
}

/**
 * An application of the native or the semantics module.
 *
 * @experimental
 */
export interface HibernatingApplication {
  /** Answers a request. */
  fetch(request: Request, ...rest: unknown[]): Promise<Response>;
}
