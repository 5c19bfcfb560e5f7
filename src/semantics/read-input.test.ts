import { Readable } from "node:stream";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { Application as NativeApplication } from "../application/native-application.ts";
import { Resource as NativeResource, type RequestOf } from "../application/native.ts";
import { Application, Resource, type ContextOf } from "../application/polyfill.ts";
import { listener, type NodeContext } from "../servers/node.ts";
import { Application as SemanticsApplication } from "./semantics-application.ts";
import { bytes, text } from "./declaration/raw-content.ts";
import { readInput } from "./read-input.ts";
import { Resource as SemanticsResource } from "./semantics-resource.ts";
import type { HTTPError } from "../http/protocol/http-error.ts";
import { lightBytes } from "../http/message/light-request.ts";

const operation = {
  query: z.object({ n: z.int().optional() }),
  headers: z.object({ "x-count": z.int().optional() }),
  cookies: z.object({ theme: z.string().optional() }),
  content: { "application/json": z.object({ a: z.string() }), "text/plain": text("text/plain", { maxBytes: 10 }) },
};

class Read extends Resource {
  override paths = ["/:id"];
  override async POST(context: ContextOf<Read, NodeContext>): Promise<void> {
    context.response.end(JSON.stringify(await readInput(context, operation)));
  }
}

