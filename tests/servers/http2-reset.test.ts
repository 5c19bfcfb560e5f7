import { once } from "node:events";
import { createServer } from "node:http2";
import { text } from "node:stream/consumers";
import { memory } from "fingerpost/files";
import { partsOf, linesOf } from "fingerpost/native/content";
import * as native from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import * as semantics from "fingerpost";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { listener, type ListenerOptions, type NodeApplication } from "../../src/servers/node.ts";
import { rawPost, sessionOf, type RawPost } from "../support/http2.ts";
import { gate, portOf, turn } from "../support/sockets.ts";

const message = "Cannot read the content of the request: the client has left";
const part = 'Content-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n';

/** Ways to read content, each with a beginning of content that would pass for whole. */
const readers: Record<string, readonly [type: string, begun: string, read: (request: Request) => Promise<unknown>]> = {
  "text()": ["text/plain", "half", (request) => request.text()],
  "json()": ["application/json", "[1]", (request) => request.json()],
  "bytes of a clone": ["text/plain", "half", (request) => request.clone().arrayBuffer()],
  "formData()": ["application/x-www-form-urlencoded", "a=1", (request) => request.formData()],
  body: ["text/plain", "half", (request) => new Response(request.body).text()],
  "partsOf()": ["multipart/form-data; boundary=x", `--x\r\n${part}half\r\n--x--`, (request) => stored(request)],
  "linesOf()": ["application/jsonl", "1\n2\n", (request) => gathered(linesOf(request, { maxBytes: 100 }))],
};

async function stored(request: Request): Promise<unknown[]> {
  const files: unknown[] = [];
  for await (const file of partsOf(request)) files.push(await file.store(memory()));
  return files;
}

async function gathered(values: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const value of values) all.push(value);
  return all;
}

async function serving(app: NodeApplication, options: ListenerOptions = {}): Promise<number> {
  const server = createServer(listener(app, options));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return portOf(server);
}

const [noError, cancel] = [0, 8];

