import { SocketEnd, SocketError, type ClientLine, type SocketClose } from "../sockets/client-socket.ts";
import { callUrl } from "./call-url.ts";
import type { CallInput } from "./calls.ts";
import type { ClientOptions } from "./client-options.ts";
import type { ConnectOptions } from "./connect-options.ts";
import { ResponseError } from "./response-error.ts";
import { sendingOf } from "./sent-request.ts";
import { wait } from "./wait.ts";

/** A method of a client, with what it says about itself. */
export interface Called {
  (input: CallInput): Promise<Refusal>;
  readonly key: string;
  readonly base: string;
  readonly options: ClientOptions;
}

/** The parts of a result that say why there is no connection. */
interface Refusal {
  readonly status: number;
  readonly content: unknown;
  readonly response: Response;
}

interface PlatformSocket extends ClientLine {
  binaryType: string;
  readonly protocol: string;
  addEventListener(type: string, listener: (event: SocketEvent) => void): void;
}

interface SocketEvent {
  readonly data?: unknown;
  readonly code?: number;
  readonly reason?: string;
}

type PlatformClass = new (url: string, ...rest: readonly unknown[]) => PlatformSocket;

/** The server stops, fails or cannot be reached: what a new connection may mend. */
const passing: ReadonlySet<number> = new Set([1001, 1006, 1011, 1012, 1013, 1014]);
const firstMs = 1_000;
const longestMs = 60_000;
const mostTries = 10;

/** One call of `connect()`: makes connections until there need be no more. */
export class SocketLink {
  readonly #call: Called;
  readonly #input: CallInput;
  readonly #options: ConnectOptions<never>;
  readonly #end: SocketEnd;
  /** Tries since the last connection that was of use. */
  #tried = 0;

