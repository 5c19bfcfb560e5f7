import { once } from "node:events";
import type { IncomingMessage, Server } from "node:http";
import { FastResponse } from "srvx";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { bodyLimit } from "fingerpost/middleware/body-limit";
import { compress } from "fingerpost/middleware/compress";
import { timeout } from "fingerpost/middleware/timeout";
import { nativeAround } from "../../../tests/middleware/around.ts";
import { http2Session, startedHttp2 } from "../../../tests/support/http2.ts";
import { ask, begin, gate, native, started, turn } from "../../../tests/support/sockets.ts";

describe("cancelUnread() a FormData", () => {
  it("C6.3 leaves no rejection to nobody when its client leaves", async () => {
    const rejected = unhandled();
    const [left, over] = [gate(), gate()];
    const server = await started(
      native(({ signal }) => {
        signal.addEventListener("abort", () => left.open());
        return new Response(formOf(left.opened, over.open));
      }),
    );
    const exchange = begin(server)
      .on("error", () => {})
      .end();
    await once(exchange, "response");
    exchange.destroy();
    await over.opened;
    await turn(20);
    expect(rejected).not.toHaveBeenCalled();
  });

  it("C6.3 leaves no rejection to nobody when nobody reads it", async () => {
    const rejected = unhandled();
    const responses: Record<string, () => Response> = {
      "/head": () => new Response(formOf(turn())),
      "/light": () => new FastResponse(formOf(turn())),
      "/field": () => {
        const response = new Response(formOf(turn()));
        response.headers.set("x-a", "a\x01b");
        return response;
      },
    };
    const server = await started(
      native(({ url }) => responses[new URL(url).pathname]!()),
      { onError: () => {} },
    );
    for (const [path, method, status] of [
      ["/head", "HEAD", 200],
      ["/light", "HEAD", 200],
      ["/field", "GET", 500],
    ] as const)
      expect((await ask(server, { path, method })).status).toBe(status);
    await turn(20);
    expect(rejected).not.toHaveBeenCalled();
  });
});

describe("cancelUnread() a FormData inside middleware", () => {
  it.each(["compress", "timeout"])("C6.3 leaves no rejection to nobody: %s()", async (name) => {
    const rejected = unhandled();
    const left = gate();
    const middleware = name === "compress" ? compress({ compressible: () => true }) : timeout({ timeoutMs: 20 });
    const app = nativeAround(middleware, async ({ signal }) => {
      if (name === "timeout") await turn(40);
      signal.addEventListener("abort", () => left.open());
      return new Response(formOf(name === "timeout" ? turn(20) : left.opened));
    });
    const headers = { "accept-encoding": "gzip" };
    const exchange = begin(await started(app), { path: "/items", headers }).on("error", () => {});
    exchange.end();
    if (name === "compress") {
      await once(exchange, "response");
      exchange.destroy();
    }
    // Only Node 24 and 26 begin to read what nobody asked for.
    await turn(100);
    expect(rejected).not.toHaveBeenCalled();
  });

  it("C6.3 leaves no rejection to nobody where bodyLimit() refuses one", async () => {
    const rejected = unhandled();
    for (const stream of [false, true]) {
      const app = nativeAround(
        bodyLimit({ maxBytes: 10, stream }),
        async (request) => new Response(await request.text()),
      );
      const body = formOf(turn());
      expect((await app.fetch(new Request("http://h/items", { method: "PUT", body }))).status).toBe(413);
    }
    // Only Node 24 and 26 begin to read what nobody asked for.
    await turn(100);
    expect(rejected).not.toHaveBeenCalled();
  });
});

