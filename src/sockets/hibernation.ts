import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { errorResponse } from "../dispatch/error-response.ts";
import type { Input } from "../dispatch/input.ts";
import type { MountedResource } from "../dispatch/mounted-resource.ts";
import { discard } from "../http/message/discarded-content.ts";
import { HTTPError } from "../http/protocol/http-error.ts";
import { Status } from "../http/protocol/status.ts";
import { PathMatch } from "../routing/index/path-match.ts";
import { keepInMemory, type Sender } from "./accepted.ts";
import { handshake } from "./connecting.ts";
import type { Connection, ConnectionOptions } from "./connection.ts";
import {
  end,
  fieldsToKeep,
  isOver,
  keepWith,
  keptWith,
  protocolOf,
  tellOver,
  type HibernatableSocket,
  type Kept,
} from "./kept-socket.ts";
import { KeptTopics } from "./kept-topics.ts";
import { answer, StandardWire } from "./standard-wire.ts";

/**
 * The state that a Durable Object is constructed with, as far as WebSockets are concerned.
 *
 * @experimental
 */
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
  /** Each stops following something that the connection must not outlast. */
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
  /** The messages that have come while a connection wakes. */
  readonly #waiting = new WeakMap<HibernatableSocket, Waiting>();

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
    let found: Awake | Response;
    try {
      found = await this.#ask(request, false);
    } catch (error) {
      // The application never rejects: what prepares its requests has failed.
      return this.#refused(request, error);
    }
    if (!("stops" in found)) return found;
    const { response, socket, protocol, until } = found;
    const fields = fieldsToKeep(request.headers, protocol);
    const kept: Kept = { id: crypto.randomUUID(), url: request.url, fields, topics: [], until };
    try {
      keepWith(socket, kept);
    } catch (cause) {
      const error = new HTTPError(
        Status.RequestHeaderFieldsTooLarge,
        "The handshake is longer than what the runtime keeps with a WebSocket",
        { cause },
      );
      return this.#refused(request, error);
    }
    this.#state.acceptWebSocket(socket);
    this.#connections.set(socket, Promise.resolve(found));
    this.#open(socket, kept, found);
    return response;
  }

  async message(socket: HibernatableSocket, data: string | ArrayBuffer): Promise<void> {
    const atMs = Date.now();
    // After a close frame nothing is handled, nor does it wake the connection.
    if (socket.readyState !== isOpen || !this.#mayWait(socket, data)) return;
    const awake = await this.#awake(socket);
    this.#waiting.delete(socket);
    const kept = keptWith(socket);
    if (awake === null || kept === null || socket.readyState !== isOpen) return;
    const { connection } = awake;
    if (isOver(kept)) connection.close(1008, "The time is over");
    else connection.received(typeof data === "string" ? data : new Uint8Array(data), atMs);
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
    tellOver(socket);
    await awake?.connection.handled;
  }

  /** Returns whether a message may wait until its connection has handlers: guards may take long. */
  #mayWait(socket: HibernatableSocket, data: string | ArrayBuffer): boolean {
    const waiting = this.#waiting.get(socket) ?? { messages: 0, bytes: 0 };
    waiting.messages++;
    waiting.bytes += typeof data === "string" ? data.length : data.byteLength;
    this.#waiting.set(socket, waiting);
    if (waiting.messages <= mostWaiting && waiting.bytes <= mostWaitingBytes) return true;
    end(socket, 1008, "Messages come faster than they are handled");
    return false;
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
    let request: Request | null = null;
    try {
      request = new Request(kept.url, { headers: [...kept.fields, ...handshake] as [string, string][] });
      const found = await this.#ask(request, true);
      if (!("stops" in found)) {
        discard(found);
        end(socket, codeOf(found), `The handshake is refused now: ${found.status}`);
        return null;
      }
      const { until, protocol } = found;
      if (protocol !== protocolOf(kept)) {
        // The client speaks a subprotocol that no handler here speaks any more.
        end(socket, 1008, "The subprotocol is not spoken any more");
        return null;
      }
      if (until !== kept.until) keepWith(socket, { ...kept, until });
      this.#open(socket, kept, found);
      return found;
    } catch (error) {
      this.#app.dispatcher.onLateError!(error, (request ?? { url: kept.url, method: "GET" }) as unknown as Input);
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
    let endsAtMs: number | null = null;
    const stops: (() => void)[] = [];
    // A timer would keep the object in memory: dates are looked at when something comes or goes.
    const noteEnd = (timeMs: number): (() => void) => {
      endsAtMs = earlier(endsAtMs, timeMs);
      return () => {};
    };
    this.#prepare(request);
    const change = (options: ConnectionOptions): ConnectionOptions => {
      const { topics, handlers, follows = [] } = options;
      const mounted = this.#mountedAt(request.url);
      if (!(topics instanceof KeptTopics) || topics.mounted !== mounted) {
        throw new TypeError(
          `Cannot let connections of ${mounted?.name ?? "the application"} hibernate: another application, or ` +
            "another resource, answers in its place; add that resource to the application of hibernating()",
        );
      }
      own = options;
      return {
        ...options,
        until: null,
        handlers: isAgain ? Object.create(handlers, withoutOpen) : handlers,
        follows: follows.map((follow) => (endConnection) => {
          const stop = follow(endConnection, noteEnd);
          stops.push(stop);
          return stop;
        }),
      };
    };
    const sender: Sender = { change, isRepeated: isAgain };
    keepInMemory(request, sender);
    const response = await this.#app.fetch(request, {}, this.#state);
    const { accepted } = sender;
    if (response.status !== 101 || accepted === undefined || own === null) return response;
    const { topics, until, protocol } = own as ConnectionOptions;
    const { connection, socket } = accepted as unknown as Pick<Awake, "connection" | "socket">;
    return {
      response,
      connection,
      socket,
      topics: topics as KeptTopics,
      protocol,
      until: earlier(until, endsAtMs),
      stops,
    };
  }

  async #refused(request: Request, error: unknown): Promise<Response> {
    const { dispatcher } = this.#app;
    const own = await dispatcher.onLateError!(error, request as unknown as Input);
    if (own instanceof Response) return own;
    return errorResponse(error, dispatcher.problems, request, dispatcher.errorFieldsOf(request));
  }
}

/** What waits for a connection that wakes. */
interface Waiting {
  /** How many there are. */
  messages: number;
  bytes: number;
}

/** Like the messages that wait for a handler; their bytes are as many as those have without options. */
const mostWaiting = 1_000;
const mostWaitingBytes = mostWaiting * 65_536;

/** Returns the earlier of two dates; null is none. */
function earlier(one: number | null, other: number | null): number | null {
  return one === null || (other !== null && other < one) ? other : one;
}

const withoutOpen = { open: { value: undefined } };
const isOpen = 1;
const isClosing = 2;

function stopFollowing({ id }: Kept): void {
  for (const stop of following.get(id) ?? []) stop();
  following.delete(id);
}

/**
 * Returns the status code of the close frame instead of a refusal. A client connects again after 1013 and 1011, but not
 * after 1008 (RFC 6455 §7.4.1).
 */
function codeOf({ status }: Response): number {
  if (status === Status.TooManyRequests.status || status === Status.ServiceUnavailable.status) return 1013;
  return status < 500 ? 1008 : 1011;
}
