import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { errorResponse } from "../dispatch/error-response.ts";
import type { Input } from "../dispatch/input.ts";
import type { MountedResource } from "../dispatch/mounted-resource.ts";
import { discard } from "../http/message/discarded-content.ts";
import { HTTPError } from "../http/protocol/http-error.ts";
import { Status } from "../http/protocol/status.ts";
import { PathMatch } from "../routing/index/path-match.ts";
import { keepInMemory, takeAccepted } from "./accepted.ts";
import { handshake } from "./connecting.ts";
import type { Connection, ConnectionOptions } from "./connection.ts";
import { end, fieldsToKeep, isOver, keepWith, keptWith, type HibernatableSocket, type Kept } from "./kept-socket.ts";
import { KeptTopics } from "./kept-topics.ts";
import { answer, StandardWire } from "./standard-wire.ts";

/** The state that a Durable Object is constructed with, as far as WebSockets are concerned. */
export interface ObjectState {
  /** Accepts a WebSocket whose events the runtime reports to the object. */
  acceptWebSocket(socket: HibernatableSocket): void;
  /** Returns the WebSockets that it has accepted. */
  getWebSockets(): readonly HibernatableSocket[];
}

/** An application, as far as its requests are concerned. */
export interface Asked {
  fetch(request: Request, ...rest: unknown[]): Promise<Response>;
  readonly dispatcher: Dispatcher;
}

/** A connection that has handlers in this instance of the object. */
interface Awake {
  readonly response: Response;
  readonly connection: Connection;
  /** The end of the server that was made for this handshake. A connection that wakes has its own already. */
  readonly socket: HibernatableSocket;
  readonly topics: KeptTopics;
  readonly protocol: string;
  readonly until: number | null;
  /** Whether something has ended that the connection must not outlast, and it could not be closed there. */
  isEnded: boolean;
  /** Each stops following such a thing. */
  readonly stops: (() => void)[];
}

/**
 * By the id of a connection: what it follows. An instance that is evicted leaves that behind, and the one after it may
 * be in the same isolate.
 */
const following = new Map<string, readonly (() => void)[]>();

/**
 * The connections of one instance of a Durable Object. Where handlers are gone, the handshake is repeated, which
 * makes new ones.
 */
export class Hibernation {
  readonly #app: Asked;
  readonly #state: ObjectState;
  readonly #prepare: (request: Request) => void;
  /** One promise for each socket, so that what comes meanwhile waits in order. */
  readonly #connections = new WeakMap<HibernatableSocket, Promise<Awake | null>>();

  constructor(app: Asked, state: ObjectState, prepare: (request: Request) => void) {
    this.#app = app;
    this.#state = state;
    this.#prepare = prepare;
    for (const mounted of app.dispatcher.resources) KeptTopics.of(mounted, state, this.#mountedAt);
  }

  readonly #mountedAt = (url: string): MountedResource | null => {
    const found = this.#app.dispatcher.match({ url, method: "GET" });
    return found instanceof PathMatch ? found.value.mounted : null;
  };

  async fetch(request: Request): Promise<Response> {
    const found = await this.#ask(request, false);
    if (!("stops" in found)) return found;
    const { response, socket, protocol, until } = found;
    const fields = fieldsToKeep(request.headers, protocol);
    const kept: Kept = { id: crypto.randomUUID(), url: request.url, fields, topics: [], until };
    try {
      keepWith(socket, kept);
    } catch (cause) {
      return this.#refused(request, cause);
    }
    this.#state.acceptWebSocket(socket);
    this.#connections.set(socket, Promise.resolve(found));
    this.#open(socket, kept, found);
    return response;
  }

  async message(socket: HibernatableSocket, data: string | ArrayBuffer): Promise<void> {
    const awake = await this.#awake(socket);
    const kept = keptWith(socket);
    if (awake === null || kept === null) return;
    const { connection } = awake;
    if (awake.isEnded || isOver(kept)) {
      const reason = awake.isEnded ? "The session is over" : "The time is over";
      connection.close(1008, reason);
      // It may have tried before, where it could not.
      end(socket, 1008, reason);
    } else connection.received(typeof data === "string" ? data : new Uint8Array(data));
    // The object is not evicted before.
    await connection.handled;
  }