  constructor(call: Called, input: CallInput, given: object | undefined) {
    const options: ConnectOptions<never> = { __proto__: null, ...given } as ConnectOptions<never>;
    const { text, maxWaitingBytes = 2 ** 24 } = options;
    if (!(maxWaitingBytes >= 1))
      throw new TypeError('Cannot call connect(): its option "maxWaitingBytes" must be a number from 1 on');
    if (![undefined, "receives", "sends", "both"].includes(text))
      throw new TypeError('Cannot call connect(): its option "text" must be "receives", "sends" or "both"');
    this.#call = call;
    this.#input = input;
    this.#options = options;
    const { key } = call;
    const isText = (direction: string): boolean => text === direction || text === "both";
    this.#end = new SocketEnd({
      name: key,
      maxWaitingBytes,
      read: (data) => (typeof data !== "string" || isText("sends") ? data : parsed(data, key)),
      write: (message) => written(message, isText("receives")),
    });
  }

  /** Returns the end of the first connection; null if there is none. @throws the reason of the signal. */
  async begin(): Promise<SocketEnd | null> {
    const { signal } = this.#input;
    const end = this.#end;
    signal?.throwIfAborted();
    const abort = (): void => end.aborted(signal!.reason);
    signal?.addEventListener("abort", abort);
    void end.closed.then(() => signal?.removeEventListener("abort", abort));
    const isOpen = await this.#connected().catch((error: unknown) => {
      end.ended(gone);
      throw error;
    });
    signal?.throwIfAborted();
    if (isOpen) return end;
    end.ended(gone);
    return null;
  }

  /** Asks why a handshake failed. @throws {SocketError} when the server does not refuse handshakes. */
  async refused(): Promise<Refusal> {
    const result = await this.#call(this.#input);
    if (result.status !== 426) return result;
    throw new SocketError(this.#call.key, {
      ...gone,
      reason: "The handler refused the handshake, or it failed on the way",
    });
  }

  /** Makes a connection. Returns whether it has opened. */
  async #connected(): Promise<boolean> {
    const end = this.#end;
    const leaving = end.leaving.signal;
    const socket = await this.#socket();
    socket.binaryType = "arraybuffer";
    return new Promise<boolean>((resolve) => {
      const leave = (): void => socket.close(1000, "");
      leaving.addEventListener("abort", leave);
      const settle = (isOpened: boolean): void => {
        leaving.removeEventListener("abort", leave);
        resolve(isOpened);
      };
      socket.addEventListener("open", () => settle(!leaving.aborted));
      // The event itself says nothing.
      socket.addEventListener("error", () => settle(false));
      socket.addEventListener("close", () => settle(false));
      this.#listenTo(socket);
    });
  }

  #listenTo(socket: PlatformSocket): void {
    const end = this.#end;
    const { opened } = this.#options;
    let since = Infinity;
    let isUseful = false;
    socket.addEventListener("open", () => {
      since = Date.now();
      end.connected(socket, socket.protocol, () => opened?.(end as never));
    });
    socket.addEventListener("message", ({ data }) => {
      isUseful = true;
      end.received(typeof data === "string" ? data : new Uint8Array(data as ArrayBuffer));
    });
    socket.addEventListener("close", ({ code = 1006, reason = "" }) => {
      if (since === Infinity) return;
      if (isUseful || Date.now() - since >= longestMs) this.#tried = 0;
      void this.#lost({ code, reason });
    });
  }

  /** Connects again, or ends. */
  async #lost(close: SocketClose): Promise<void> {
    const end = this.#end;
    const leaving = end.leaving.signal;
    if (this.#options.reconnect !== true || !passing.has(close.code) || leaving.aborted) return end.ended(close);
    const { key } = this.#call;
    let error: unknown = new SocketError(key, close);
    end.disconnected();
    while (this.#tried < mostTries) {
      try {
        // Many clients do not come back at once.
        await wait(Math.min(firstMs * 2 ** this.#tried++, longestMs) * (0.5 + Math.random() / 2), leaving);
        if (await this.#connected()) return;
        leaving.throwIfAborted();
        const { status, response, content } = await this.#call(this.#input);
        if (status !== 426 && status !== 429) {
          return end.ended(close, new ResponseError(response, key, content, undefined, true));
        }
      } catch (cause) {
        if (leaving.aborted) break;
        error = cause;
      }
    }
    end.ended(close, error);
  }

  async #socket(): Promise<PlatformSocket> {
    const { key, base, options } = this.#call;
    const { WebSocket: given, protocols = [] } = this.#options;
    let target = "";
    let headers: Readonly<Record<string, string>> = {};
    // The request that a call would send knows all of its fields, and the URL that a page makes of a path.
    const look = async (request: Request): Promise<Response> => {
      target = request.url.replace("http", "ws");
      headers = Object.fromEntries(request.headers);
      return Response.error();
    };
    const url = callUrl(base, key.slice(key.indexOf(" ") + 1), this.#input);
    await sendingOf(url, "GET", this.#input, { ...options, fetch: look })({});
    if (given !== undefined) return new (given as unknown as PlatformClass)(target, [...protocols], { headers });
    const { WebSocket } = globalThis as { readonly WebSocket?: PlatformClass };
    if (WebSocket === undefined) {
      throw new TypeError(
        `Cannot connect to ${key}: the runtime has no WebSocket; write connect(call, input, { WebSocket }) with the ` +
          "class of the package ws",
      );
    }
    if (Object.keys(headers).length > 0) {
      try {
        return new WebSocket(target, { protocols: [...protocols], headers });
      } catch {
        // Browsers and Workers take subprotocols only, and send no fields of a program.
      }
    }
    return new WebSocket(target, [...protocols]);
  }
}

const gone: SocketClose = { code: 1006, reason: "" };

function parsed(text: string, key: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TypeError(
      `Cannot read a message of ${key}: expected JSON; write { text: "sends" } if the operation sends text()`,
      { cause },
    );
  }
}

function written(message: unknown, isText: boolean): string | Uint8Array {
  if (ArrayBuffer.isView(message)) return new Uint8Array(message.buffer, message.byteOffset, message.byteLength);
  return isText && typeof message === "string" ? message : JSON.stringify(message);
}
