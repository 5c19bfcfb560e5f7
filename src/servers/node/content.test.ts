import { once } from "node:events";
import { Agent, createServer as createHttp1Server } from "node:http";
import { connect as connectHttp2, createServer, type ClientHttp2Stream, type Settings } from "node:http2";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { timeout } from "fingerpost/middleware/timeout";
import { Application, Resource, ResourceGroup } from "fingerpost/modules/http.native.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { ask, begin, gate, listening, native, portOf, started, turn } from "../../../tests/support/sockets.ts";
import { http2Session } from "../../../tests/support/http2.ts";
import { lightBytes, lightChunks, type LightChunks, type LightRequest } from "../../http/message/light-request.ts";
import { listener, type NodeApplication } from "../node.ts";

const answered = new TypeError("Cannot read the content of the request: it was answered already");
const left = new TypeError("Cannot read the content of the request: the client has left");

describe("contentOf()", () => {
  it("C6.3 fails a read after an answer that waits for its turn, whatever content comes then", async () => {
    const surfaced = surfacing();
    const { opened, open } = gate();
    const failure = gate<unknown>();
    class Slow extends Resource {
      override paths = ["/slow"];
      override async GET(): Promise<Response> {
        await opened;
        return new Response("slow");
      }
    }
    class Late extends Resource {
      override paths = ["/late"];
      override async POST(request: Request): Promise<Response> {
        await once(request.signal, "abort");
        await turn();
        await request.text().catch(failure.open);
        return new Response("late");
      }
    }
    const hurried = ResourceGroup.builder()
      .resources(Late)
      .middleware(timeout({ timeoutMs: 10 }))
      .build();
    const app = Application.builder()
      .resources(Slow, hurried)
      .onError(() => {})
      .build();
    const server = await started(app);
    const socket = connect(portOf(server), "127.0.0.1");
    socket.write("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n");
    socket.write("POST /late HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 8\r\n\r\nhalf");
    expect(await failure.opened).toEqual(answered);
    socket.write("half");
    await turn(20);
    open();
    expect((await text(socket)).match(/(?<=HTTP\/1.1 )\d+/g)).toEqual(["200", "503"]);
    expect(surfaced).toEqual([]);
  });

  it("C6.3 fails a read after an answer that an HTTP/2 client takes nothing of", async () => {
    const surfaced = surfacing();
    const failure = gate<unknown>();
    const readLate = native((request) => {
      setTimeout(() => void request.text().catch(failure.open), 10);
      return new Response("unread");
    });
    const stream = await posting(readLate, { initialWindowSize: 0 });
    stream.write("half");
    expect(await failure.opened).toEqual(answered);
    stream.end("half");
    await turn(20);
    expect(surfaced).toEqual([]);
  });

  it("fails a read that begins when an HTTP/2 client has left, whose content is not whole", async () => {
    const arrived = gate();
    const outcome = gate<unknown>();
    const readLate = native(async (request) => {
      arrived.open();
      await once(request.signal, "abort");
      await turn();
      outcome.open(await request.text().catch((error: unknown) => error));
      return new Response();
    });
    const stream = await posting(readLate);
    stream.write("half");
    await arrived.opened;
    stream.close();
    expect(await outcome.opened).toEqual(left);
  });

  it("fails a read while an HTTP/2 client leaves as of a client that left, not of one that was answered", async () => {
    const reading = gate();
    const outcome = gate<unknown>();
    const readAll = native(async (request) => {
      const content = request.text();
      reading.open();
      outcome.open(await content.catch((error: unknown) => error));
      return new Response();
    });
    const stream = await posting(readAll);
    stream.write("half");
    await reading.opened;
    stream.session!.destroy();
    expect(await outcome.opened).toEqual(left);
  });

  it.each(["Content-Length: 5\r\n\r\nwhole", "Transfer-Encoding: chunked\r\n\r\n3\r\nwho\r\n2\r\nle\r\n0\r\n\r\n"])(
    "gives content that arrived whole to a handler that reads it when the client has left: %j",
    async (content) => {
      for (const lightRequests of [true, false]) {
        const reads: ((request: Request) => Promise<string>)[] = [
          (request) => request.text(),
          (request) => request.clone().text(),
          (request) => new Response(request.body).text(),
        ];
        for (const read of reads) {
          const outcome = gate<unknown>();
          const server = await started(
            native(async (request) => {
              await once(request.signal, "abort");
              await turn(20);
              outcome.open(await read(request).catch((error: unknown) => error));
              return new Response();
            }),
            { lightRequests },
          );
          const socket = connect(portOf(server), "127.0.0.1");
          socket.write(`POST / HTTP/1.1\r\nHost: h\r\n${content}`);
          await turn(20);
          socket.destroy();
          expect(await outcome.opened).toBe("whole");
        }
      }
    },
  );

  it("returns the rest of content that arrived whole if the client leaves amid the reading", async () => {
    const outcome = gate<unknown>();
    const server = await started(
      native(async (request) => {
        const reader = request.body!.getReader();
        const parts = [(await reader.read()).value!.length];
        await once(request.signal, "abort");
        await turn(20);
        try {
          for (let read = await reader.read(); !read.done; read = await reader.read()) parts.push(read.value.length);
          outcome.open(parts.reduce((sum, length) => sum + length));
        } catch (error) {
          outcome.open(error);
        }
        return new Response();
      }),
    );
    const socket = connect(portOf(server), "127.0.0.1");
    const chunk = `1000\r\n${"x".repeat(0x1000)}\r\n`;
    socket.write(`POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(3)}0\r\n\r\n`);
    await turn(50);
    socket.destroy();
    expect(await outcome.opened).toBe(3 * 0x1000);
  });

  it("returns nothing of content twice, and nothing that is not whole, if the client leaves", async () => {
    const outcome = gate<unknown>();
    const server = await started(
      native(async (request) => {
        await once(request.signal, "abort");
        outcome.open(await request.text().catch((error: unknown) => error));
        return new Response();
      }),
    );
    const socket = connect(portOf(server), "127.0.0.1");
    socket.write("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nwhole\r\n");
    await turn(20);
    socket.destroy();
    expect(await outcome.opened).toEqual(left);
  });

  it("C6.3 drops content that comes while the reading is canceled, by what listens to the message before", async () => {
    const surfaced = surfacing();
    const reading = gate();
    let reader: ReadableStreamDefaultReader;
    const server = await started(
      native(async (request) => {
        reader = request.body!.getReader();
        const read = reader.read();
        await turn();
        reading.open();
        return new Response(String((await read).done));
      }),
    );
    server.prependListener("request", (message) => message.on("data", () => void reader.cancel()));
    const exchange = begin(server, { method: "POST" });
    exchange.flushHeaders();
    await reading.opened;
    exchange.end("content");
    const [response] = await once(exchange, "response");
    expect(await text(response)).toBe("true");
    expect(surfaced).toEqual([]);
  });
});