  async closed(socket: HibernatableSocket, code: number, reason: string): Promise<void> {
    const kept = keptWith(socket);
    if (kept === null) return;
    // With a compatibility date from 2026-04-07 on, the runtime does it by itself.
    if (socket.readyState === isClosing) answer(socket, code, reason);
    const awake = await this.#awake(socket);
    keepWith(socket, null);
    stopFollowing(kept);
    // A reason of the runtime's own says that there was no frame.
    awake?.connection.closed(code, code === 1006 ? "" : reason);
    await awake?.connection.handled;
  }

  #awake(socket: HibernatableSocket): Promise<Awake | null> {
    const known = this.#connections.get(socket);
    if (known !== undefined) return known;
    const kept = keptWith(socket);
    const woken = kept === null ? Promise.resolve(null) : this.#wake(socket, kept);
    this.#connections.set(socket, woken);
    return woken;
  }

  /** Repeats the handshake. Handlers of `open` are not called again. */
  async #wake(socket: HibernatableSocket, kept: Kept): Promise<Awake | null> {
    const headers = [...kept.fields, ...handshake] as [string, string][];
    const request = new Request(kept.url, { headers });
    try {
      const found = await this.#ask(request, true);
      if (!("stops" in found)) {
        discard(found);
        end(socket, found.status < 500 ? 1008 : 1011, `The handshake is refused now: ${found.status}`);
        return null;
      }
      const { until } = found;
      if (until !== kept.until) keepWith(socket, { ...kept, until });
      this.#open(socket, kept, found);
      return found;
    } catch (error) {
      this.#app.dispatcher.onLateError!(error, request as unknown as Input);
      end(socket, 1011, "");
      return null;
    }
  }

  #open(socket: HibernatableSocket, kept: Kept, { connection, topics, stops }: Awake): void {
    stopFollowing(kept);
    if (stops.length > 0) following.set(kept.id, stops);
    topics.join(connection, { socket, sockets: this.#state });
    connection.opened(new StandardWire(socket, connection));
  }

  /** Sends a handshake to the application. Returns its answer if it is not accepted. */
  async #ask(request: Request, isAgain: boolean): Promise<Awake | Response> {
    let own: ConnectionOptions | null = null;
    const stops: (() => void)[] = [];
    const awake = { isEnded: false, stops };
    this.#prepare(request);
    keepInMemory(request, (options) => {
      const { topics, handlers, follows = [] } = options;
      const mounted = this.#mountedAt(request.url);
      if (!(topics instanceof KeptTopics) || topics.mounted !== mounted) {
        throw new TypeError(
          `Cannot let connections of ${mounted?.name ?? "the application"} hibernate: another application, or another resource, answers in its place; add that resource to the application of hibernating()`,
        );
      }
      own = options;
      return {
        ...options,
        // A timer would keep the object in memory: the date is looked at when something comes or goes.
        until: null,
        handlers: isAgain ? Object.create(handlers, withoutOpen) : handlers,
        follows: follows.map((follow) => (endConnection) => {
          const stop = follow(() => {
            try {
              endConnection();
            } catch {
              // No request but those of the object may close a connection of it.
              awake.isEnded = true;
            }
          });
          stops.push(stop);
          return stop;
        }),
      };
    });
    const response = await this.#app.fetch(request, {}, this.#state);
    const accepted = takeAccepted(request);
    if (response.status !== 101 || accepted === undefined || own === null) return response;
    const { topics, until, protocol } = own as ConnectionOptions;
    const { connection, socket } = accepted as unknown as Pick<Awake, "connection" | "socket">;
    return Object.assign(awake, { response, connection, socket, topics: topics as KeptTopics, protocol, until });
  }

  async #refused(request: Request, cause: unknown): Promise<Response> {
    const { dispatcher } = this.#app;
    const error = new HTTPError(
      Status.RequestHeaderFieldsTooLarge,
      "The handshake is longer than what the runtime keeps with a WebSocket",
      { cause },
    );
    const own = await dispatcher.onLateError!(error, request as unknown as Input);
    if (own instanceof Response) return own;
    return errorResponse(error, dispatcher.problems, request, dispatcher.errorFieldsOf(request));
  }
}

const withoutOpen = { open: { value: undefined } };
const isClosing = 2;

function stopFollowing({ id }: Kept): void {
  for (const stop of following.get(id) ?? []) stop();
  following.delete(id);
}
