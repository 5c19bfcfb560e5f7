import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect, it, vi } from "vitest";
import { HTTPError } from "../http/http-error.ts";
import { Status } from "../http/status.ts";
import { ask, begin, failingContent, gate, listening, native, polyfill, started, turn } from "../../tests/sockets.ts";
import { listener } from "./node.ts";

describe("send()", () => {
  it("sends no content in answer to HEAD, but the fields", async () => {
    let isCanceled = false;
    const body = (): ReadableStream => new ReadableStream({ cancel: () => void (isCanceled = true) });
    const server = await started(native(() => new Response(body(), { headers: { "content-length": "7" } })));
    const answer = await ask(server, { method: "HEAD" });
    expect(answer).toMatchObject({ status: 200, text: "" });
    expect(answer.headers["content-length"]).toBe("7");
    expect(isCanceled).toBe(true);
  });

  it("keeps several Set-Cookie fields apart, and adds to those that are there", async () => {
    const headers = new Headers([
      ...["a=1, b", "c=2"].map((value) => ["set-cookie", value] as [string, string]),
      ["vary", "b"],
    ]);
    const listen = listener(native(() => new Response("", { headers })));
    const server = await listening(
      createServer((request, response) => {
        response.setHeader("set-cookie", "z=0").setHeader("vary", "a").setHeader("x-request-id", "7");
        listen(request, response);
      }),
    );
    const answer = await ask(server, {});
    expect(answer.headers).toMatchObject({ "set-cookie": ["z=0", "a=1, b", "c=2"], vary: "a, b", "x-request-id": "7" });
  });

  it("frames the message itself", async () => {
    const server = await started(
      native(({ url }) => {
        const fields = {
          "/te": { "transfer-encoding": "gzip" },
          "/cl": { "content-length": "1, 1" },
          "/tr": { trailer: "x" },
        };
        return new Response("content", { headers: fields[new URL(url).pathname as "/te"] });
      }),
    );
    for (const path of ["/te", "/cl", "/tr"]) {
      const answer = await ask(server, { path });
      expect([answer.text, answer.headers["content-length"], answer.headers["transfer-encoding"]]).toEqual([
        "content",
        "7",
        undefined,
      ]);
    }
  });

  it("breaks off content that is not as long as announced", async () => {
    const errors = vi.fn<(error: unknown) => void>();
    const lengths = { "/short": "3", "/long": "9" };
    const server = await started(
      native(
        ({ url }) =>
          new Response("content", { headers: { "content-length": lengths[new URL(url).pathname as "/long"] } }),
      ),
      { onError: errors },
    );
    for (const path of ["/short", "/long"]) await expect(ask(server, { path })).rejects.toThrow();
    expect(errors).toHaveBeenCalledTimes(2);
  });

  it("answers 500 when it cannot send what came back", async () => {
    const errors = vi.fn<(error: unknown) => void>();
    const same = new Response("once");
    const results: Record<string, () => unknown> = {
      "/same": () => same,
      "/nothing": () => undefined,
      "/error": () => Response.error(),
      "/failing": () => new Response(new ReadableStream({ pull: () => Promise.reject(new Error("secret")) })),
    };
    const server = await started(
      native(({ url }) => results[new URL(url).pathname]!() as Response),
      { onError: errors },
    );
    expect(await ask(server, { path: "/same" })).toMatchObject({ status: 200, text: "once" });
    for (const path of Object.keys(results)) {
      const answer = await ask(server, { path });
      expect(answer).toMatchObject({ status: 500, text: '{"title":"Internal Server Error","status":500}' });
      expect(answer.headers["content-type"]).toBe("application/problem+json");
    }
    expect(errors).toHaveBeenCalledTimes(4);
  });

  it("breaks off a response whose content fails after the head was sent", async () => {
    const errors = vi.fn<(error: unknown) => void>();
    const server = await started(
      native(() => new Response(failingContent(new Error("disk")))),
      { onError: errors },
    );
    await expect(ask(server, {})).rejects.toThrow("aborted");
    expect(errors.mock.calls[0]?.[0]).toEqual(new Error("disk"));
  });

  it("sends content as it comes, both ways at once", async () => {
    const server = await started(native((request) => new Response(request.body)));
    const exchange = begin(server, { method: "POST" });
    exchange.write("one");
    const [response] = await once(exchange, "response");
    for (const word of ["one", "two", "three"]) {
      if (word !== "one") exchange.write(word);
      expect(String(await once(response, "data"))).toBe(word);
    }
    exchange.end();
    await once(response, "end");
  });

  it("sends the head before there is any content", async () => {
    const server = await started(native(() => new Response(new ReadableStream())));
    const exchange = begin(server).end();
    const [response] = await once(exchange, "response");
    expect(response.statusCode).toBe(200);
    exchange.destroy();
  });

  it("asks for no more content than the client takes", async () => {
    let pulled = 0;
    const chunk = new Uint8Array(1 << 16);
    const body = new ReadableStream({
      pull: (controller) => (pulled++ < 2000 ? controller.enqueue(chunk) : controller.close()),
    });
    const server = await started(native(() => new Response(body)));
    const exchange = begin(server).end();
    const [response] = await once(exchange, "response");
    response.pause();
    for (let before = -1; before !== pulled; await turn(20)) before = pulled;
    expect(pulled).toBeLessThan(1000);
    let bytes = 0;
    for await (const part of response) bytes += part.length;
    expect(bytes).toBe(2000 * chunk.length);
  });

  it("cancels the content when the client leaves", async () => {
    const canceled = gate();
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from("x")),
      cancel: canceled.open,
    });
    const server = await started(native(() => new Response(body)));
    const exchange = begin(server).end();
    await once(exchange, "response");
    exchange.destroy();
    await canceled.opened;
  });
});

describe("sendProblem()", () => {
  it("C5.7 keeps the fields of the exchange on an error, and drops those of the content", async () => {
    const server = await started(
      polyfill(({ response }) => {
        response.setHeader("access-control-allow-origin", "*").setHeader("set-cookie", ["a=1", "b=2"]);
        response.setHeader("content-length", 1000).setHeader("content-encoding", "gzip").setHeader("etag", '"1"');
        response.statusMessage = "Fine";
        throw new HTTPError(Status.NotFound);
      }),
    );
    const { reason, headers, text: content } = await ask(server, {});
    expect([reason, content]).toEqual(["Not Found", '{"title":"Not Found","status":404}']);
    expect(headers).toMatchObject({
      "access-control-allow-origin": "*",
      "set-cookie": ["a=1", "b=2"],
      "content-length": "34",
    });
    expect(headers).not.toHaveProperty("content-encoding");
    expect(headers).not.toHaveProperty("etag");
  });

  it("sends an error without content where the status or the method has none", async () => {
    const server = await started(
      polyfill(({ url }) => Promise.reject(new HTTPError(url === "/304" ? Status.NotModified : Status.NotFound))),
    );
    expect(await ask(server, { path: "/304" })).toMatchObject({ status: 304, text: "" });
    expect(await ask(server, { method: "HEAD" })).toMatchObject({
      status: 404,
      text: "",
      headers: { "content-length": "34" },
    });
  });
});
