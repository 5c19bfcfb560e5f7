import type { IncomingMessage, Server } from "node:http";
import { hasProperty } from "../../http/javascript/property.ts";
import { OptionCheck } from "../../http/javascript/option-check.ts";

/** Options of `listener()` besides the application. */
export interface ListenerOptions {
  /**
   * Observes every error that the listener makes a response from, or that keeps it from sending one. By default errors
   * that are the server's fault go to `console.error`.
   *
   * The second parameter is the input of the application, as `.onError()` of the builder has it: a `Request`, or a
   * context. It is `undefined` if the input could not be made. It is also `undefined` if Node's response, or a source
   * piped to it, emits an error. The third parameter is Node's request.
   */
  onError?: ((error: unknown, input: object | undefined, request: IncomingMessage) => unknown) | undefined;
  /** An `Attribute` that is set to the address of the client's end of the connection, for the input of each request. */
  address?: { set(input: object, address: string): void } | undefined;
  /**
   * Is called with each input and Node's request, before the application. Use it to set attributes, such as the user of
   * a framework in front or the certificate of a client. A Promise is awaited. Its errors are answered like errors of a
   * handler.
   */
  onRequest?: ((input: object, request: IncomingMessage) => unknown) | undefined;
  /**
   * Whether handlers of the native module get a light `Request`, which is made only as far as it is read. Default:
   * `true`.
   *
   * It is an `instanceof Request`, but Node's `new Request(request)` and `fetch(request)` throw a `TypeError` for it.
   * Write `new Request(request.url, request)`. For code of others, set `false` to get requests of Node's own class.
   * Each costs several times as much as routing.
   */
  lightRequests?: boolean | undefined;
}

/** Options of `serve()` besides the application. */
export interface ServeOptions extends ListenerOptions {
  /** The port to listen on, also as the environment has it; 0 takes a free one. Default: 3000. */
  port?: number | string | undefined;
  /** The name or address to listen on. Default: all addresses. */
  hostname?: string | undefined;
  /** The path of a Unix socket to listen on, instead of a port. On Windows, the name of a pipe. Default: none. */
  socketPath?: string | undefined;
  /**
   * The file descriptor of a socket that listens already, instead of a port: 3 for the first one of systemd. Default:
   * none.
   */
  fd?: number | undefined;
  /** How many connections may wait to be accepted. Default: 511, as in Node. */
  backlog?: number | undefined;
  /**
   * Requests that may be under way at once, until their response begins. More get 503 with `Retry-After` before their
   * content is read, except for resources with `static essential = true`. Open streams and WebSockets do not count.
   * `Infinity` sets no limit. Default: 500.
   */
  maxRequests?: number | undefined;
  /** Delay of the event loop, in milliseconds, from which on requests get 503. Default: no limit. */
  maxLoopDelayMs?: number | undefined;
  /** Open connections; more are closed at once. Default: no limit. */
  maxConnections?: number | undefined;
  /**
   * Time in which a client may neither read what is sent, nor send content that a handler waits for, in milliseconds.
   * After it the connection is cut. Default: no limit.
   */
  maxSlowMs?: number | undefined;
  /** Closes the server when it aborts. Default: none. */
  signal?: AbortSignal | undefined;
  /**
   * Signals of the process that close the server, such as `["SIGINT", "SIGTERM"]`. The first one closes it, and a
   * second one ends the process. Default: none.
   */
  stopOn?: readonly NodeJS.Signals[] | undefined;
  /**
   * Time in which the server goes on before it stops, while the readiness of `health()` is 503, in milliseconds. Load
   * balancers learn of it by then. Default: 0.
   */
  leaveMs?: number | undefined;
  /**
   * The milliseconds that open responses, WebSockets and tunnels have to end when the signal aborts. Default: 10,000.
   */
  graceMs?: number | undefined;
  /**
   * What listens: a server of `node:http` or `node:https` that has no listener for requests, such as
   * `createServer({ key, cert })`. Default: a new one of `node:http`.
   */
  server?: Server | undefined;
}

const listenerNames = ["onError", "onRequest", "address", "lightRequests"] as const;

/** Checks the options of `listener()`. @throws {TypeError} when a name does not exist, or a value cannot work. */
export function listenerOptions(options: ListenerOptions): ListenerOptions {
  return checked(new OptionCheck("listener", options, listenerNames));
}

/**
 * Checks the options of `serve()`. Node itself checks name and backlog.
 * @throws {TypeError} when a name does not exist, or a value cannot work.
 */
export function serveOptions(options: ServeOptions): ServeOptions {
  const names = [
    "port",
    "hostname",
    "socketPath",
    "fd",
    "backlog",
    "maxRequests",
    "maxLoopDelayMs",
    "maxConnections",
    "maxSlowMs",
    "signal",
    "stopOn",
    "leaveMs",
    "graceMs",
    "server",
    ...listenerNames,
  ] as const;
  const check = new OptionCheck("serve", options, names);
  const { port, hostname, socketPath, fd, maxRequests, signal, server } = check.options;
  check.require(isPort(port), "port", "a number from 0 to 65535");
  check.require(
    socketPath === undefined || (typeof socketPath === "string" && socketPath !== ""),
    "socketPath",
    "the path of a socket",
  );
  check.positive("maxLoopDelayMs", "maxConnections", "maxSlowMs");
  if (maxRequests !== Infinity) check.positive("maxRequests");
  check.count("fd", "graceMs", "leaveMs");
  const hasPort = port !== undefined || hostname !== undefined;
  check.require(
    socketPath === undefined || !(hasPort || fd !== undefined),
    "socketPath",
    'without "port", "hostname" and "fd"',
  );
  check.require(fd === undefined || !hasPort, "fd", 'without "port" and "hostname"');
  check.require(isSignal(signal), "signal", "an AbortSignal");
  check.list("stopOn", (name) => /^SIG[A-Z]/.test(String(name)), 'signals of the process, such as "SIGTERM"');
  check.require(isFresh(server), "server", "a server of node:http or node:https without a listener for requests");
  return checked(check);
}

function checked<Options extends ListenerOptions>(check: OptionCheck<Options>): Options {
  check.function("onError", "onRequest");
  check.attribute("address");
  check.boolean("lightRequests");
  return check.options;
}

/** Digits in a string are a port for Node, as in the environment. */
function isPort(port: unknown): boolean {
  if (port === undefined) return true;
  const isNumber = typeof port === "number" || (typeof port === "string" && /^\d+$/.test(port));
  return isNumber && Number.isInteger(Number(port)) && Number(port) >= 0 && Number(port) <= 65_535;
}

/** Signals of other realms are not instances. */
function isSignal(signal: AbortSignal | undefined): boolean {
  return signal === undefined || typeof (signal as AbortSignal | null)?.throwIfAborted === "function";
}

/** Servers of `node:http2` have no such property. `node:https` is not loaded to ask for its class. */
function isFresh(server: Server | undefined): boolean {
  if (server === undefined) return true;
  return (
    typeof server === "object" &&
    server !== null &&
    hasProperty(server, "maxHeadersCount") &&
    server.listenerCount("request") === 0
  );
}
