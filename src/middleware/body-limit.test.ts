import { once } from "node:events";
import { text } from "node:stream/consumers";
import { bodyLimit } from "fingerpost/middleware/body-limit";
import { timeout } from "fingerpost/middleware/timeout";
import { Application, HTTPError, Status } from "fingerpost/modules/http.native.js";
import { Attribute, Middleware } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  nativeAround,
  polyfillAround,
  refusalOf,
  requestFor,
  type NativeInput,
} from "../../tests/middleware/around.ts";
import { ask, begin, gate, started, turn } from "../../tests/support/sockets.ts";

/** Content in chunks, whose length nobody knows beforehand. */
function chunked(...lengths: readonly number[]) {
  let at = 0;
  const content = {
    isCanceled: false,
    stream: new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const length = lengths[at++];
          if (length === undefined) controller.close();
          else controller.enqueue(new Uint8Array(length).fill(120));
        },
        cancel() {
          content.isCanceled = true;
        },
      },
      { highWaterMark: 0 },
    ),
  };
  return content;
}

function post(body: BodyInit, headers: Record<string, string> = {}): Request {
  return requestFor({ method: "POST", body, headers, duplex: "half" });
}

/** A handler that reads all content, and never looks at what becomes of it. */
async function readAll(request: NativeInput): Promise<Response> {
  return new Response(String((await request.text()).length));
}

/** A handler that never finishes. */
const unfinished = new Promise<Response>(() => {});

