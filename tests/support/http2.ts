// What tests that speak HTTP/2 need: a server and a session that end with the test.
import { once } from "node:events";
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
