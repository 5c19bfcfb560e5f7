import { ServerResponse, type IncomingMessage, type Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Socket } from "node:net";
import type * as ws from "ws";
import type { LoadLimit } from "../../dispatch/load-limit.ts";
import { print } from "../../dispatch/error-response.ts";
import { propertyOf, hasProperty } from "../../http/javascript/property.ts";
import { ownFieldsOf, takeAccepted, type Accepted } from "../../sockets/accepted.ts";
import { preparationBy, reportsTo, type Fetching, type Reports } from "./answering.ts";
import type { ListenerOptions } from "./server-options.ts";
import { requestOf, type RequestLike } from "./incoming-request.ts";
import { send } from "./response-writing.ts";
import { isStopping, replaceTaking, tellLeaving, type Connections } from "./connections.ts";
import { settleHandshake } from "./node-request.ts";
import { openOnNode } from "./node-wire.ts";
import { cutUnread } from "./slow-clients.ts";

/** A listener for the event `upgrade` of a server of Node. */
export type UpgradeListener = (message: IncomingMessage, socket: Duplex, head: Uint8Array) => void;

/**
 * Makes the listener that takes handshakes to an application and completes those that it accepts. A request for another
 * protocol is answered as if nobody listened (RFC 9110 §7.8).
 */
export function upgradesBy(app: Fetching, options: ListenerOptions, limit: LoadLimit | null = null): UpgradeListener {
  const { lightRequests = true } = options;
  const host: Host = { app, lightRequests, prepare: preparationBy(options), reports: reportsTo(options, app), limit };
  return (message, socket, head) => {
    // A client may reset the connection at any time, and an error that nobody hears ends the process.
    if (!socket.listeners("error").includes(destroy)) socket.on("error", destroy);
    answer(host, message, socket as Socket, head).catch((error: unknown) => {
      print(error);
      socket.destroy();
    });
  };
}

function destroy(this: Duplex): void {
  this.destroy();
}

/** An application, and what is done with its requests whatever they ask for. */
interface Host {
  readonly app: Fetching;
  readonly lightRequests: boolean;
  readonly prepare: ReturnType<typeof preparationBy>;
  readonly reports: Reports;
  readonly limit: LoadLimit | null;
}

/**
 * Completes the WebSockets of an application on a server. A listener of the program decides instead, even one that is
 * added later.
 */
export function takeUpgrades(
  server: Server,
  app: Fetching,
  options: ListenerOptions,
  { take }: Connections,
  limit: LoadLimit,
): void {
  const listen = upgradesBy(app, options, limit);
  const own: UpgradeListener = (message, socket, head) => {
    if (!hasOther()) listen(message, socket, head);
  };
  const hasOther = (): boolean => server.listeners("upgrade").some((listener) => listener !== own && listener !== take);
  // Node 22.23, 24 and 26 leave other protocols to HTTP if they are told to.
  if (hasProperty(server, "shouldUpgradeCallback")) {
    (server as unknown as Deciding).shouldUpgradeCallback = (message) => isUpgrade(message) || hasOther();
  }
  server.on("upgrade", own);
}

interface Deciding {
  shouldUpgradeCallback: (message: IncomingMessage) => boolean;
}

/** Returns whether a request of Node asks for a WebSocket. */
function isUpgrade({ method, headers }: Pick<IncomingMessage, "method" | "headers">): boolean {
  return method === "GET" && /(?:^|,)[\t ]*websocket[\t ]*(?:,|$)/i.test(headers.upgrade ?? "");
}

async function answer(host: Host, message: IncomingMessage, socket: Socket, head: Uint8Array): Promise<void> {
  await othersOver(socket);
  if (socket.destroyed) return;
  if (!isUpgrade(message)) return giveBack(message, socket, head);
  if (message.httpVersion === "1.0") withoutUpgrade(message);
  const response = new ServerResponse(message);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  // What was asked for before could not say that the connection closes.
  // A client that does not end its side would keep the connection for ever.
  // Node 26 gives a stream without `destroySoon()` where content comes with a handshake.
  response.once("finish", () => socket.end(() => socket.destroy()));
  socket.on("timeout", cutUnread);
  if (isStopping(socket)) return void response.writeHead(503, { "Content-Length": 0 }).end();
  const accepted = await acceptedBy(host, message, response);
  if (accepted === undefined) return;
  socket.off("timeout", cutUnread);
  const server = await serverFor(accepted.maxBytes);
  response.detachSocket(socket);
  if (socket.destroyed) return;
  // Signals that were made before listen to the response.
  if (response.listenerCount("close") > 0) socket.once("close", () => response.emit("close"));
  protocols.set(message, accepted.protocol);
  // The client may name other protocols as well, and `ws` refuses such a list.
  message.headers.upgrade = "websocket";
  server.handleUpgrade(message, socket, head as Buffer, (peer) => {
    openOnNode(peer, socket, accepted.connection);
    tellLeaving(socket, accepted.connection);
  });
}