describe("chunksOf()", () => {
  /** Answers with what a function makes of the chunks of content. */
  const reading = (read: (chunks: LightChunks) => Promise<string>): NodeApplication =>
    native(async (request) => {
      const chunks = (request as Request & LightRequest)[lightChunks](request)!;
      return new Response(await read(chunks).catch(String));
    });

  it("returns chunks as they come, then the end, each time that it is asked", async () => {
    const app = reading(async (chunks) => {
      const read: unknown[] = [chunks.take() ?? "nothing"];
      for (;;) {
        const { done, value } = await chunks.read();
        if (done === true) return JSON.stringify([...read, (await chunks.read()).done, chunks.take() ?? "nothing"]);
        read.push([value!.constructor === Uint8Array, new TextDecoder().decode(value)]);
      }
    });
    const exchange = begin(await started(app), { method: "POST" });
    for (const part of ["one", "two"]) {
      exchange.write(part);
      await turn(20);
    }
    exchange.end();
    const [response] = await once(exchange, "response");
    expect(JSON.parse(await text(response))).toEqual(["nothing", [true, "one"], [true, "two"], true, "nothing"]);
  });

  it("reads little more than is asked for, and then the rest", async () => {
    const app = reading(async (chunks) => {
      let [held, rest] = [(await chunks.read()).value!.length, 0];
      await turn(100);
      for (let chunk = chunks.take(); chunk !== undefined; chunk = chunks.take()) held += chunk.length;
      for (let chunk = await chunks.read(); chunk.done !== true; chunk = await chunks.read()) {
        rest += chunk.value!.length;
      }
      return JSON.stringify([held < 300_000, held + rest]);
    });
    const { text: answer } = await ask(await started(app), { method: "POST" }, "x".repeat(2_000_000));
    expect(answer).toBe("[true,2000000]");
  });

  it("ends when it is canceled, before or after it was read", async () => {
    for (const isRead of [true, false]) {
      const app = reading(async (chunks) => {
        if (isRead) await chunks.read();
        await chunks.cancel();
        return JSON.stringify([chunks.take() ?? "nothing", await chunks.read()]);
      });
      const { text: answer } = await ask(await started(app), { method: "POST" }, "x".repeat(200_000));
      expect(answer).toBe('["nothing",{"done":true}]');
    }
  });

  it("fails when the client leaves, after what came", async () => {
    const outcome = gate<unknown>();
    const app = reading(async (chunks) => {
      const first = new TextDecoder().decode((await chunks.read()).value);
      await chunks.read().catch((error: unknown) => outcome.open([first, error]));
      return "";
    });
    const exchange = begin(await started(app), { method: "POST", headers: { "content-length": 8 } });
    exchange.on("error", () => {}).write("half");
    await turn(20);
    exchange.destroy();
    expect(await outcome.opened).toEqual(["half", left]);
  });

  it("is null where content is taken, and takes it", async () => {
    const app = native(async (given) => {
      const request = given as Request & LightRequest;
      const first = request[lightChunks](request);
      const used = [request.bodyUsed, request[lightChunks](request)];
      await first!.read();
      return Response.json([...used, await request.text().catch((error: Error) => error.name)]);
    });
    const server = await started(app);
    expect((await ask(server, { method: "POST" }, "content")).text).toBe('[true,null,"TypeError"]');
    const none = native((request) => Response.json((request as Request & LightRequest)[lightChunks](request)));
    expect((await ask(await started(none), { method: "POST" })).text).toBe("null");
  });

  it("shares the buffer of no chunk with other content, over HTTP/2 and with a pool", async () => {
    const sizes = reading(async (chunks) => {
      const all: number[] = [];
      for (;;) {
        const { value } = await chunks.read();
        if (value === undefined) return all.every((size) => size === 0).toString();
        all.push(value.buffer.byteLength - value.byteLength);
      }
    });
    const stream = (await http2Session(sizes)).request({ ":method": "POST" });
    stream.end(Buffer.alloc(100_000));
    expect(await text(stream)).toBe("true");
    expect((await ask(await started(sizes), { method: "POST" }, "short")).text).toBe("true");
  });

  it("holds few chunks of one byte, and gives all", async () => {
    const app = reading(async (chunks) => {
      let count = (await chunks.read()).value!.length;
      await turn(20);
      for (;;) {
        const { value } = await chunks.read();
        if (value === undefined) return String(count);
        count += value.length;
      }
    });
    const port = portOf(await started(app));
    const head = "POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n";
    const socket = connect(port, "127.0.0.1");
    // The client does not end its side: Node ends a connection then, and drops an answer that is not written yet.
    socket.write(`${head}${"1\r\na\r\n".repeat(5_000)}0\r\n\r\n`);
    expect(await text(socket)).toMatch(/5000$/);
  });

  it("closes the connection behind an answer where nobody waits for the rest", async () => {
    const app = reading(async (chunks) => String((await chunks.read()).value!.length > 0));
    const port = portOf(await started(app));
    const socket = connect(port, "127.0.0.1");
    socket.write("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2000000\r\n\r\nsome");
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(String(answer)).toMatch(/^Connection: close$/m);
    socket.destroy();
  });

  it("blames no client for text in place of bytes, which a host asked for", async () => {
    const listen = listener(reading(async (chunks) => `${(await chunks.read()).done}`));
    const host = createHttp1Server((request, response) => listen(request.setEncoding("utf8"), response));
    expect((await ask(await listening(host), { method: "POST" }, "text")).text).toBe(
      "HTTPError: Cannot read the content of the request: it is text, not bytes; do not call setEncoding() before " +
        "listener()",
    );
  });
});

