/**
 * Says what the runtime and its server do. `hosts/` has a file for each. Of a host that
 * lacks a member the application assumes nothing, as on a runtime that nobody knows.
 */
export interface Host {
  /** Whether the runtime is this one. */
  recognizes(this: void, globals: object): boolean;
  /**
   * Returns where the path begins in the URL of a `Request`; -1 if the URL parser did not write that. Absent where the
   * server joins what the client sent, Host and dot segments included.
   */
  pathStart?(this: void, url: string): number;
  /**
   * Whether the server made a request, and framed its content by `Content-Length`. The request has neither been read
   * nor changed.
   * @param passed what the runtime passed to `fetch` after the request.
   */
  frames?(this: void, request: Request, passed: object): boolean;
  /** Whether the server gets the answer of a request itself, and writes its length. */
  writesLength?(this: void, request: object): boolean;
  /** Makes both ends of a WebSocket, the client's first, where no 101 can be made without. */
  pair?(this: void): { readonly 0: object; readonly 1: object };
  /**
   * Completes the handshake that a 101 accepts. Returns what the runtime is given in its place, if anything. A server
   * that takes accepted handshakes by itself has none.
   * @param passed what the runtime passed to `fetch` after the request.
   * @param response the 101, whose own fields are sent.
   */
  complete?(this: void, request: Request, passed: unknown, response: Response): Response | null;
  /** Whether requests do not show `Connection`. */
  readonly hidesConnection?: true;
  /** Whether the runtime asks its user before it reads a file. */
  readonly asksToRead?: true;
  /**
   * Whether a program has neither a machine nor a loop. `node:dns` asks a service that does not know the names of the
   * network. Timers end with the request that set them, and clocks stand still while code computes.
   */
  readonly isIsolate?: true;
}

export const unknownHost: Host = { recognizes: () => true };

/** The host of this process. The first application that is built finds it: rooms below know no runtime. */
export const running: { host: Host } = { host: unknownHost };