describe.each([false, true])("bodyLimit({ stream: %s })", (stream) => {
  const limit = bodyLimit({ maxBytes: 10, stream });
  const isReached = (): [Promise<void>, () => Response] => {
    const { opened, open } = gate();
    return [opened, () => (open(), new Response("reached"))];
  };

  it("RFC 9110 §15.5.14 answers 413 to a Content-Length that is too large, before the handler runs", async () => {
    const app = nativeAround(limit, () => expect.unreachable());
    const response = await app.fetch(post("x".repeat(11), { "content-length": "11" }));
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ status: 413, detail: "The content is longer than 10 bytes" });
    expect((await app.fetch(post("x", { "content-length": "9".repeat(400) }))).status).toBe(413);
  });

  it("RFC 9110 §15.5.14 answers 413 whatever the content does when it is canceled", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    onTestFinished(() => void process.off("unhandledRejection", unhandled));
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(6)),
      cancel: () => Promise.reject(new Error("broken")),
    });
    expect((await nativeAround(limit, readAll).fetch(post(endless))).status).toBe(413);
    await turn();
    expect(unhandled).not.toHaveBeenCalled();
  });

  it("passes content of just the limit", async () => {
    const app = nativeAround(limit, readAll);
    expect(await (await app.fetch(post("x".repeat(10), { "content-length": "10" }))).text()).toBe("10");
    expect(await (await app.fetch(post(chunked(4, 6).stream))).text()).toBe("10");
    expect(await (await app.fetch(post(""))).text()).toBe("0");
  });

  it("RFC 9110 §15.5.14 answers 413 to chunked content that is too large", async () => {
    const content = chunked(4, 4, 4, 4);
    expect((await nativeAround(limit, readAll).fetch(post(content.stream))).status).toBe(413);
    expect(content.isCanceled).toBe(true);
  });

  it("RFC 9110 §15.5.14 answers 413 to content that is longer than its Content-Length says", async () => {
    const request = post(chunked(4, 4, 4).stream, { "content-length": "4" });
    expect((await nativeAround(limit, readAll).fetch(request)).status).toBe(413);
  });

  it("RFC 9110 §15.5.14 answers 413 before a handler finishes that swallows the failure", async () => {
    const app = nativeAround(limit, async (request) => {
      await request.text().catch(() => {});
      return unfinished;
    });
    expect((await app.fetch(post(chunked(6, 6).stream))).status).toBe(413);
  });

  it("counts anything but a number as no length", async () => {
    const app = nativeAround(limit, readAll);
    for (const length of ["", "-1", "1e9", "0x1", "5, 5"]) {
      expect((await app.fetch(post("x", { "content-length": length }))).status, length).toBe(200);
      expect((await app.fetch(post("x".repeat(11), { "content-length": length }))).status, length).toBe(413);
    }
  });

  it("passes requests without content as they are", async () => {
    const seen: unknown[] = [];
    const app = nativeAround(limit, (request) => (seen.push(request), new Response()));
    const request = requestFor();
    await app.fetch(request);
    expect(seen[0]).toBe(request);
    expect(await app.handle({ url: "/items", method: "GET" })).toBeInstanceOf(Response);
  });

  it("C5.5 hands over params, signal and fields of the request", async () => {
    const client = new AbortController();
    const app = nativeAround(limit, async (request) => {
      client.abort();
      return Response.json([
        request.params.pathParam("id"),
        request.signal.aborted,
        request.headers.get("content-type"),
      ]);
    });
    const init = { method: "POST", body: "x", headers: { "content-type": "text/csv" }, signal: client.signal };
    expect(await (await app.fetch(requestFor(init, "/items/7"))).json()).toEqual(["7", true, "text/csv"]);
  });

  it("C5.6 C5.7 hands over attributes and fields for responses made from errors", async () => {
    const user = new Attribute<string>("user");
    class Outer extends Middleware {
      ALL(input: object): unknown {
        user.set(input, "Ada");
        return this.next(input);
      }
    }
    class Inner extends Middleware {
      ALL(input: object): unknown {
        this.errorHeaders(input).set("x-user", user.get(input));
        return this.next(input);
      }
    }
    const app = nativeAround([Outer, limit, Inner], () => {
      throw new Error("fault");
    });
    expect((await app.fetch(post("x"))).headers.get("x-user")).toBe("Ada");
  });

  it("C2.5 C5.7 has 404 with the fields of what is outside, when it wraps the application", async () => {
    class Outer extends Middleware {
      ALL(input: object): unknown {
        this.errorHeaders(input).set("x-outer", "1");
        return this.next(input);
      }
    }
    const app = Application.builder().middleware(Outer, limit, Outer).build();
    const { status, headers } = await app.fetch(post("x"));
    expect([status, headers.get("x-outer")]).toEqual([404, "1"]);
  });

  it("refuses content that cannot be counted", async () => {
    const errors: unknown[] = [];
    const app = nativeAround(limit, readAll, (error) => void errors.push(error));
    const cancel = vi.fn(() => Promise.reject(new Error("no matter")));
    const strings = new ReadableStream({ start: (controller) => controller.enqueue("x".repeat(11)), cancel });
    expect((await app.fetch(post(strings))).status).toBe(500);
    expect(String(errors[0])).toBe(`TypeError: Cannot read the content: expected it to be bytes, got "xxxxxxxxxxx"`);
    expect(cancel).toHaveBeenCalledOnce();
  });

  it("C2.3 refuses a context of the polyfill chain, whose content it cannot count", async () => {
    const context = { url: "/items", method: "POST", request: {}, response: {} };
    await expect(polyfillAround(limit).handle(context)).rejects.toThrow(
      "Cannot limit the content: expected a Request, got an object; use bodyLimit() with http.native.js",
    );
  });

  it("RFC 9112 §7.1 counts chunks over a socket, and keeps the connection in order", async () => {
    const server = await started(nativeAround(limit, readAll));
    const length = async (lengths: readonly number[]): Promise<unknown> => {
      const request = begin(server, { method: "POST", path: "/items" });
      const answer = once(request, "response");
      for (const size of lengths) request.write("x".repeat(size));
      request.end();
      const [response] = await answer;
      return response.statusCode === 200 ? text(response) : response.statusCode;
    };
    expect(await length([4, 6])).toBe("10");
    expect(await length([4, 7])).toBe(413);
    expect(await length([100_000, 100_000])).toBe(413);
    expect((await ask(server, { method: "POST", path: "/items" }, "x".repeat(11))).status).toBe(413);
    expect((await ask(server, { method: "POST", path: "/items" }, "x".repeat(10))).text).toBe("10");
  });

  it("runs the handler for content within the limit", async () => {
    const [reached, handler] = isReached();
    await nativeAround(limit, handler).fetch(post("x"));
    await reached;
  });
});

