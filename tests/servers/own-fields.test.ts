// Own fields of each kind of answer, of handlers and of middleware, arrive at a real client.
import { once } from "node:events";
import { createServer, get, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { listener, serve } from "fingerpost/node";
import { Application, HTTPError, Middleware, Resource, Status } from "fingerpost/native";
import { upgrade } from "fingerpost/native/content";
import { describe, expect, it, onTestFinished } from "vitest";
import { startedHttp2 } from "../support/http2.ts";
import { portOf } from "../support/sockets.ts";

const own = (by: string): [string, string][] => [
  ["set-cookie", `a-${by}=1`],
  ["set-cookie", `b-${by}=2`],
  [`x-${by}`, by],
  ["vary", `x-${by}`],
];
const fields = (): Headers => new Headers(own("handler"));

const kinds: Readonly<Record<string, (request: Request) => Response>> = {
  "200": () => new Response("x", { headers: fields() }),
  "204": () => new Response(null, { status: 204, headers: fields() }),
  "206": () =>
    new Response("x", { status: 206, headers: new Headers([...own("handler"), ["content-range", "bytes 0-0/2"]]) }),
  "304": () => new Response(null, { status: 304, headers: fields() }),
  "200 stream": () => new Response(new Blob(["x"]).stream(), { headers: fields() }),
  "404 error": () => {
    throw new HTTPError(Status.NotFound, "None", { headers: fields() });
  },
  "500 status": () => new Response("x", { status: 500, headers: fields() }),
};

class Kinds extends Resource {
  paths = ["/kinds/:kind"];
  GET(request: Request): Response {
    return kinds[decodeURIComponent(new URL(request.url).pathname.slice(7))]!(request);
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

function arrived({ "set-cookie": cookies, vary, ...rest }: IncomingHttpHeaders): unknown {
  const both = [rest["x-handler"], rest["x-middleware"]];
  return { cookies, vary: String(vary).split(/, */), both };
}
const all = {
  cookies: ["a-handler=1", "b-handler=2", "a-middleware=1", "b-middleware=2"],
  vary: ["x-handler", "x-middleware"],
  both: ["handler", "middleware"],
};

/** A thrown error passes middleware by that does not catch it. */
const thrown = { cookies: all.cookies.slice(0, 2), vary: ["x-handler"], both: ["handler", undefined] };
const expectedOf = (kind: string): unknown => [kind.slice(0, 3), kind.endsWith("error") ? thrown : all];

describe("own fields", () => {
  for (const kind of Object.keys(kinds)) {
    const path = `/kinds/${encodeURIComponent(kind)}`;
    it(`of ${kind} arrive over HTTP/1.1`, async () => {
      const server = createServer(listener(app)).listen(0, "127.0.0.1");
      onTestFinished(() => void server.close());
      await once(server, "listening");
      const [message] = (await once(get({ port: portOf(server), path, agent: false }), "response")) as [
        IncomingMessage,
      ];
      message.resume();
      expect([String(message.statusCode), arrived(message.headers)]).toEqual(expectedOf(kind));
    });

    it(`of ${kind} arrive over HTTP/2`, async () => {
      const ask = await startedHttp2(app);
      const { headers } = await ask({ ":path": path });
      expect([String(headers[":status"]), arrived(headers)]).toEqual(expectedOf(kind));
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
    expect([message.statusCode, arrived(message.headers)]).toEqual([101, all]);
  });
});
