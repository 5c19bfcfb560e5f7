import { once } from "node:events";
import { createReadStream } from "node:fs";
import { createServer, ServerResponse, type OutgoingHttpHeaders, type Server } from "node:http";
import { Readable } from "node:stream";
import { FastResponse } from "srvx";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { HTTPError } from "../../http/protocol/http-error.ts";
import { Response as OwnResponse } from "../../http/message/response.ts";
import { Status } from "../../http/protocol/status.ts";
import {
  ask,
  begin,
  failingContent,
  gate,
  listening,
  native,
  polyfill,
  started,
  turn,
} from "../../../tests/support/sockets.ts";
import { listener } from "../node.ts";

/** Node 26 has none, and nothing shows that the function was replaced. */
const hasOtherName = "writeHeader" in ServerResponse.prototype;

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

  it("answers 500 to a field that Node does not send, with nothing of the response", async () => {
    const headers = { "a-value": "\x01", "set-cookie": "a=1", "0-first": "1" };
    const server = await started(
      native(() => new Response("content", { headers })),
      { onError: () => {} },
    );
    const answer = await ask(server, {});
    expect(answer).toMatchObject({ status: 500, text: '{"title":"Internal Server Error","status":500}' });
    expect(Object.keys(answer.headers).toSorted()).toEqual(["connection", "content-length", "content-type", "date"]);
  });

  it("answers 500 where content is not as long as announced, or breaks it off if that shows too late", async () => {
    const errors = vi.fn<(error: unknown) => void>();
    const lengths: Record<string, string> = { "/short": "3", "/long": "9" };
    const contents: Record<string, () => BodyInit | null> = {
      text: () => "content",
      bytes: () => new TextEncoder().encode("content"),
      nothing: () => null,
      one: () => new Blob(["content"]).stream(),
      "begun too long": () => begun("content"),
    };
    const late: Record<string, () => BodyInit> = { parts: () => begun("co") };
    const light = () => new FastResponse("content", { headers: { "Content-Length": "3", "x-a": "content-length" } });
    for (const [name, content] of Object.entries({ ...contents, ...late })) {
      const server = await started(
        native(({ url }) => {
          const length = lengths[new URL(url).pathname]!;
          return new Response(content(), { headers: { "content-length": length, etag: '"1"' } });
        }),
        { onError: errors },
      );
      for (const path of Object.keys(lengths)) {
        errors.mockClear();
        const answer = ask(server, { path });
        if (name in late || (name.startsWith("begun") && path === "/long")) {
          await expect(answer, name).rejects.toThrow();
        } else {
          const { status, text, headers } = await answer;
          expect([status, text], name).toEqual([500, '{"title":"Internal Server Error","status":500}']);
          expect(headers, name).not.toHaveProperty("etag");
          expect(errors.mock.calls[0]![0], name).toEqual(
            new TypeError("Cannot send the response: its content is not as long as its content-length says"),
          );
        }
        expect(errors, name).toHaveBeenCalledOnce();
      }
      for (const path of Object.keys(lengths))
        expect((await ask(server, { path, method: "HEAD" })).headers["content-length"], name).toBe(lengths[path]);
    }
    expect((await ask(await started(native(light), { onError: errors }))).status).toBe(500);
  });

  it("answers 500 where content is not as long as a host in front has announced", async () => {
    const server = createServer((message, response) => {
      response.setHeader("content-length", "3");
      answer(message, response);
    });
    const answer = listener(
      native(({ url }) => new Response(url.endsWith("/right") ? "con" : "content")),
      { onError: () => {} },
    );
    await listening(server);
    expect((await ask(server)).status).toBe(500);
    expect(await ask(server, { path: "/right" })).toMatchObject({ status: 200, text: "con" });
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

  it.each([undefined, null, 5, () => {}])(
    "answers 500 to content that is %s, not as if there were none",
    async (part) => {
      const errors: unknown[] = [];
      const server = await started(
        native(() => new Response(streamOf(part))),
        { onError: (error) => void errors.push(error) },
      );
      expect(await ask(server)).toMatchObject({ status: 500 });
      expect(errors).toHaveLength(1);
    },
  );

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

  it("cancels the content where its head cannot be written", async () => {
    const canceled = gate();
    const body = (): ReadableStream =>
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(1)),
        cancel: () => canceled.open(),
      });
    // `Headers` takes a control character, Node does not.
    const app = native(() => new Response(body(), { headers: { "x-file": "a\x01b" } }));
    expect((await ask(await started(app, { onError: () => {} }))).status).toBe(500);
    await canceled.opened;
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

describe("send() of a light Response", () => {
  const chunks = (): ReadableStream => new Blob(["con", "tent"]).stream();
  const contents: [string, () => BodyInit | Readable | null][] = [
    ["text", () => "content"],
    ["bytes", () => new TextEncoder().encode("content")],
    ["a view", () => new DataView(new TextEncoder().encode("content").buffer)],
    ["a blob", () => new Blob(["content"])],
    ["a stream", chunks],
    ["a stream of Node", () => Readable.from([Buffer.from("con"), Buffer.from("tent")])],
    ["nothing", () => null],
  ];

  it.each(contents)("sends %s as of any other, without making a whole one", async (_name, content) => {
    const init = { status: 203, headers: { "X-A": "1", "set-cookie": "a=1", te: "x", "content-type": "text/plain" } };
    const light = await started(native(() => new FastResponse(content() as BodyInit, init)));
    const whole = await started(native(() => new Response(content() as BodyInit, init)));
    for (const method of ["GET", "HEAD"]) {
      const expected = await ask(whole, { method });
      const made = vi.fn<() => void>();
      const ofNode = vi.spyOn(FastResponse.prototype as unknown as { _response: Response }, "_response", "get");
      ofNode.mockImplementation(made as never);
      const answer = await ask(light, { method });
      ofNode.mockRestore();
      expect(made).not.toHaveBeenCalled();
      for (const { headers } of [expected, answer])
        for (const name of ["date", "content-length", "transfer-encoding"]) delete headers[name];
      expect(answer).toEqual(expected);
    }
  });

  it("keeps fields that are there, and frames the message itself", async () => {
    const listen = listener(
      native(
        () =>
          new FastResponse("content", {
            headers: [
              ["vary", "b"],
              ["content-length", "1, 1"],
            ],
          }),
      ),
    );
    const server = await listening(
      createServer((request, response) => {
        response.setHeader("vary", "a").setHeader("x-request-id", "7");
        listen(request, response);
      }),
    );
    const { headers, text: content } = await ask(server, {});
    expect(headers).toMatchObject({ vary: "a, b", "x-request-id": "7", "content-length": "7" });
    expect(content).toBe("content");
  });

  it("sends fields that are there more than once, and any name, as one by one", async () => {
    const repeated = [
      "vary: a",
      "vary: b",
      "set-cookie: a=1",
      "set-cookie: b=2",
      "link: <a>",
      "link: <b>",
      "content-length: 7",
      "content-length: 7",
    ];
    const lists = [repeated, ["constructor: 1", "__proto__: 2"], ["x-a: 1"]];
    const server = await started(
      native(({ url }) => {
        const headers = lists[Number(url.at(-1))]!.map((line) => line.split(": ") as [string, string]);
        return new FastResponse("content", { headers });
      }),
    );
    const answers = await Promise.all(lists.map((_, at) => ask(server, { path: `/${at}` })));
    expect(answers.map(({ status, text: content }) => `${status} ${content}`)).toEqual(Array(3).fill("200 content"));
    const [several, odd, plain] = answers.map(({ headers }) => headers);
    expect(several).toMatchObject({
      vary: "a, b",
      "set-cookie": ["a=1", "b=2"],
      link: "<a>, <b>",
      "content-length": "7",
    });
    expect(Object.entries(odd!)).toContainEqual(["constructor", "1"]);
    expect(plain).toMatchObject({
      "x-a": "1",
      "content-length": "7",
      "content-type": expect.stringMatching("text/plain"),
    });
  });

  it("writes fields and reason phrase as of any other where they are beyond ASCII, and its text as UTF-8", async () => {
    const inits: ResponseInit[] = [
      { headers: { "x-a": "caf\xe9", "content-type": "text/plain" } },
      { statusText: "tr\xe8s bien", headers: { "content-type": "text/plain" } },
      { headers: { "content-type": "text/plain" } },
    ];
    const by = async (make: typeof Response): Promise<Server> => {
      const listen = listener(native(({ url }) => new make("contént", inits[Number(url.at(-1))])));
      return listening(
        createServer((request, response) => {
          if (request.url === "/2") response.setHeader("x-outer", "caf\xe9");
          listen(request, response);
        }),
      );
    };
    const [light, whole] = [await by(FastResponse), await by(Response)];
    for (const path of inits.keys()) {
      const [answer, expected] = [await ask(light, { path: `/${path}` }), await ask(whole, { path: `/${path}` })];
      for (const { headers } of [answer, expected]) delete headers.date;
      expect(answer).toEqual(expected);
      expect(answer.text).toBe("contént");
      expect(JSON.stringify(answer)).toMatch(/caf\xe9|tr\xe8s/);
    }
  });

  it("sets fields one by one for a class of responses with a writeHead() that reads an object", async () => {
    // So do responses that imitate Node on AWS Lambda.
    class Hosted extends ServerResponse {
      override writeHead(status: number, ...given: unknown[]): this {
        const fields = given.at(-1) as OutgoingHttpHeaders | undefined;
        for (const name in fields) this.setHeader(name, fields[name]!);
        return super.writeHead(status, { ...this.getHeaders(), "x-seen": String(this.getHeader("content-type")) });
      }
    }
    const listen = listener(native(() => OwnResponse.json({ a: 1 }, { headers: { "x-a": "1" } })));
    const { headers, text } = await ask(await listening(createServer({ ServerResponse: Hosted }, listen)));
    expect(headers).toMatchObject({ "x-a": "1", "x-seen": "application/json", "content-length": "7" });
    expect(headers).not.toHaveProperty("0");
    expect(text).toBe('{"a":1}');
  });

  it("lets a host in front that replaces end() or setHeader() of one response have its own fields", async () => {
    const listen = listener(native(() => OwnResponse.json({ a: 1 })));
    const server = await listening(
      createServer((request, response) => {
        const { end, setHeader } = response;
        if (request.url === "/end") {
          response.end = (...given: unknown[]) => {
            response.setHeader("x-ended", "1");
            return Reflect.apply(end, response, given);
          };
        } else {
          response.setHeader = (name, value) => setHeader.call(response, `x-${name}`, value) as typeof response;
        }
        listen(request, response);
      }),
    );
    expect(await ask(server, { path: "/end" })).toMatchObject({ headers: { "x-ended": "1" }, text: '{"a":1}' });
    expect((await ask(server)).headers).toHaveProperty("x-content-type");
  });

  it("sets fields one by one where somebody has replaced writeHead() of all responses", async () => {
    const { writeHead } = ServerResponse.prototype;
    onTestFinished(() => {
      ServerResponse.prototype.writeHead = writeHead;
      vi.resetModules();
    });
    const seen: unknown[] = [];
    ServerResponse.prototype.writeHead = function (this: ServerResponse, ...given: [number]) {
      seen.push(given.length, this.getHeader("content-type"));
      return writeHead.apply(this, given);
    } as typeof writeHead;
    for (const isBefore of [false, true]) {
      if (isBefore) vi.resetModules();
      const { listener: listen } = await import("../node.ts");
      const server = await listening(createServer(listen(native(() => OwnResponse.json({ a: 1 })))));
      expect((await ask(server)).text).toBe('{"a":1}');
    }
    expect(seen).toEqual(
      hasOtherName ? [1, "application/json", 1, "application/json"] : [1, "application/json", 2, undefined],
    );
  });

  it("lets those see the head who wrap writeHead()", async () => {
    const heads: unknown[] = [];
    const listen = listener(native(() => new FastResponse("content", { headers: { "x-a": "1" } })));
    const server = await listening(
      createServer((request, response) => {
        const writeHead = response.writeHead.bind(response) as (status: number) => typeof response;
        response.writeHead = ((status: number) => {
          heads.push([status, response.getHeaders()]);
          return writeHead(status);
        }) as typeof response.writeHead;
        listen(request, response);
      }),
    );
    expect(await ask(server, {})).toMatchObject({ status: 200, text: "content" });
    expect(heads).toEqual([[200, expect.objectContaining({ "x-a": "1", "content-length": "7" })]]);
  });

  it("lets those change content and head who wrap end()", async () => {
    const listen = listener(native(() => new FastResponse("content", { headers: { "x-a": "1" } })));
    const server = await listening(
      createServer((request, response) => {
        const end = response.end.bind(response) as (content: string) => typeof response;
        response.end = ((content: string) => {
          response.removeHeader("content-length");
          response.setHeader("x-a", "2");
          return end(`${content} and more`);
        }) as typeof response.end;
        listen(request, response);
      }),
    );
    expect(await ask(server, {})).toMatchObject({
      status: 200,
      text: "content and more",
      headers: { "x-a": "2", "transfer-encoding": "chunked" },
    });
  });

  it("answers 500 to what cannot be sent, with nothing of it", async () => {
    const errors = vi.fn<(error: unknown) => void>();
    const same = new FastResponse("once");
    const read = new FastResponse("once");
    await read.text();
    const half = new FastResponse(chunks());
    const reader = half.body!.getReader();
    await reader.read();
    reader.releaseLock();
    const results: Record<string, () => Response> = {
      "/same": () => same,
      "/read": () => read,
      "/half": () => half,
      "/field": () => new FastResponse("x", { headers: { "set-cookie": "a=1", "x-secret": "1", "a b": "c" } }),
      "/value": () => new FastResponse("x", { headers: { "set-cookie": "a=1", a: "\n" } }),
      "/phrase": () => new FastResponse("x", { statusText: "a\u2014b", headers: { "set-cookie": "a=1" } }),
      "/status": () => new FastResponse("x", { status: 101 }),
      "/204": () => new FastResponse("x", { status: 204 }),
      "/205": () => new FastResponse("x", { status: 205 }),
      "/304": () => new FastResponse(Readable.from(["x"]) as never, { status: 304 }),
      "/fails": () => new FastResponse(failing() as never),
      "/nowhere": () => new FastResponse(createReadStream("/nowhere/at/all") as never),
    };
    const server = await started(
      native(({ url }) => results[new URL(url).pathname]!()),
      { onError: errors },
    );
    expect(await ask(server, { path: "/same" })).toMatchObject({ status: 200, text: "once" });
    for (const path of Object.keys(results)) {
      const { status, text: content, headers } = await ask(server, { path });
      expect([path, status, content]).toEqual([path, 500, '{"title":"Internal Server Error","status":500}']);
      expect(Object.keys(headers).toSorted()).toEqual(["connection", "content-length", "content-type", "date"]);
    }
    expect(errors).toHaveBeenCalledTimes(Object.keys(results).length);
    for (const path of ["/read", "/half", "/204", "/field", "/phrase"]) {
      expect((await ask(server, { path, method: "HEAD" })).status, path).toBe(500);
    }
  });

  it("sends the statuses that have no content", async () => {
    const server = await started(native(({ url }) => new FastResponse(null, { status: Number(url.slice(-3)) })));
    for (const status of [204, 205, 304]) {
      expect(await ask(server, { path: `/${status}` })).toMatchObject({ status, text: "" });
    }
  });

  it("survives a stream of Node that fails when nobody reads it", async () => {
    const server = await started(native(() => new FastResponse(createReadStream("/nowhere/at/all") as never)));
    expect((await ask(server, { method: "HEAD" })).status).toBe(200);
    await turn(20);
    expect((await ask(server, { method: "HEAD" })).status).toBe(200);
  });

  it("sends the head before a stream of Node has content", async () => {
    const errors = vi.fn<(error: unknown) => void>();
    const destroyed = gate();
    const content = new Readable({ read: () => {}, destroy: () => destroyed.open() });
    const server = await started(
      native(() => new FastResponse(content as never)),
      { onError: errors },
    );
    const exchange = begin(server).end();
    const [response] = await once(exchange, "response");
    expect(response.statusCode).toBe(200);
    exchange.on("error", () => {}).destroy();
    await destroyed.opened;
    await turn(20);
    expect(errors).not.toHaveBeenCalled();
  });

  it("breaks off a stream of Node that fails after the head was sent", async () => {
    const errors = vi.fn<(error: unknown) => void>();
    const content = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from("half");
      await turn(20);
      throw new Error("disk");
    };
    const server = await started(
      native(() => new FastResponse(Readable.from(content()) as never)),
      { onError: errors },
    );
    await expect(ask(server, {})).rejects.toThrow("aborted");
    expect(errors.mock.calls[0]?.[0]).toEqual(new Error("disk"));
  });

  it("cancels the content when the client leaves, which is not an error", async () => {
    const errors = vi.fn<(error: unknown) => void>();
    const destroyed = gate();
    const content = new Readable({ read: () => {}, destroy: () => destroyed.open() });
    content.push("x");
    const server = await started(
      native(() => new FastResponse(content as never)),
      { onError: errors },
    );
    const exchange = begin(server).end();
    await once(exchange, "response");
    exchange.on("error", () => {}).destroy();
    await destroyed.opened;
    await turn(20);
    expect(errors).not.toHaveBeenCalled();
  });

  const failing = (): Readable =>
    new Readable({
      read() {
        this.destroy(new Error("disk"));
      },
    });
});