describe("bodyLimit()", () => {
  const limit = bodyLimit({ maxBytes: 10 });

  it.each([
    ["chunked", {}],
    ["lying", { "content-length": "1" }],
  ])(
    "RFC 9110 §15.5.14 answers 413 to %s content that the handler would not read, or only half",
    async (_, headers) => {
      let runs = 0;
      const half = async (request: NativeInput): Promise<Response> => {
        runs++;
        await request.body!.getReader().read();
        return new Response();
      };
      const unread = (): Response => (runs++, new Response());
      for (const handler of [half, unread]) {
        const response = await nativeAround(limit, handler).fetch(post(chunked(4, 4, 4).stream, headers));
        expect(response.status).toBe(413);
      }
      expect(runs).toBe(0);
    },
  );

  it("takes 0 for a limit: content must be empty", async () => {
    const app = nativeAround(bodyLimit({ maxBytes: 0 }), readAll);
    expect([(await app.fetch(post(""))).status, (await app.fetch(post("x"))).status]).toEqual([200, 413]);
  });

  it("refuses a body that is not a stream", async () => {
    const answer = nativeAround(limit).handle({ url: "/items", method: "POST", body: "x".repeat(11) });
    await expect(answer).rejects.toThrow("Cannot limit the content: expected a Request, got an object");
  });

  it("hands over all bytes, in order", async () => {
    const body = new Blob([new Uint8Array([0, 255, 1]), new Uint8Array([254, 2])]).stream();
    const app = nativeAround(limit, async (request) => new Response(await request.arrayBuffer()));
    expect([...new Uint8Array(await (await app.fetch(post(body))).arrayBuffer())]).toEqual([0, 255, 1, 254, 2]);
  });

  it("fails as the content does", async () => {
    const error = new Error("the client has left");
    const seen: unknown[] = [];
    const app = nativeAround(limit, readAll, (reason) => void seen.push(reason));
    const body = new ReadableStream({ pull: (controller) => controller.error(error) });
    expect((await app.fetch(post(body))).status).toBe(500);
    expect(seen).toEqual([error]);
  });

  it("C6.3 lets a handler cancel content whose host cannot, with streaming", async () => {
    const cancel = vi.fn(() => Promise.reject(new Error("disk")));
    const body = new ReadableStream({ cancel });
    const app = nativeAround(bodyLimit({ maxBytes: 10, stream: true }), async (request) => {
      await request.body!.cancel();
      return new Response("canceled");
    });
    const answer = await app.fetch(requestFor({ method: "PUT", body, duplex: "half" }));
    expect(await answer.text()).toBe("canceled");
    expect(cancel).toHaveBeenCalledOnce();
  });

  it("C7.4 names the option that is wrong", () => {
    for (const maxBytes of [undefined, -1, 1.5, NaN, Infinity, "10"] as never[]) {
      expect(refusalOf(() => bodyLimit({ maxBytes }))).toContain('its option "maxBytes" must be a whole number');
    }
    expect(refusalOf(() => bodyLimit({ maxBytes: 1, stream: 1 as never }))).toContain('its option "stream" must be');
    expect(refusalOf(() => bodyLimit({ maxBytes: 1, bytes: 1 } as never))).toContain("bytes");
  });
});

