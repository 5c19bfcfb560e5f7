import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { isServerFault, print } from "../core/error-response.ts";
import { connectionsOf } from "./node-closing.ts";
import { answerConnect } from "./node-connect.ts";
import { hasLeft, onLeaving, type NodeRequest, type NodeResponse } from "./node-message.ts";
import { listenerOptions, serveOptions, type ListenerOptions, type ServeOptions } from "./node-options.ts";
import { requestOf, type RequestLike } from "./node-request.ts";
import { send, sendProblem } from "./node-response.ts";

export type { NodeRequest, NodeResponse } from "./node-message.ts";
export type { ListenerOptions, ServeOptions } from "./node-options.ts";

/** An application of either door: the native one has `fetch`. */
export type NodeApplication =
  | { fetch(request: never): Promise<Response> | Response }
  | { handle(context: never): Promise<unknown>; fetch?: never };

/** What the handlers of the polyfill door get on Node, besides `params`. */
export interface NodeContext {
  /** The request target as it was sent. */
  readonly url: string;
  /** The method token as it was sent. */
  readonly method: string;
  /** The request of Node, from which content is read. */
  readonly request: IncomingMessage;
  /** The response of Node, to which the handler writes. */
  readonly response: ServerResponse;
}

/**
 * Makes a listener for the `request` event of `node:http`, `node:https` and `node:http2`, or middleware of that form, from an
 * application.
 *
 * An application of the polyfill door must have written to the response, or be piping to it, when `handle()` fulfills:
 * otherwise nothing ever would, and the answer is 500.
 *
 * @throws {TypeError} when it is given something else than an application, or options that there are not.
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
  return listen(app, listenerOptions(options));
}

/**
 * Serves an application by `node:http`, and fulfills with the server when it listens.
 *
 * When the signal aborts, the server takes no more connections and requests, closes the connections that are idle, and the
 * others after their last response; then it emits `close`.
 *
 * @throws {Error} what Node says when it cannot listen, such as `EADDRINUSE`, or the reason of a signal that has aborted.
 * @throws {TypeError} when it is given something else than an application, or options that there are not.
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
  const given = serveOptions(options);
  const { port = 3000, hostname, backlog, signal } = given;
  signal?.throwIfAborted();
  const server = createServer();
  const connections = connectionsOf(server, listen(app, given));
  const close = (): void => connections.close();
  answerConnect(server, connections);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host: hostname, backlog }, () => resolve(void server.off("error", reject)));
  });
  if (signal?.aborted === true) close();
  signal?.throwIfAborted();
  signal?.addEventListener("abort", close, { once: true });
  server.once("close", () => signal?.removeEventListener("abort", close));
  return server;
}

type Listen = (request: NodeRequest, response: NodeResponse) => void;

function listen(app: NodeApplication, { onError, address, lightRequests = true }: ListenerOptions): Listen {
  const observe = async (error: unknown, request: NodeRequest): Promise<void> => {
    if (onError !== undefined) await onError(error, request as IncomingMessage);
    else if (isServerFault(error)) print(error);
  };
  // What observes an error must not bring the process down by one of its own.
  const report = (error: unknown, request: NodeRequest): void => void observe(error, request).catch(print);
  const fail: Fail = (error, request, response) => {
    report(error, request);
    refuse(error, request, response);
  };
  const answer = answerOf(app as Partial<Fetching & Handling>, address, lightRequests, fail);
  function reportLate(this: NodeResponse, error: unknown): void {
    report(error, this.req);
  }
  return (request, response) => {
    // Without a listener, a handler that writes after the end would bring the process down.
    response.on("error", reportLate);
    void answer(request, response);
  };
}

type Answer = (request: NodeRequest, response: NodeResponse) => Promise<void>;
type Fail = (error: unknown, request: NodeRequest, response: NodeResponse) => void;
type Address = ListenerOptions["address"];
type Fetching = { fetch(request: Request | RequestLike): Promise<Response> };
type Handling = { handle(context: object): Promise<unknown> };

/** PERF: functions that never reject, and are made once: 0.2 to 0.6 us less for each request (`bench/http`). */
function answerOf(
  app: Partial<Fetching & Handling> | null | undefined,
  address: Address,
  isLight: boolean,
  fail: Fail,
): Answer {
  if (typeof app?.fetch === "function") return fetcher(app as Fetching, address, isLight, fail);
  if (typeof app?.handle === "function") return handler(app as Handling, address, fail);
  throw new TypeError('Cannot serve the application: expected an object with a method "fetch" or "handle"');
}

function fetcher(app: Fetching, address: Address, isLight: boolean, fail: Fail): Answer {
  return async (request, response) => {
    try {
      const input = requestOf(request, response, isLight);
      setAddress(address, input, request);
      await send(await app.fetch(input), request, response);
    } catch (error) {
      fail(error, request, response);
    }
  };
}

function handler(app: Handling, address: Address, fail: Fail): Answer {
  /** What `pipe()` does not do, and `pipeline()` does: a source that fails, or is no longer wanted, ends nothing but its answer. */
  function watch(this: NodeResponse, source: Readable): void {
    onLeaving(this, () => source.destroy());
    source.once("error", (error) => source.listenerCount("error") > 0 || fail(error, this.req, this));
  }
  return async (request, response) => {
    try {
      const { url = "", method = "" } = request;
      const context = { url, method, request, response };
      setAddress(address, context, request);
      response.on("pipe", watch);
      await app.handle(context);
      // A pipe leaves a listener for "unpipe" on what it leads to.
      if (response.headersSent || response.writableEnded || response.listenerCount("unpipe") > 0) return;
      if (hasLeft(response)) return;
      throw new TypeError(
        `Cannot answer ${method.slice(0, 80)} ${url.slice(0, 80)}: handle() fulfilled before anything was written`,
      );
    } catch (error) {
      fail(error, request, response);
    }
  };
}

function setAddress(address: Address, input: object, { socket }: NodeRequest): void {
  // Node forgets it when the client has left.
  if (address !== undefined && socket.remoteAddress !== undefined) address.set(input, socket.remoteAddress);
}

/** Answers with an error, or, if an answer has begun, breaks it off so that it cannot be taken for a whole one. */
function refuse(error: unknown, request: NodeRequest, response: NodeResponse): void {
  if (response.writableEnded || hasLeft(response)) return;
  // An error that makes no response is, like any unknown one, the server's fault.
  for (const reason of [error, undefined]) {
    try {
      if (!response.headersSent) return sendProblem(reason, request, response);
    } catch (failure) {
      print(failure);
    }
  }
  if ("stream" in response) response.stream.close(2); // RFC 9113 §7: INTERNAL_ERROR
  // One that waits for its turn has no connection yet; Node 24 and later would leave that open.
  else if (response.socket === null) response.once("socket", (socket: Socket) => socket.destroy());
  else breakOff(response);
}

/** RFC 9112 §8: content with neither chunks nor a length is whole when the connection ends, but for an error of that. */
function breakOff(response: ServerResponse): void {
  try {
    if (!response.chunkedEncoding && !response.hasHeader("content-length")) response.socket?.resetAndDestroy();
  } catch {
    // Only TCP can be reset. TLS ends without close_notify (RFC 9112 §9.8), a Unix socket as it always does.
  }
  response.destroy();
}
