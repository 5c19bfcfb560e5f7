// Own fields of each kind of answer, of handlers and of middleware, arrive at a real client.
import { once } from "node:events";
import { createServer, get, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { listener, serve } from "fingerpost/node";
import { Application, HTTPError, Middleware, Resource, Response, Status, type RequestOf } from "fingerpost/native";
import { upgrade } from "fingerpost/native/content";
import { describe, expect, it, onTestFinished } from "vitest";
import { error, errorHeaders, expectedOf, kinds, own, ownAmong } from "../cases/own-fields.ts";
import { startedHttp2 } from "../support/http2.ts";
import { portOf } from "../support/sockets.ts";

class Kinds extends Resource {
  paths = ["/kinds/:kind"] as const;
  GET({ params }: RequestOf<Kinds>): Response {
    const kind = params.pathParam("kind");
    if (kind === error) throw new HTTPError(Status.NotFound, "None", { headers: errorHeaders() });
    return kinds[kind]!(Response);
  }
}

class Talk extends Resource {
  paths = ["/talk"];
  GET(request: Request): Response {
    const answer = upgrade(request, {});
    for (const [name, value] of own("handler")) answer.headers.append(name, value);
    return answer;
  }
}

class Marks extends Middleware {
  async ALL(request: Request): Promise<Response> {
    const response = await this.next(request);
    for (const [name, value] of own("middleware")) response.headers.append(name, value);
    return response;
  }
}

const app = Application.builder().resources(Kinds, Talk).middleware(Marks).build();

const arrived = (headers: IncomingHttpHeaders): unknown =>
  ownAmong(Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one] as const)));

describe("own fields", () => {
  for (const kind of [...Object.keys(kinds), error]) {
    const path = `/kinds/${encodeURIComponent(kind)}`;
    it(`of ${kind} arrive over HTTP/1.1`, async () => {
      const server = createServer(listener(app)).listen(0, "127.0.0.1");
      onTestFinished(() => void server.close());
      await once(server, "listening");
      const [message] = (await once(get({ port: portOf(server), path, agent: false }), "response")) as [
        IncomingMessage,
      ];
      message.resume();
      expect([String(message.statusCode), arrived(message.headers)]).toEqual([kind.slice(0, 3), expectedOf(kind)]);
    });

    it(`of ${kind} arrive over HTTP/2`, async () => {
      const ask = await startedHttp2(app);
      const { headers } = await ask({ ":path": path });
      expect([String(headers[":status"]), arrived(headers as IncomingHttpHeaders)]).toEqual([
        kind.slice(0, 3),
        expectedOf(kind),
      ]);
    });
  }

  it("of 101 arrive", async () => {
    const stop = new AbortController();
    const server = await serve(app, { port: 0, signal: stop.signal, graceMs: 1 });
    onTestFinished(() => stop.abort());
    const headers = {
      connection: "upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
    };
    const request = get({ port: portOf(server as never), path: "/talk", headers, agent: false });
    const [message, socket] = (await once(request, "upgrade")) as [IncomingMessage, { destroy(): void }];
    socket.destroy();
    expect([message.statusCode, arrived(message.headers)]).toEqual([101, expectedOf("101")]);
  });
});