/** The URL of a server of Node that answers by the polyfill chain. */
async function served(): Promise<string> {
  const app = Application.builder().resources(Read).build();
  const server = createServer(listener(app, { onError: () => {} })).listen(0);
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

/** What rejects when a context is read. */
function reading(request: object, of: object = operation): Promise<unknown> {
  const params = { pattern: "/", pathParam: () => undefined };
  return readInput({ url: "/", method: "POST", params, request } as never, of as typeof operation);
}

describe("readInput()", () => {
  it("reads the message of Node that a context carries", async () => {
    const url = await served();
    const headers = { "content-type": "application/json", "x-count": "3", cookie: "theme=dark" };
    const response = await fetch(`${url}/5?n=7`, { method: "POST", headers, body: '{"a":"b"}' });
    expect(await response.json()).toEqual({
      path: { id: "5" },
      query: { n: 7 },
      headers: { "x-count": 3 },
      cookies: { theme: "dark" },
      content: { a: "b" },
    });
  });

  it("refuses what is too long, by its claim and as it comes in, and leaves the connection", async () => {
    const url = await served();
    const post = async (body: BodyInit): Promise<number> => {
      const init = { method: "POST", headers: { "content-type": "text/plain" }, body, duplex: "half" };
      return (await fetch(`${url}/5`, init as RequestInit)).status;
    };
    expect(await post("x".repeat(11))).toBe(413);
    expect(await post(new Blob(["x".repeat(11)]).stream())).toBe(413);
    expect(await post("x".repeat(10))).toBe(200);
  });

  it("reads all fields of Node, if their schema names none", async () => {
    const anything = { "~standard": { version: 1, vendor: "", validate: (value: unknown) => ({ value }) } } as const;
    const headers = { "x-a": "1", "set-cookie": ["a", "b"], ":path": "/", "x-none": undefined };
    expect(await reading({ headers }, { headers: anything })).toEqual({
      path: {},
      headers: { "x-a": "1", "set-cookie": "a, b" },
    });
    expect(await reading({}, { headers: anything })).toEqual({ path: {}, headers: {} });
  });

  it("takes no content if there is none, and a stream of bytes", async () => {
    const optional = { content: z.object({ a: z.string() }).optional() };
    expect(await reading({ headers: {}, httpVersionMajor: 1 }, optional)).toEqual({ path: {} });
    const typed = { "content-type": "application/json" };
    // The type of what is left out says nothing.
    expect(await reading({ headers: typed, httpVersionMajor: 1 }, { content: z.any() })).toEqual({ path: {} });
    expect(await reading({ headers: typed, httpVersionMajor: 1 }, { content: z.object({}) }).catch(String)).toBe(
      "HTTPError: The content is not JSON",
    );
    const request = Object.assign(Readable.from([Buffer.from('{"a":'), Buffer.from('"b"}')]), { headers: typed });
    expect(await reading(request)).toMatchObject({ content: { a: "b" } });
  });

  it("says which content it cannot find, or cannot count", async () => {
    const headers = { "content-type": "application/json", "content-length": "5" };
    await expect(reading({ headers })).rejects.toThrow(
      "Cannot read the content: expected a Request, or a context with the request of Node, got an object",
    );
    const texts = Object.assign(Readable.from(["text"]), { headers });
    await expect(reading(texts)).rejects.toThrow('Cannot read the content: expected it to be bytes, got "text"');
    const { url, method } = new Request("http://localhost/", { method: "POST" });
    const params = { pattern: "/", pathParam: () => undefined };
    await expect(readInput({ url, method, params, headers } as never, operation)).rejects.toThrow(
      "Cannot read the content: expected a Request",
    );
  });
});

describe("readInput() of optional content", () => {
  it("C8.10 answers as the semantics module does, by each of the other two", async () => {
    const declared = { content: z.object({ a: z.string() }).optional(), 200: z.any() };
    class Line extends SemanticsResource {
      override paths = ["/"];
      static POST = declared;
      override POST = (({ content }: { readonly content: unknown }) => content ?? null) as never;
    }
    class Web extends NativeResource {
      override paths = ["/"];
      override async POST(input: RequestOf<Web>): Promise<Response> {
        return Response.json((await readInput(input, declared)).content ?? null);
      }
    }
    class Carried extends Resource {
      override paths = ["/"];
      override async POST(context: ContextOf<Carried>): Promise<unknown> {
        return (await readInput(context, declared)).content ?? null;
      }
    }
    const line = SemanticsApplication.builder().resources(Line).build();
    const web = NativeApplication.builder().resources(Web).build();
    const carried = Application.builder().resources(Carried).build();
    const told = async (response: Response): Promise<unknown> =>
      response.status === 200 ? ((await response.json()) as unknown) : response.status;
    const byContext = (request: Request): Promise<unknown> => {
      const { url, method, headers } = request;
      return Promise.resolve(carried.handle({ url, method, headers, request } as never)).catch(
        (error: unknown) => (error as HTTPError).status,
      );
    };
    const type = { "content-type": "text/plain" };
    const json = { "content-type": "application/json" };
    const cases: readonly [headers: HeadersInit, body: string | null, expected: unknown][] = [
      [{}, null, null],
      [type, null, null],
      [{}, "", null],
      [type, "", null],
      [{}, "x", 415],
      [type, "x", 415],
      [json, "x", 400],
      [json, '{"a":5}', 422],
      [json, '{"a":"b"}', { a: "b" }],
    ];
    for (const [headers, body, expected] of cases) {
      const sent = (): Request => {
        const request = new Request("http://localhost/", { method: "POST", headers, body });
        if (headers !== type && headers !== json) request.headers.delete("content-type");
        return request;
      };
      expect(
        [await told(await line.fetch(sent())), await told(await web.fetch(sent())), await byContext(sent())],
        JSON.stringify([headers, body]),
      ).toEqual([expected, expected, expected]);
    }
  });

  it("C8.14 takes chunks without a byte for no content, over a connection of Node", async () => {
    class Optional extends Resource {
      override paths = ["/"];
      override async POST(context: ContextOf<Optional, NodeContext>): Promise<void> {
        const { content } = await readInput(context, { content: z.object({ a: z.string() }).optional() });
        context.response.end(JSON.stringify(content ?? null));
      }
    }
    class Line extends SemanticsResource {
      override paths = ["/"];
      static POST = { content: z.object({ a: z.string() }).optional(), 200: z.any() };
      override POST = (({ content }: { readonly content: unknown }) => content ?? null) as never;
    }
    for (const app of [
      Application.builder().resources(Optional).build(),
      SemanticsApplication.builder().resources(Line).build(),
    ]) {
      const server = createServer(listener(app as never, { onError: () => {} })).listen(0);
      onTestFinished(() => void server.close());
      await new Promise((resolve) => server.once("listening", resolve));
      const { port } = server.address() as AddressInfo;
      const head = "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n";
      const exchanged = (rest: string): Promise<string> =>
        new Promise((resolve, reject) => {
          let answer = "";
          const socket = connect(port, "localhost", () => socket.write(`${head}Connection: close\r\n${rest}`));
          socket.on("data", (part: Buffer) => (answer += part.toString()));
          socket.on("close", () => resolve(answer.slice(9, 12)));
          socket.on("error", reject);
        });
      for (const type of ["", "Content-Type: text/plain\r\n"]) {
        expect(await exchanged(`${type}\r\n0\r\n\r\n`)).toBe("200");
        expect(await exchanged(`${type}\r\n1\r\nx\r\n0\r\n\r\n`)).toBe("415");
      }
    }
  });
});

describe("readInput() of a request that gives its content at once", () => {
  const post = { content: z.object({ a: z.string() }) };
  /** A request that was handled, and gives what a function returns in place of a stream. */
  const handled = async (
    read: (maxBytes: number) => Promise<Uint8Array<ArrayBuffer> | null> | null,
  ): Promise<unknown> => {
    const init = { method: "POST", body: '{"a":"stream"}', headers: { "content-type": "application/json" } };
    const request = Object.assign(new Request("http://localhost/", init), {
      params: { pattern: "/", pathParam: () => undefined },
      [lightBytes]: read,
    });
    return readInput(request as never, post).then(
      ({ content }) => content.a,
      (error: unknown) => [(error as HTTPError).status, (error as HTTPError).message],
    );
  };

  it("reads that, and a stream where it does not", async () => {
    expect(await handled(async () => new TextEncoder().encode('{"a":"at once"}'))).toBe("at once");
    expect(await handled(() => null)).toBe("stream");
  });

  it("gives bytes that are the handler's alone, where a runtime has them in a buffer with others", async () => {
    const shared = Buffer.from("before content after").subarray(7, 14);
    const init = { method: "POST", body: "-", headers: { "content-type": "application/octet-stream" } };
    const request = Object.assign(new Request("http://localhost/", init), {
      params: { pattern: "/", pathParam: () => undefined },
      [lightBytes]: async () => shared,
    });
    const { content } = await readInput(request as never, { content: bytes() });
    expect(Object.getPrototypeOf(content) === Uint8Array.prototype).toBe(true);
    expect(content.buffer.byteLength).toBe(7);
    expect(new TextDecoder().decode(content)).toBe("content");
  });

  it("is 413 where it is longer, and 400 where it broke off", async () => {
    expect(await handled(async (maxBytes) => (maxBytes < 2_000_000 ? null : new Uint8Array()))).toEqual([
      413,
      "The content is longer than 1048576 bytes",
    ]);
    const left = new TypeError("the client has left");
    expect(await handled(() => Promise.reject(left))).toEqual([400, "The content ended early"]);
  });
});