describe("cancelUnread() content that a client calls a FormData", () => {
  const type = "multipart/form-data; boundary=----formdata-undici-012345678901";
  const megabytes = 1024 * 1024;

  /** Content of which each part counts as taken. */
  function counted(): { readonly content: ReadableStream<Uint8Array>; readonly taken: () => number } {
    let bytes = 0;
    const pull = (stream: ReadableStreamDefaultController): void => {
      bytes += 65_536;
      if (bytes > 600 * megabytes) stream.close();
      else stream.enqueue(new Uint8Array(65_536));
    };
    return { content: new ReadableStream({ pull }, { highWaterMark: 0 }), taken: () => bytes };
  }

  it.each(["HTTP/1.1", "HTTP/2"])("C6.3 takes nothing more of it for HEAD, over %s", async (protocol) => {
    for (const Class of [Response, FastResponse]) {
      const { content, taken } = counted();
      const canceled = vi.spyOn(content, "getReader");
      const app = native(
        (request) => new Class(content, { headers: { "content-type": request.headers.get("content-type")! } }),
      );
      const headers = { "content-type": type };
      if (protocol === "HTTP/2") await (await startedHttp2(app))({ ":method": "HEAD", ...headers });
      else expect((await ask(await started(app), { method: "HEAD", headers })).status).toBe(200);
      await turn(50);
      expect(taken()).toBe(0);
      expect(canceled).toHaveBeenCalledOnce();
    }
  });

  it.each(["HTTP/1.1", "HTTP/2"])(
    "C6.3 takes nothing more of it once the client has left, over %s",
    async (protocol) => {
      const { content, taken } = counted();
      const app = native(
        (request) => new Response(content, { headers: { "content-type": request.headers.get("content-type")! } }),
      );
      const headers = { "content-type": type };
      if (protocol === "HTTP/2") {
        const stream = (await http2Session(app)).request({ ":method": "POST", ...headers }).on("error", () => {});
        await once(stream, "response");
        stream.close(8);
      } else {
        const exchange = begin(await started(app), { method: "POST", headers }).on("error", () => {});
        await once(exchange.end(), "response");
        exchange.destroy();
      }
      await turn(50);
      const before = taken();
      expect(before).toBeLessThan(20 * megabytes);
      await turn(50);
      expect(taken()).toBe(before);
    },
  );

  it("C6.3 takes nothing more of an upload that a handler answers with, once its client has left", async () => {
    const read = gate<number>();
    const server = await started(
      native(({ headers, body }) => new Response(body, { headers: { "content-type": headers.get("content-type")! } })),
    );
    server.on("connection", (socket) => socket.once("close", () => read.open(socket.bytesRead)));
    const exchange = begin(server, { method: "POST", headers: { "content-type": type } }).on("error", () => {});
    exchange.write(new Uint8Array(65_536));
    const [response] = await once(exchange, "response");
    response.on("error", () => {});
    await once(response, "data");
    exchange.destroy();
    expect(await read.opened).toBeLessThan(megabytes);
  });

  it("C6.3 cancels it where middleware drops it", async () => {
    const canceled = gate();
    const app = nativeAround(timeout({ timeoutMs: 20 }), async () => {
      await turn(40);
      return new Response(new ReadableStream({ cancel: canceled.open }), { headers: { "content-type": type } });
    });
    await ask(await started(app), { path: "/items" });
    await canceled.opened;
  });
});

describe("sendContent()", () => {
  it("C6.3 sends the head and the parts of content that fails in the turn in which they came", async () => {
    for (const parts of [2, 3, 20]) {
      let left = parts;
      const content = new ReadableStream<Uint8Array>({
        pull(stream) {
          if (left-- === 0) throw new Error("unfit");
          stream.enqueue(new Uint8Array(1_000));
        },
      });
      const app = native(() => new Response(content));
      const { status, text } = await brokenOff(await started(app, { onError: () => {} }));
      expect([parts, status, text.length > 0]).toEqual([parts, 200, true]);
    }
  });
});

/** Reads an answer that breaks off. */
async function brokenOff(server: Server): Promise<{ readonly status: number | undefined; readonly text: string }> {
  const [response] = (await once(begin(server).end(), "response")) as [IncomingMessage];
  let text = "";
  response.on("data", (part: Buffer) => (text += part.toString()));
  await new Promise((resolve) => response.on("error", () => {}).on("close", resolve));
  return { status: response.statusCode, text };
}

/** Sees the rejections that would end the process. */
function unhandled() {
  const rejected = vi.fn<(reason: unknown) => void>();
  process.on("unhandledRejection", rejected);
  onTestFinished(() => void process.off("unhandledRejection", rejected));
  return rejected;
}

/** A form with a file whose end can be read once something has happened. */
function formOf(happened: Promise<unknown>, over = (): void => {}): FormData {
  async function* parts(): AsyncGenerator<Uint8Array> {
    try {
      yield new Uint8Array(1 << 16);
      await happened;
      yield new Uint8Array(1 << 16);
    } finally {
      over();
    }
  }
  const form = new FormData();
  form.append("file", Object.assign(new File([new Uint8Array(1 << 17)], "file"), { stream: parts }));
  return form;
}
