// What tests that speak HTTP/2 need: a server and a session that end with the test.
import { once } from "node:events";
import { connect as connectSocket } from "node:net";
import {
  connect,
  createServer,
  type ClientHttp2Session,
  type Http2Server,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from "node:http2";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { listener, type ListenerOptions, type NodeApplication } from "../../src/servers/node.ts";
import { portOf } from "./sockets.ts";

type Ask = (
  fields: OutgoingHttpHeaders,
  content?: string,
  signal?: AbortSignal,
) => Promise<{ headers: IncomingHttpHeaders; text: string }>;

/** Serves an application over HTTP/2, and connects to it. */
export async function http2Session(app: NodeApplication, options: ListenerOptions = {}): Promise<ClientHttp2Session> {
  return sessionOf(createServer(listener(app, options)));
}

/** Connects to a server that does not listen yet. */
export async function sessionOf(server: Http2Server): Promise<ClientHttp2Session> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const session = connect(`http://127.0.0.1:${portOf(server)}`);
  onTestFinished(() => {
    session.destroy();
    server.close();
  });
  return session;
}

/** Serves an application over HTTP/2, and sends it requests by one session. */
export async function startedHttp2(app: NodeApplication, options: ListenerOptions = {}): Promise<Ask> {
  const session = await http2Session(app, options);
  return async (fields, content, signal) => {
    const endStream = content === undefined;
    const stream = session.request({ ":path": "/", ...fields }, { endStream, ...(signal !== undefined && { signal }) });
    if (!endStream) stream.end(content);
    const [headers] = (await once(stream, "response")) as [IncomingHttpHeaders];
    return { headers, text: await text(stream) };
  };
}

/** Sends requests to an application over HTTP/2, and gives the status of each answer. */
export async function overHttp2(
  app: NodeApplication,
): Promise<(fields: OutgoingHttpHeaders, content?: string) => Promise<unknown>> {
  const ask = await startedHttp2(app, { onError: () => {} });
  return async (fields, content) => (await ask(fields, content)).headers[":status"];
}

/** Types of the frames that a client sends (RFC 9113 §6). */
const [data, head, reset, settings] = [0, 1, 3, 4];

/** A POST whose frames are sent one by one, as no well-behaved client would. */
export interface RawPost {
  /** Sends content, and whether it ends there. */
  send(content: string, isLast?: boolean): void;
  /** Resets the stream with an error code (RFC 9113 §7). */
  reset(code: number): void;
}

/**
 * Connects to a server of HTTP/2 that listens, and begins a POST to "/". Node's own client ends the content before it
 * resets with NO_ERROR, so frames are written by hand.
 */
export async function rawPost(port: number, fields: Readonly<Record<string, string>>): Promise<RawPost> {
  const socket = connectSocket(port, "127.0.0.1").on("error", () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  const send = (type: number, flags: number, stream: number, content: Uint8Array): void => {
    const start = Buffer.alloc(9);
    start.writeUIntBE(content.length, 0, 3);
    start.set([type, flags], 3);
    start.writeUInt32BE(stream, 5);
    socket.write(Buffer.concat([start, content]));
  };
  const all = { ":method": "POST", ":scheme": "http", ":path": "/", ":authority": "h", ...fields };
  // RFC 7541 §6.2.2: literals without indexing, of which each length is below 127.
  const literals = Object.entries(all).flatMap(([name, value]) => [
    Uint8Array.of(0),
    ...[name, value].map((part) => Buffer.concat([Uint8Array.of(part.length), Buffer.from(part)])),
  ]);
  socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  send(settings, 0, 0, Buffer.alloc(0));
  send(head, 4, 1, Buffer.concat(literals));
  return {
    send: (content, isLast = false) => send(data, isLast ? 1 : 0, 1, Buffer.from(content)),
    reset: (code) => send(reset, 0, 1, Uint8Array.of(0, 0, 0, code)),
  };
}