describe("bytesOf()", () => {
  const head = "POST / HTTP/1.1\r\nHost: h\r\n";
  /** What a server answers to what is sent, part by part, and the events of requests to which somebody listened. */
  const exchanged = async (
    sent: string[],
    insecureHTTPParser = false,
  ): Promise<[answers: string[], events: string[]]> => {
    const events: string[] = [];
    const app = native(async (request) => {
      const bytes = await (request as Request & LightRequest)[lightBytes](20, request);
      return new Response(bytes === null ? "too long" : new TextDecoder().decode(bytes));
    });
    const listen = listener(app);
    const server = await listening(
      createHttp1Server({ insecureHTTPParser }, (message, response) => {
        message.on("newListener", (event) => events.push(String(event)));
        void listen(message, response);
      }),
    );
    const socket = connect(portOf(server), "127.0.0.1");
    for (const part of sent) {
      socket.write(part);
      await turn(10);
    }
    const received = await text(socket);
    return [received.split(/(?=HTTP\/1\.1 )/).map((answer) => answer.replaceAll(/ .*\r\n\r\n/gs, " ")), events];
  };
  const last = "Connection: close\r\n";

  it("takes content that came with its head, and listens to nothing", async () => {
    const next = `${head}${last}Content-Length: 3\r\n\r\ntwo`;
    const [answers, events] = await exchanged([`${head}Content-Length: 3\r\n\r\none${next}`]);
    expect(answers).toEqual(["HTTP/1.1 one", "HTTP/1.1 two"]);
    expect(events).not.toContain("data");
  });

  it("waits for content of which a part came with its head, and for none that is longer than may be", async () => {
    const [answers, events] = await exchanged([`${head}${last}Content-Length: 6\r\n\r\none`, "two"]);
    expect(answers).toEqual(["HTTP/1.1 onetwo"]);
    expect(events).toContain("data");
    const long = `${head}${last}Content-Length: 21\r\n\r\n${"x".repeat(21)}`;
    expect((await exchanged([long]))[0]).toEqual(["HTTP/1.1 too long"]);
  });

  it("takes content of which all came before a handler reads it", async () => {
    const server = await started(
      native(async (request) => {
        await turn(20);
        return new Response(await request.text());
      }),
    );
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    for (const content of ["one", "two"]) {
      expect(await ask(server, { method: "POST", agent }, content)).toMatchObject({
        text: content,
        headers: { connection: "keep-alive" },
      });
    }
  });

  it("takes no length for the end of chunks, where a host lets both in", async () => {
    const both = `${head}${last}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n`;
    expect((await exchanged([`${both}3\r\ntwo\r\n0\r\n\r\n`], true))[0]).toEqual(["HTTP/1.1 onetwo"]);
    expect((await exchanged([both, "3\r\ntwo\r\n0\r\n\r\n"], true))[0]).toEqual(["HTTP/1.1 onetwo"]);
  });

  it("asks for content that a client sends without waiting, as it said that it would wait", async () => {
    const server = await started(native(async (request) => new Response(await request.text())));
    const socket = connect(portOf(server), "127.0.0.1");
    socket.write(`${head}${last}Expect: 100-continue\r\nContent-Length: 3\r\n\r\none`);
    expect((await text(socket)).match(/(?<=HTTP\/1.1 )\d+|one/g)).toEqual(["100", "200", "one"]);
  });
});

/** Collects errors that are thrown where nobody can catch them, which would end the process. */
function surfacing(): unknown[] {
  const surfaced: unknown[] = [];
  const note = (error: unknown): unknown => surfaced.push(error);
  process.on("uncaughtException", note);
  onTestFinished(() => void process.off("uncaughtException", note));
  return surfaced;
}

/** Begins a POST to an application over HTTP/2. */
async function posting(app: NodeApplication, settings: Settings = {}): Promise<ClientHttp2Stream> {
  const server = createServer(listener(app)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const session = connectHttp2(`http://127.0.0.1:${portOf(server)}`, { settings });
  onTestFinished(() => {
    session.destroy();
    server.close();
  });
  return session.request({ ":path": "/", ":method": "POST" });
}
