// What tests that speak HTTP/2 need: a server and a session that end with the test.
import { once } from "node:events";
import { connect, createServer, type OutgoingHttpHeaders } from "node:http2";
import { onTestFinished } from "vitest";
import { listener, type NodeApplication } from "../src/servers/node.ts";
import { portOf } from "./sockets.ts";

/** Sends requests to an application over HTTP/2, and gives the status of each answer. */
export async function overHttp2(
  app: NodeApplication,
): Promise<(fields: OutgoingHttpHeaders, content?: string) => Promise<unknown>> {
  const server = createServer(listener(app, { onError: () => {} })).listen(0, "127.0.0.1");
  await once(server, "listening");
  const session = connect(`http://127.0.0.1:${portOf(server)}`);
  onTestFinished(() => {
    session.destroy();
    server.close();
  });
  return async (fields, content) => {
    const stream = session.request(fields, { endStream: content === undefined });
    if (content !== undefined) stream.end(content);
    const [head] = await once(stream, "response");
    return head[":status"];
  };
}
