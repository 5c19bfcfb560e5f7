import type { Wire, WireListener } from "./wire.ts";

/** The `WebSocket` of the web platform, as a server has it on Deno and on Cloudflare Workers. */
export interface StandardSocket {
  binaryType?: string;
  readonly readyState: number;
  readonly bufferedAmount?: number;
  accept?(): void;
  send(data: string | Uint8Array): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: string, listener: (event: SocketEvent) => void): void;
}

/** What is needed of a socket to write to it. */
type WritableSocket = Pick<StandardSocket, "readyState" | "bufferedAmount" | "send" | "close">;

interface SocketEvent {
  readonly data?: unknown;
  readonly code?: number;
  readonly reason?: string;
}

const isOpen = 1;
const isClosing = 2;
/** The platform does not say when what was sent has left: it is looked at. */
const drainMs = 20;

/** Reports the events of a socket of the platform to a connection. */
export function listenTo(socket: StandardSocket, connection: WireListener): void {
  const wire = new StandardWire(socket, connection);
  // Workers want it, and before listeners are added it loses no message.
  socket.accept?.();
  socket.binaryType = "arraybuffer";
  socket.addEventListener("message", ({ data }) => {
    connection.received(typeof data === "string" ? data : new Uint8Array(data as ArrayBuffer));
  });
  socket.addEventListener("close", ({ code = 1006, reason = "" }) => {
    // Workers leave the answer to the client's close frame to the program.
    if (socket.readyState === isClosing) answer(socket, code, reason);
    // A reason of Workers' own says that there was no frame.
    connection.closed(code, code === 1006 ? "" : reason);
  });
  // The close event of the socket follows on Deno; on Workers the error may be all there is.
  socket.addEventListener("error", () => connection.closed(1006, ""));
  if (socket.readyState === isOpen) connection.opened(wire);
  else socket.addEventListener("open", () => connection.opened(wire));
}

/** Answers a close frame by the same; one without a code by 1000. */
export function answer(socket: Pick<StandardSocket, "close">, code: number, reason: string): void {
  try {
    if (code === 1005) socket.close(1000);
    else socket.close(code, reason);
  } catch {
    // The connection has broken, and 1006 is no code of a frame.
  }
}

/** Writes to a socket of the platform. */
export class StandardWire implements Wire {
  readonly #socket: WritableSocket;
  readonly #connection: WireListener;
  #isLooking = false;

  constructor(socket: WritableSocket, connection: WireListener) {
    this.#socket = socket;
    this.#connection = connection;
  }

  get waiting(): number {
    return this.#socket.bufferedAmount ?? 0;
  }

  send(data: string | Uint8Array): void {
    if (this.#socket.readyState !== isOpen) return;
    this.#socket.send(data);
    if (this.waiting > 0 && !this.#isLooking) this.#look();
  }

  #look(): void {
    this.#isLooking = true;
    setTimeout(() => {
      this.#isLooking = false;
      this.#connection.drained();
      if (this.#socket.readyState === isOpen && this.waiting > 0) this.#look();
    }, drainMs);
  }

  close(code: number, reason: string): boolean {
    if (this.#socket.readyState > isOpen) return false;
    this.#socket.close(code, reason);
    return true;
  }

  /** The platform cuts nothing: the connection is over for the application, whatever the client does. */
  cut(): void {
    this.close(1001, "");
    this.#connection.closed(1006, "");
  }
}
