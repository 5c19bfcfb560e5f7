import { createServer, IncomingMessage, type Server, type ServerResponse } from "node:http";
import { described } from "../http/javascript/described.ts";
import { originalOf } from "../dispatch/input-exchange.ts";
import { findStoppingBy } from "../dispatch/stopping-signal.ts";
import { longestTimerMs } from "../http/javascript/option-check.ts";
import { propertyOf, ownOf } from "../http/javascript/property.ts";
import { listenerOf, type Fetching, type Handling } from "./node/answering.ts";
import { answerConnect } from "./node/connect.ts";
import type { NodeRequest, NodeResponse } from "./node/client-leave.ts";
import { leave } from "./node/leaving.ts";
import { listenWith, type ListenAddress } from "./node/listening.ts";
import { listenerOptions, serveOptions, type ListenerOptions, type ServeOptions } from "./node/server-options.ts";
import { messageOf } from "./node/incoming-request.ts";
import { limitOf } from "./node/shedding.ts";
import { limitClients } from "./node/slow-clients.ts";
import { ServerMessage } from "./node/server-message.ts";
import { SettledMessage } from "./node/node-request.ts";
import { stoppingSignalOn, trackConnections, type Connections } from "./node/connections.ts";
import { takeUpgrades, upgradesBy, type UpgradeListener } from "./node/upgrading.ts";

export { health, type HealthOptions } from "./node/health.ts";
export type { NodeRequest, NodeResponse } from "./node/client-leave.ts";
export type { ListenerOptions, ServeOptions } from "./node/server-options.ts";
export type { UpgradeListener } from "./node/upgrading.ts";

/** An application of either module. Applications of the native module have `fetch`. */
export type NodeApplication =
  | { fetch(request: never): Promise<Response> | Response }
  | { handle(context: never): Promise<unknown>; fetch?: never };

/**
 * The context of handlers of the polyfill module on Node, without `params`.
 *
 * @example
 * ```ts
 * class Hello extends Resource {
 *   paths = ["/hello"] as const;
 *
 *   GET({ response }: ContextOf<Hello, NodeContext>): unknown {
 *     return response.end("Hello");
 *   }
 * }
 * ```
 */
export interface NodeContext {
  /** The request target as it was sent. */
  readonly url: string;
  /** The method token as it was sent. */
  readonly method: string;
  /** The request of Node, from which content is read. */
  readonly request: IncomingMessage;
  /** The response of Node, to which the handler writes. */
  readonly response: ServerResponse;
  /** A signal that aborts when the client leaves. */
  readonly signal: AbortSignal;
}

/**
 * Makes a listener for the `request` event of `node:http`, `node:https` and `node:http2`, or middleware of that form,
 * from an application.
 *
 * An application of the polyfill module must write to the response, or begin to pipe to it, before `handle()` fulfills.
 * Otherwise the client gets 500.
 *
 * @throws {TypeError} when it is given something else than an application, or unknown options.
 * @example
 * ```ts
 * import { createServer } from "node:http";
 *
 * const app = Application.builder().build();
 * const server = createServer({ requestTimeout: 10_000 }, listener(app)).listen(8080);
 * server.close();
 * ```
 */
export function listener(
  app: NodeApplication,
  options: ListenerOptions = {},
): (request: NodeRequest, response: NodeResponse) => void {
  return listenerOf(app as Partial<Fetching & Handling>, listenerOptions(options));
}

/**
 * Serves an application by `node:http`, or the server that is given, and fulfills with the server when it listens.
 *
 * When the signal aborts, or the process gets a signal of `stopOn`, the server goes on for `leaveMs`. Meanwhile
 * `health()` says that it is not ready. After that it takes no more connections and requests.
 * It closes idle connections at once, and the others after their last response. WebSockets and tunnels stay open until
 * their owner ends them. After `graceMs` the server destroys what is left; then it emits `close`. Work after answers
 * may go on then: wait for `app.settled()` before you close what it needs.
 *
 * A server that `serve()` makes keeps idle connections for 72 seconds, longer than most load balancers do. Otherwise it
 * could close one just when a request comes by it, and the client would get 502. To keep them for another time, set
 * `keepAliveTimeout` of the server.
 *
 * @throws {Error} when the server cannot listen, with the `code` of Node, such as `EADDRINUSE`. Or the reason of a
 * signal that has aborted.
 * @throws {TypeError} when it is given something else than an application, or unknown options.
 * @example
 * ```ts
 * const app = Application.builder().build();
 * const stop = new AbortController();
 * await serve(app, { port: 8080, hostname: "127.0.0.1", signal: stop.signal });
 * const { status } = await fetch("http://127.0.0.1:8080/");
 * console.log(status); // 404
 * stop.abort();
 * ```
 */