describe("bodyLimit({ stream: true })", () => {
  const limit = bodyLimit({ maxBytes: 10, stream: true });

  it("has the handler run while the content comes in", async () => {
    const { opened, open } = gate();
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          await opened;
          controller.enqueue(new Uint8Array(3));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const app = nativeAround(limit, async (request) => {
      open();
      return new Response(String((await request.arrayBuffer()).byteLength));
    });
    expect(await (await app.fetch(post(body))).text()).toBe("3");
  });

  it("RFC 9110 §15.5.14 answers 413 when the half that the handler reads is too large", async () => {
    const app = nativeAround(limit, async (request) => {
      const reader = request.body!.getReader();
      await reader.read();
      await reader.read().catch(() => {});
      return unfinished;
    });
    expect((await app.fetch(post(chunked(6, 6, 6, 6).stream))).status).toBe(413);
  });

  it("cancels the content of a response that comes after the refusal", async () => {
    const { opened, open } = gate();
    const { opened: refused, open: refuse } = gate();
    const app = nativeAround(limit, async (request) => {
      await request.arrayBuffer().catch(() => {});
      await refused;
      return new Response(new ReadableStream({ cancel: open }));
    });
    expect((await app.fetch(post(chunked(6, 6).stream))).status).toBe(413);
    refuse();
    await opened;
  });

  it("leaves alone a response that came before its handler read too much", async () => {
    const cancel = vi.fn<() => void>();
    const { opened, open } = gate<unknown>();
    const app = nativeAround(limit, async (request) => {
      setTimeout(() => void request.arrayBuffer().catch(open));
      return new Response(new ReadableStream({ cancel }));
    });
    expect((await app.fetch(post(chunked(6, 6).stream))).status).toBe(200);
    expect(await opened).toHaveProperty("status", 413);
    await turn();
    expect(cancel).not.toHaveBeenCalled();
  });

  it("C6.3 leaves no unhandled rejection if a handler throws while it reads", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    onTestFinished(() => void process.off("unhandledRejection", unhandled));
    let read: Promise<unknown> | undefined;
    const app = nativeAround(limit, (request) => {
      read = request.arrayBuffer().catch(() => {});
      throw new HTTPError(Status.Forbidden);
    });
    expect((await app.fetch(post(chunked(6, 6, 6, 6).stream))).status).toBe(403);
    await read;
    await turn();
    expect(unhandled).not.toHaveBeenCalled();
  });

  it("C6.3 leaves no unhandled rejection if a handler does not wait yet for content that is too large", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    onTestFinished(() => void process.off("unhandledRejection", unhandled));
    const { opened, open } = gate<unknown>();
    const app = nativeAround(limit, async (request) => {
      const content = request.text();
      await turn(20);
      content.catch(open);
      return new Response();
    });
    expect((await app.fetch(post(chunked(6, 6).stream))).status).toBe(413);
    expect(await opened).toHaveProperty("status", 413);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it("passes on a request whose content was read further out, by either form", async () => {
    const seen: unknown[] = [];
    class Outer extends Middleware {
      async ALL(request: Request): Promise<unknown> {
        seen.push(await request.json());
        return this.next(request);
      }
    }
    const inner = [limit, bodyLimit({ maxBytes: 10 }), timeout({ timeoutMs: 1000 })];
    const app = nativeAround([Outer, ...inner], ({ method }) => new Response(method));
    expect(await (await app.fetch(post("{}"))).text()).toBe("POST");
    const answer = await ask(await started(app), { method: "POST", path: "/items" }, "[7]");
    expect([answer.status, answer.text, seen]).toEqual([200, "POST", [{}, [7]]]);
  });

  it("counts what is left of content that was read in part further out, by either form", async () => {
    class Sniffing extends Middleware {
      async ALL(request: Request): Promise<unknown> {
        const reader = request.body!.getReader();
        await reader.read();
        reader.releaseLock();
        return this.next(request);
      }
    }
    for (const inner of [limit, bodyLimit({ maxBytes: 10 })]) {
      const app = nativeAround([Sniffing, inner], readAll);
      expect((await app.fetch(post(chunked(6, 6, 6).stream))).status).toBe(413);
      expect((await app.fetch(post(chunked(6, 6).stream))).status).toBe(200);
    }
  });

  it("reads nothing before the handler does", async () => {
    let pulls = 0;
    const pull = (): void => void pulls++;
    const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
    const app = nativeAround(limit, async () => {
      await Promise.resolve();
      return new Response(String(pulls));
    });
    expect(await (await app.fetch(post(body))).text()).toBe("0");
  });

  it("cancels the content when the handler does", async () => {
    const content = chunked(1, 1, 1);
    const app = nativeAround(limit, async (request) => {
      await request.body!.cancel();
      return new Response();
    });
    expect((await app.fetch(post(content.stream))).status).toBe(200);
    expect(content.isCanceled).toBe(true);
  });
});
