import { once } from "node:events";
import type { IncomingMessage, RequestOptions, Server, ServerResponse } from "node:http";
import { createServer } from "node:http2";
import { buffer, text } from "node:stream/consumers";
import { Application, Resource, type Answer, type Call } from "fingerpost";
import { HTTPError } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { sessionOf } from "../../../tests/support/http2.ts";
import { ask, begin, gate, native, started, turn } from "../../../tests/support/sockets.ts";
import { listener, type ListenerOptions, type NodeApplication } from "../node.ts";

describe("contentOf() after a host that has read it", () => {
  const ways: Record<string, (request: Request) => Promise<string>> = {
    "text()": (request) => request.text(),
    "json()": async (request) => JSON.stringify(await request.json()),
    "arrayBuffer()": async (request) => new TextDecoder().decode(await request.arrayBuffer()),
    "blob()": async (request) => (await request.blob()).text(),
    "formData()": async (request) => [...(await request.formData()).keys()].join(""),
    body: (request) => new Response(request.body).text(),
    "clone()": (request) => request.clone().text(),
    "a copy": (request) => new Request(request.url, request).text(),
  };
  const content = '{"a":1}';
  const type = "application/x-www-form-urlencoded";
  const fault = new HTTPError(
    Status.InternalServerError,
    "Cannot read the content of the request: it was read before listener(); call that first, or set rawBody to the " +
      "bytes",
  );

  it.each(Object.keys(ways).flatMap((name) => [true, false].map((lightRequests) => [name, lightRequests] as const)))(
    "returns what it kept, or says what happened: %s, light requests: %s",
    async (name, lightRequests) => {
      const errors = vi.fn<(error: unknown) => void>();
      const app = native(async (request) => new Response(await ways[name]!(request)));
      const options = { lightRequests, onError: errors };
      const keeps: ((bytes: Buffer) => unknown)[] = [(bytes) => bytes, String, (bytes) => new Uint8Array(bytes)];
      for (const keep of keeps) {
        const answer = await ask(await behindHost(app, options, keep), posting(type), content);
        expect(answer).toMatchObject({ status: 200, text: content });
      }
      expect(errors).not.toHaveBeenCalled();
      for (const keep of [() => undefined, () => ({ a: 1 })]) {
        const answer = await ask(await behindHost(app, options, keep), posting(type), content);
        expect(answer.status).toBe(500);
        expect(errors).toHaveBeenLastCalledWith(fault, expect.anything(), expect.anything());
      }
    },
  );

  it("says the same to handlers that declare content", async () => {
    const errors = vi.fn<(error: unknown) => void>();
    const note = z.object({ a: z.number() });
    class Notes extends Resource {
      paths = ["/"];
      static POST = { content: note, 200: note };
      override POST({ content: read }: Call<typeof Notes, "POST">): Answer<typeof Notes, "POST"> {
        return read;
      }
    }
    const app = Application.builder().resources(Notes).onError(errors).build();
    const server = await behindHost(app, {}, () => undefined);
    expect((await ask(server, posting("application/json"), content)).status).toBe(500);
    expect(errors.mock.calls[0]?.[0]).toEqual(fault);
    const kept = await behindHost(app, {}, (bytes) => bytes);
    expect(await ask(kept, posting("application/json"), content)).toMatchObject({ status: 200, text: content });
  });

  it("returns what it kept when the client has left meanwhile, and nothing after an answer", async () => {
    const given = gate<string>();
    const app = native(async (request) => {
      await once(request.signal, "abort");
      given.open(await request.text());
      return new Response();
    });
    const server = await behindHost(app, {}, (bytes) => bytes);
    const exchange = begin(server, posting(type)).on("error", () => {});
    exchange.end(content);
    await once(server, "served");
    exchange.destroy();
    expect(await given.opened).toBe(content);

    const late = gate<unknown>();
    const hasty = native((request) => {
      setTimeout(() => request.text().catch(late.open), 50);
      return new Response();
    });
    await ask(await behindHost(hasty, {}, (bytes) => bytes), posting(type), content);
    expect(await late.opened).toEqual(new TypeError("Cannot read the content of the request: it was answered already"));
  });

  it("is empty where it was empty, and read half it is not the rest", async () => {
    const errors = vi.fn<(error: unknown) => void>();
    const app = native(async (request) => new Response(`<${await request.text()}>`));
    const chunked = { method: "POST", headers: { "transfer-encoding": "chunked" } };
    expect((await ask(await behindHost(app, {}, () => undefined), chunked)).text).toBe("<>");
    const half = await started(app, { onError: errors });
    const [own] = half.listeners("request") as [Listener];
    half.removeAllListeners("request");
    half.on("request", async (message, response) => {
      await once(message, "data");
      message.pause();
      own(message, response);
    });
    expect((await ask(half, posting(type), "x".repeat(1_000_000))).status).toBe(500);
    expect(errors.mock.calls[0]?.[0]).toEqual(fault);
  });

  it("holds over HTTP/2", async () => {
    const errors = vi.fn<(error: unknown) => void>();
    const app = native(async (request) => new Response(`<${await request.text()}>`));
    const own = listener(app, { onError: errors });
    const server = createServer(async (message, response) => {
      const bytes = await buffer(message);
      if (message.url === "/kept") Object.assign(message, { rawBody: bytes });
      own(message, response);
    });
    const session = await sessionOf(server);
    for (const path of ["/kept", "/lost"]) {
      const stream = session.request({ ":path": path, ":method": "POST" });
      stream.end(content);
      const [fields] = await once(stream, "response");
      const told = await text(stream);
      expect([fields[":status"], told]).toEqual(
        path === "/kept" ? [200, `<${content}>`] : [500, '{"title":"Internal Server Error","status":500}'],
      );
    }
    expect(errors.mock.calls.map(([error]) => error)).toEqual([fault]);
  });
});

type Listener = (message: IncomingMessage, response: ServerResponse) => void;

/** Serves an application after a host that reads all content first, and may keep it. */
async function behindHost(
  app: NodeApplication,
  options: ListenerOptions,
  keep: (bytes: Buffer) => unknown,
): Promise<Server> {
  const server = await started(app, options);
  const [own] = server.listeners("request") as [Listener];
  server.removeAllListeners("request");
  server.on("request", async (message, response) => {
    Object.assign(message, { rawBody: keep(await buffer(message)) });
    await turn();
    own(message, response);
    server.emit("served");
  });
  return server;
}

function posting(type: string): RequestOptions {
  return { method: "POST", headers: { "content-type": type } };
}