export async function serve(app: NodeApplication, options: ServeOptions = {}): Promise<Server> {
  const checked = serveOptions(options);
  const {
    backlog,
    signal,
    stopOn = [],
    leaveMs = 0,
    graceMs = 10_000,
    server = createServer({ IncomingMessage: ServerMessage, keepAliveTimeout }),
  } = checked;
  signal?.throwIfAborted();
  // Each request goes there: `node/answering.ts`.
  const served = app as Partial<Fetching & Handling>;
  const limit = limitOf(served, checked);
  const listen = listenerOf(served, checked, limit);
  findStoppingBy(stoppingSignalBy);
  const add = (): Connections => {
    const connections = trackConnections(server, listen);
    answerConnect(server, connections);
    if ("fetch" in app) takeUpgrades(server, app as Fetching, checked, connections, limit);
    limitClients(server, connections, checked);
    return connections;
  };
  const connections = await listenWith(add, server, { ...addressOf(checked), backlog });
  const stop = (): void => {
    forget();
    leave(server);
    if (leaveMs === 0) return close();
    const timer = setTimeout(close, Math.min(leaveMs, longestTimerMs));
    server.once("close", () => clearTimeout(timer));
  };
  const close = (): void => {
    const over = Date.now() + graceMs;
    connections.close(graceMs);
    // Work after the answer goes on as long as connections may. Requests under way may order more of it until the
    // server closes.
    const settle = (): void => {
      void (app as Partial<Settling>).settled?.({ graceMs: Math.max(0, over - Date.now()) });
    };
    settle();
    server.once("close", settle);
  };
  const forget = (): void => {
    signal?.removeEventListener("abort", stop);
    for (const name of stopOn) process.off(name, stop);
  };
  if (signal?.aborted === true) close();
  signal?.throwIfAborted();
  signal?.addEventListener("abort", stop, ownOf({ once: true }));
  for (const name of stopOn) process.on(name, stop);
  server.once("close", forget);
  return server;
}

/**
 * Time for which an idle connection is kept, in milliseconds. Load balancers keep theirs for 60 seconds. If the server
 * closes first, a request that is on its way then is lost, and the client gets 502.
 */
const keepAliveTimeout = 72_000;

/** An application that may work after its answers. */
interface Settling {
  settled(options: { readonly graceMs: number }): Promise<void>;
}

/**
 * Makes a listener for the `upgrade` event of `node:http` and `node:https`, which completes the WebSockets of an
 * application by the package `ws`. `serve()` has it already.
 *
 * Give it the options of `listener()`: requests for WebSockets do not pass there. Requests for other protocols are
 * answered as if nobody listened (RFC 9110 §7.8).
 *
 * @throws {TypeError} when it is given something else than an application with `fetch`, or unknown options.
 * @example
 * ```ts
 * import { createServer } from "node:http";
 *
 * const app = Application.builder().build();
 * const server = createServer(listener(app)).on("upgrade", upgrades(app)).listen(8080);
 * server.close();
 * ```
 */
export function upgrades(app: NodeApplication, options: ListenerOptions = {}): UpgradeListener {
  if (typeof (app as Partial<Fetching> | null)?.fetch !== "function") {
    throw new TypeError('Cannot take upgrades to the application: expected an object with a method "fetch"');
  }
  return upgradesBy(app as Fetching, listenerOptions(options));
}

/** Where a server listens: at one of a port, a path and a descriptor. */
function addressOf({ port = 3000, hostname, socketPath, fd }: ServeOptions): ListenAddress {
  if (socketPath !== undefined) return { path: socketPath };
  return fd === undefined ? { port: Number(port), host: hostname } : { fd };
}

/**
 * Returns the signal that aborts when the server begins to stop. Use it to end a response that does not end by itself.
 *
 * `request.signal` is another one: it aborts when the client leaves. The signal of a request whose response is over by
 * then does not abort. Neither does the signal of a request that did not come by `serve()`.
 *
 * @param input the input of a handler or middleware, or the request of Node that a listener for `upgrade` or `connect`
 * gets.
 * @throws {TypeError} when it is given no object.
 * @example
 * ```ts
 * class Clock extends Resource {
 *   paths = ["/clock"];
 *   GET(request: Request) {
 *     const stopping = stoppingSignalOf(request);
 *     const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
 *       if (stopping.aborted) controller.close();
 *       else controller.enqueue(new TextEncoder().encode(`${Date.now()}\n`));
 *     };
 *     return new Response(new ReadableStream({ pull }));
 *   }
 * }
 * ```
 */
export function stoppingSignalOf(input: object): AbortSignal {
  if (typeof input !== "object" || input === null) {
    throw new TypeError(
      `Cannot get the signal of a stopping server: expected the input of a handler, got ${described(input)}`,
    );
  }
  return stoppingSignalBy(originalOf(input)) ?? new AbortController().signal;
}

function stoppingSignalBy(input: object): AbortSignal | null {
  const message: object = messageOf(input) ?? propertyOf(input as { request?: object }, "request") ?? input;
  return message instanceof IncomingMessage || message instanceof SettledMessage ? stoppingSignalOn(message) : null;
}