/** Returns what an application accepts. Whatever else it says is sent, and ends the connection. */
async function acceptedBy(
  { app, lightRequests, prepare, reports, limit }: Host,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<Accepted | undefined> {
  const refused = limit?.enter(message) ?? null;
  if (refused !== null) return void reports.decline(refused, message, response);
  let request: Request | RequestLike | undefined;
  try {
    request = requestOf(message, response, lightRequests);
    const pending = prepare?.(request, message);
    if (pending !== undefined) await pending;
    const answered = await app.fetch(request);
    const accepted = answered.status === 101 ? takeAccepted(request) : undefined;
    if (accepted === undefined) await send(answered, message, response);
    else {
      const settled = settleHandshake(request);
      if (settled !== null) replaceTaking(message, settled);
      ownLines.set(
        message,
        ownFieldsOf(answered).map(([name, value]) => `${name}: ${value}`),
      );
    }
    return accepted;
  } catch (error) {
    reports.fail(error, message, response, request);
    return undefined;
  } finally {
    limit?.leave();
  }
}

/** Hands a request to the server again, without the fields by which it asked for another protocol. */
function giveBack({ method, url, httpVersion, rawHeaders }: IncomingMessage, socket: Socket, head: Uint8Array): void {
  const lines = [[method, url, `HTTP/${httpVersion}`].join(" ")];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (/^(?:upgrade|http2-settings)$/i.test(name)) continue;
    const value = rawHeaders[at + 1]!;
    // `close` and `keep-alive` stand, and names of fields for this connection.
    const options = /^connection$/i.test(name) ? value.split(",").filter((one) => !isForUpgrade(one)) : [value];
    lines.push(`${name}: ${options.join(",")}`);
  }
  // What Node reads of a field is one character for each byte.
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  // A server of TLS would begin to speak it anew.
  const event = hasProperty(socket, "encrypted") ? "secureConnection" : "connection";
  (propertyOf(socket as { server?: Server }, "server") as Server).emit(event, socket);
}

/** Takes `Upgrade` from a request of HTTP/1.0, where it says nothing (RFC 9110 §7.8). */
function withoutUpgrade({ headers, rawHeaders }: IncomingMessage): void {
  delete headers.upgrade;
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2) {
    if (rawHeaders[at]!.toLowerCase() === "upgrade") rawHeaders.splice(at, 2);
  }
}

function isForUpgrade(option: string): boolean {
  return /^[\t ]*(?:upgrade|http2-settings)[\t ]*$/i.test(option);
}

/** The member of a connection that has the response which is being written to it. */
const under = "_httpMessage";

/** Waits until all that the client asked for before on the connection is answered. */
async function othersOver(socket: Socket): Promise<void> {
  for (;;) {
    const other = (socket as { readonly [under]?: ServerResponse | null })[under];
    if (other === undefined || other === null || socket.destroyed) return;
    // Node has let go of the connection.
    const drain = (): void => void other.emit("drain");
    socket.on("drain", drain);
    await new Promise<void>((resolve) => {
      const over = (): void => {
        other.off("close", over);
        socket.off("close", over);
        resolve();
      };
      other.on("close", over);
      socket.on("close", over);
    });
    socket.off("drain", drain);
  }
}

/** The subprotocol that was agreed on, by the message of the handshake. */
const protocols = new WeakMap<IncomingMessage, string>();
/** The lines of the fields that its answer has besides, by the same message. */
const ownLines = new WeakMap<IncomingMessage, readonly string[]>();
/** One server for each limit: \`ws\` has it for all of its connections. */
const servers = new Map<number, ws.WebSocketServer>();

async function serverFor(maxPayload: number): Promise<ws.WebSocketServer> {
  const known = servers.get(maxPayload);
  if (known !== undefined) return known;
  const { WebSocketServer } = await loadedWs();
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload,
    handleProtocols: (_offered, message) => protocols.get(message) || false,
  });
  server.on("headers", (lines, message) => void lines.push(...(ownLines.get(message) ?? [])));
  servers.set(maxPayload, server);
  return server;
}

/** Loads the package that speaks WebSocket on Node. @throws {Error} when it is not installed. */
async function loadedWs(): Promise<typeof ws> {
  try {
    return await import("ws");
  } catch (cause) {
    throw new Error("Cannot accept WebSockets on Node: the package ws is missing; run npm install ws", { cause });
  }
}