/** What an error comes of in the end. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error && error.cause.name !== "AbortError"
    ? causeOf(error.cause)
    : error;
}

describe.each([true, false])(
  "RFC 9113 §8.1: a stream that is reset before it ends, lightRequests: %o",
  (lightRequests) => {
    const ways = Object.entries(readers).flatMap(([name, way]) =>
      [noError, cancel].flatMap((code) => ["", "and announced"].map((length) => [name, code, length, way] as const)),
    );

    it.each(ways)("C7.5 breaks %s off by code %i %s", async (_, code, announced, [type, begun, read]) => {
      const reading = gate();
      const outcome = gate<unknown>();
      class Items extends native.Resource {
        override paths = ["/"];
        override async POST(request: Request): Promise<Response> {
          const whole = read(request);
          reading.open();
          outcome.open(await whole.then(() => "whole", causeOf));
          return new Response();
        }
      }
      const app = native.Application.builder().resources(Items).build();
      const length = announced === "" ? {} : { "content-length": String(begun.length + 10) };
      const post = await rawPost(await serving(app, { lightRequests }), { "content-type": type, ...length });
      post.send(begun);
      await reading.opened;
      await turn(10);
      post.reset(code);
      expect(await outcome.opened).toMatchObject({ message });
    });

    it.each([noError, cancel])("C7.5 fails a read that begins after code %i, in whatever turn", async (code) => {
      for (const turns of [0, 1, 2, 3, 10]) {
        const arrived = gate();
        const outcome = gate<unknown>();
        const app: NodeApplication = {
          async fetch(request: Request) {
            const left = once(request.signal, "abort");
            const aborted = once(inStream.get(request)!, "aborted");
            arrived.open();
            await (turns === 0 ? aborted : left);
            for (let at = 1; at < turns; at++) await turn();
            outcome.open(await request.text().catch(causeOf));
            return new Response();
          },
        };
        const inStream = new WeakMap<object, NodeJS.EventEmitter>();
        const onRequest = (input: object, incoming: NodeJS.EventEmitter): void => void inStream.set(input, incoming);
        const port = await serving(app, { lightRequests, onRequest });
        const post = await rawPost(port, { "content-type": "text/plain" });
        post.send("half");
        await arrived.opened;
        post.reset(code);
        expect(await outcome.opened, String(turns)).toMatchObject({ message });
      }
    });
  },
);

describe("RFC 9113 §8.1: a stream that is reset with NO_ERROR before it ends", () => {
  async function refusalOf(
    app: (tell: (outcome: unknown) => void) => NodeApplication,
    send: (post: RawPost) => void,
    type: string,
  ): Promise<unknown> {
    const outcome = gate<unknown>();
    const post = await rawPost(await serving(app(outcome.open)), { "content-type": type });
    send(post);
    await turn(20);
    post.reset(noError);
    return outcome.opened;
  }

  const { Application, Resource, form, lines, upload } = semantics;
  class Json extends Resource {
    override paths = ["/"] as const;
    static POST = { content: z.array(z.int()), 204: "Stored" };
  }
  class Lines extends Resource {
    override paths = ["/"] as const;
    static POST = { content: lines(z.int(), { maxBytes: 100 }), 204: "Stored" };
  }
  class Form extends Resource {
    override paths = ["/"] as const;
    static POST = { content: form({ file: upload({ to: memory() }) }), 204: "Stored" };
  }

  it.each([
    ["content", Json, "application/json", "[1]"],
    ["lines", Lines, "application/jsonl", "1\n2\n"],
    ["a form", Form, "multipart/form-data; boundary=x", `--x\r\n${part}half\r\n--x--`],
  ] as const)("C7.5 tells a declared operation no whole %s", async (_, Declared, type, begun) => {
    const app = (tell: (outcome: unknown) => void): NodeApplication => {
      class Telling extends (Declared as typeof Json) {
        async POST(call: { readonly content: unknown }): Promise<undefined> {
          const { content } = call;
          const isIterable = typeof content === "object" && content !== null && Symbol.asyncIterator in content;
          const read = isIterable ? gathered(content as AsyncIterable<unknown>) : Promise.resolve(content);
          await read.then(() => tell("whole"));
        }
      }
      return Application.builder()
        .resources(Telling)
        .onError((error) => tell(causeOf(error)))
        .build();
    };
    expect(await refusalOf(app, (post) => post.send(begun), type)).toMatchObject({ message });
  });

  const long = "x".repeat(200_000);

  it("C7.5 breaks content off while an answer waits for the client, and cancels the answer", async () => {
    const [canceled, begun] = [gate(), gate()];
    const outcome = gate<unknown>();
    const app: NodeApplication = {
      async fetch(request: Request) {
        void request.text().then(outcome.open, outcome.open);
        const pull = (controller: ReadableStreamDefaultController): void => {
          controller.enqueue(new TextEncoder().encode(long));
          begun.open();
        };
        return new Response(new ReadableStream({ pull, cancel: () => canceled.open() }));
      },
    };
    const post = await rawPost(await serving(app), { "content-type": "text/plain" });
    post.send("half");
    await begun.opened;
    await turn(20);
    post.reset(noError);
    expect(await outcome.opened).toMatchObject({ message });
    await canceled.opened;
  });

  it("C7.5 breaks content off while the rest of a whole answer waits for the client", async () => {
    const outcome = gate<unknown>();
    const app: NodeApplication = {
      async fetch(request: Request) {
        void request.text().then(outcome.open, outcome.open);
        return new Response(long);
      },
    };
    const post = await rawPost(await serving(app), { "content-type": "text/plain" });
    post.send("half");
    await turn(50);
    post.reset(noError);
    expect(await outcome.opened).toMatchObject({ message });
  });

  it("aborts the signal of a GET whose answer waits for the client", async () => {
    const aborted = gate();
    const app: NodeApplication = {
      async fetch({ signal }: Request) {
        signal.addEventListener("abort", () => aborted.open());
        const pull = (controller: ReadableStreamDefaultController): void =>
          controller.enqueue(new TextEncoder().encode(long));
        return new Response(new ReadableStream({ pull }));
      },
    };
    const post = await rawPost(await serving(app), { ":method": "GET" });
    post.send("", true);
    await turn(50);
    post.reset(noError);
    await aborted.opened;
  });

  it("fails a message of Node that is read by itself", async () => {
    const app = (tell: (outcome: unknown) => void): NodeApplication => {
      class Items extends polyfill.Resource {
        override paths = ["/"];
        override async POST({ request, response }: { request: NodeJS.ReadableStream; response: { end(): void } }) {
          tell(await text(request).catch((error: Error & { code?: string }) => error.code));
          response.end();
        }
      }
      return polyfill.Application.builder().resources(Items).build() as NodeApplication;
    };
    const code = await refusalOf(app, (post) => post.send("half"), "text/plain");
    expect(code).toBe("ERR_STREAM_PREMATURE_CLOSE");
  });

  it.each(["GET", "POST"])("lets go of an answer to %s that was ended before", async (method) => {
    const closed = gate();
    const answer = listener({ fetch: async () => new Response(long) });
    const session = await sessionOf(
      createServer((request, response) => {
        response.stream.once("close", closed.open);
        answer(request, response);
      }),
    );
    const stream = session.request({ ":method": method }, { endStream: method === "GET" });
    if (method === "POST") stream.write("half");
    await once(stream, "response");
    stream.close(noError);
    await closed.opened;
  });

  it("sends what is left of a stream that the server itself closes", async () => {
    const app: NodeApplication = {
      async handle({ response }: { response: { end(text: string): void; stream: { close(): void } } }) {
        response.end(long);
        response.stream.close();
      },
    };
    const session = await sessionOf(createServer(listener(app)));
    const stream = session.request({ ":method": "POST" });
    await once(stream, "response");
    stream.end();
    await turn(20);
    expect(await text(stream)).toBe(long);
  });

  it("gives content that ended before", async () => {
    const outcome = gate<string>();
    const app: NodeApplication = {
      async fetch(request: Request) {
        outcome.open(await request.text());
        return new Promise<Response>(() => {});
      },
    };
    const post = await rawPost(await serving(app), { "content-type": "text/plain" });
    post.send("whole", true);
    expect(await outcome.opened).toBe("whole");
    post.reset(noError);
    await turn(10);
  });
});