describe("sendProblem()", () => {
  it("C5.7 keeps the fields of the exchange on an error, and drops the fields of the content", async () => {
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

  it("RFC 9530 §3 keeps no digest of other content, and of Cache-Control only that nothing is stored", async () => {
    const server = await started(
      polyfill(({ url, response }) => {
        const digests = ["content-digest", "repr-digest", "digest", "content-md5"];
        for (const name of digests) response.setHeader(name, "sha-256=:abc:");
        response.setHeader("accept-ranges", "bytes").setHeader("cache-control", url.slice(1));
        throw new HTTPError(Status.Conflict);
      }),
    );
    const { headers } = await ask(server, { path: "/max-age=60" });
    expect(Object.keys(headers).toSorted()).toEqual(["connection", "content-length", "content-type", "date"]);
    expect((await ask(server, { path: "/max-age=0,No-Store" })).headers["cache-control"]).toBe("max-age=0,No-Store");
  });

  it("writes fields beyond ASCII as in any other response", async () => {
    const headers = { "www-authenticate": 'Basic realm="caf\xe9"' };
    const server = await started(
      native(() => Promise.reject(new HTTPError(Status.Unauthorized, "Non, désolé", { headers }))),
    );
    const answer = await ask(server, {});
    expect(answer.headers).toMatchObject(headers);
    expect(answer.text).toContain("désolé");
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

/** Content of one part, which is there at once. */
function streamOf(part: unknown): ReadableStream {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(part);
      controller.close();
    },
  });
}

/** Content whose first part is there at once, and whose second one is not. */
function begun(first: string): ReadableStream {
  const parts = [first, "later"];
  return new ReadableStream({
    async pull(controller) {
      if (parts.length < 2) await turn(5);
      const part = parts.shift();
      if (part === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(part));
    },
  });
}
