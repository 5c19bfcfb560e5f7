import { timeout } from "fingerpost/middleware/timeout";
import { Application, Middleware as NativeMiddleware, Resource } from "fingerpost/modules/http.native.js";
import { Attribute, Middleware, Status } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  nativeAround,
  polyfillAround,
  refusalOf,
  requestFor,
  type NativeInput,
} from "../../tests/middleware/around.ts";
import { http2Session } from "../../tests/support/http2.ts";
import { ask, begin, gate, started, turn } from "../../tests/support/sockets.ts";

const never = new Promise<Response>(() => {});

describe("timeout()", () => {
  it("RFC 9110 §15.6.4 answers 503 when the handler takes too long", async () => {
    const response = await nativeAround(timeout({ timeoutMs: 5 }), () => never).fetch(requestFor());
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ title: "Service Unavailable", status: 503 });
  });

  it("RFC 9110 §15.6.5 answers 504 where that is asked for", async () => {
    const app = nativeAround(timeout({ timeoutMs: 5, status: 504 }), () => never);
    expect((await app.fetch(requestFor())).status).toBe(504);
    const same = nativeAround(timeout({ timeoutMs: 5, status: Status.GatewayTimeout }), () => never);
    expect((await same.fetch(requestFor())).status).toBe(504);
  });

  it("passes on what comes in time, and leaves the signal alone", async () => {
    const signals: AbortSignal[] = [];
    const app = nativeAround(timeout({ timeoutMs: 20 }), async ({ signal }) => {
      signals.push(signal);
      return new Response("in time");
    });
    expect(await (await app.fetch(requestFor())).text()).toBe("in time");
    await turn(40);
    expect(signals[0]!.aborted).toBe(false);
  });

  it("passes on errors that come in time", async () => {
    const error = new Error("too early");
    const seen: unknown[] = [];
    const app = nativeAround(
      timeout({ timeoutMs: 1000 }),
      () => {
        throw error;
      },
      (reason) => void seen.push(reason),
    );
    expect((await app.fetch(requestFor())).status).toBe(500);
    expect(seen).toEqual([error]);
  });

  it("aborts the input's signal when the time is up", async () => {
    const { opened, open } = gate<unknown>();
    const app = nativeAround(timeout({ timeoutMs: 5 }), ({ signal }) => {
      signal.addEventListener("abort", () => open(signal.reason));
      return never;
    });
    await app.fetch(requestFor());
    const reason = (await opened) as DOMException;
    expect([reason.name, reason.message]).toEqual(["TimeoutError", "The handler took longer than 5 ms"]);
  });

  it("aborts the input's signal when the signal of the request aborts", async () => {
    const client = new AbortController();
    const { opened, open } = gate();
    const app = nativeAround(timeout({ timeoutMs: 60_000 }), async ({ signal }) => {
      const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      open();
      await aborted;
      return new Response(String(signal.reason));
    });
    const answer = app.fetch(requestFor({ signal: client.signal }));
    await opened;
    client.abort("left");
    expect(await (await answer).text()).toBe("left");
  });

  it("throws the reason of the request's signal when the time is up after the client has left", async () => {
    const client = new AbortController();
    const { opened, open } = gate();
    const seen: unknown[] = [];
    const app = nativeAround(
      timeout({ timeoutMs: 20 }),
      () => {
        open();
        return never;
      },
      (error) => void seen.push(error),
    );
    const answer = app.fetch(requestFor({ signal: client.signal }));
    await opened;
    client.abort();
    await answer;
    expect(seen).toEqual([client.signal.reason]);
    expect(seen[0]).toBeInstanceOf(DOMException);
  });

  it("C7.5 has nothing logged by default when the client has left, over a socket", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => printed.mockRestore());
    const { opened, open } = gate();
    const done = gate();
    class Items extends Resource {
      override paths = ["/items"];
      override GET(): Promise<Response> {
        open();
        return never;
      }
    }
    class Outer extends NativeMiddleware {
      async ALL(input: object): Promise<Response> {
        try {
          return await this.next(input);
        } finally {
          done.open();
        }
      }
    }
    const app = Application.builder()
      .resources(Items)
      .middleware(Outer, timeout({ timeoutMs: 100 }))
      .build();
    const sent = begin(await started(app), { path: "/items" }).on("error", () => {});
    sent.end();
    await opened;
    sent.destroy();
    await done.opened;
    await turn(10);
    expect(printed.mock.calls).toEqual([]);
  });

  it.each(["HTTP/1.1", "HTTP/2"])("C7.5 throws no 503 by the polyfill chain, either, over %s", async (protocol) => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => printed.mockRestore());
    // The test says when the time is over: on a busy machine it may be before the request comes.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    let [come, left] = [gate(), gate()];
    const failed = gate<unknown>();
    const app = polyfillAround(timeout({ timeoutMs: 100 }), ({ signal }) => {
      signal.addEventListener("abort", () => left.open());
      come.open();
      return never;
    });
    for (const options of [{}, { onError: failed.open }]) {
      [come, left] = [gate(), gate()];
      let leave: () => unknown;
      if (protocol === "HTTP/2") {
        const stream = (await http2Session(app, options)).request({ ":path": "/items" }).on("error", () => {});
        leave = () => stream.close(8);
      } else {
        const sent = begin(await started(app, options), { path: "/items" }).on("error", () => {});
        sent.end();
        leave = () => sent.destroy();
      }
      await come.opened;
      leave();
      await left.opened;
      await vi.advanceTimersByTimeAsync(100);
      for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await failed.opened).toMatchObject({ name: "AbortError" });
    expect(printed.mock.calls).toEqual([]);
  });

  it("aborts the signal of a context, too, when the client leaves", async () => {
    const { opened, open } = gate();
    const left = gate<unknown>();
    const app = polyfillAround(timeout({ timeoutMs: 60_000 }), (context) => {
      const { signal } = context as unknown as { signal: AbortSignal };
      signal.addEventListener("abort", () => left.open((signal.reason as Error).name));
      open();
      return never;
    });
    const sent = begin(await started(app, { onError: () => {} }), { path: "/items" }).on("error", () => {});
    sent.end();
    await opened;
    sent.destroy();
    expect(await left.opened).toBe("AbortError");
  });

  it("adds a signal to a context without one, which aborts when the time is up", async () => {
    const seen: unknown[] = [];
    const app = polyfillAround(timeout({ timeoutMs: 5 }), (context) => {
      const { signal } = context as unknown as { signal: AbortSignal };
      signal.addEventListener("abort", () => seen.push((signal.reason as Error).name));
      return never;
    });
    await expect(app.handle({ url: "/items", method: "GET" })).rejects.toMatchObject({ status: 503 });
    expect(seen).toEqual(["TimeoutError"]);
  });

  it("cancels the content of a response that comes too late", async () => {
    const { opened, open } = gate();
    const cancel = vi.fn(open);
    const app = nativeAround(timeout({ timeoutMs: 5 }), async () => {
      await turn(20);
      return new Response(new ReadableStream({ cancel }));
    });
    expect((await app.fetch(requestFor())).status).toBe(503);
    await opened;
    expect(cancel).toHaveBeenCalledOnce();
  });

  it("drops whatever comes too late, with or without content", async () => {
    const { opened, open } = gate();
    const results = [new Response(null, { status: 204 }), "text"];
    for (const result of results) {
      const app = nativeAround(timeout({ timeoutMs: 5 }), async () => {
        await turn(20);
        setTimeout(open);
        return result;
      });
      expect((await app.fetch(requestFor())).status).toBe(503);
    }
    await opened;
  });

  it("drops an error that comes too late", async () => {
    const seen: unknown[] = [];
    const { opened, open } = gate();
    const app = nativeAround(
      timeout({ timeoutMs: 5 }),
      async () => {
        await turn(20);
        queueMicrotask(open);
        throw new Error("late");
      },
      (error) => void seen.push(error),
    );
    await app.fetch(requestFor());
    await opened;
    await turn();
    expect(seen.map((error) => (error as { status?: number }).status)).toEqual([503]);
  });

  it("C5.5 hands over params, content and fields of the request", async () => {
    const app = nativeAround(timeout({ timeoutMs: 1000 }), async (request) =>
      Response.json([request.params.pathParam("id"), await request.text(), request.headers.get("x-a"), request.method]),
    );
    const response = await app.fetch(
      requestFor({ method: "PUT", body: "content", headers: { "x-a": "1" } }, "/items/7"),
    );
    expect(await response.json()).toEqual(["7", "content", "1", "PUT"]);
  });

  it("C5.6 hands over attributes, in both directions", async () => {
    const user = new Attribute<string>("user");
    const seen: unknown[] = [];
    class Outer extends Middleware {
      async ALL(input: object): Promise<unknown> {
        user.set(input, "Ada");
        const result = await this.next(input);
        seen.push(user.get(input));
        return result;
      }
    }
    const app = nativeAround([Outer, timeout({ timeoutMs: 1000 })], (request) => {
      seen.push(user.get(request));
      user.set(request, "Bo");
      return new Response();
    });
    await app.fetch(requestFor());
    expect(seen).toEqual(["Ada", "Bo"]);
  });

  it("has reading fail of content that was read further out, and lets handlers be that do not read it", async () => {
    class Outer extends Middleware {
      async ALL(request: Request): Promise<unknown> {
        await request.json();
        return this.next(request);
      }
    }
    const app = nativeAround([Outer, timeout({ timeoutMs: 1000 })], async (request) =>
      Response.json(request.method === "PUT" ? "unread" : await request.text().catch(({ name }: Error) => name)),
    );
    for (const [method, expected] of [
      ["PUT", "unread"],
      ["POST", "TypeError"],
    ] as const) {
      expect(await (await app.fetch(requestFor({ method, body: "{}" }))).json()).toBe(expected);
      const { text } = await ask(await started(app), { method, path: "/items" }, "{}");
      expect(JSON.parse(text)).toBe(expected);
    }
  });

  it("works for requests that are not a Request, by both chains", async () => {
    const native = nativeAround(timeout({ timeoutMs: 1000 }), ({ method, signal, url }) => {
      return new Response(`${method} ${new URL(url).pathname} ${signal.aborted}`);
    });
    const polyfill = polyfillAround(timeout({ timeoutMs: 1000 }), ({ method, response, url, ...context }) => {
      const { signal } = context as unknown as { signal: AbortSignal };
      return response.end(`${method} ${url} ${signal.aborted}`);
    });
    for (const app of [native, polyfill]) {
      const { text } = await ask(await started(app), { method: "TRACE", path: "/items" });
      expect(text).toBe("TRACE /items false");
    }
  });

  it("RFC 9110 §15.6.4 answers 503 over a socket, by both chains", async () => {
    const onError = (): void => {};
    const native = nativeAround(timeout({ timeoutMs: 5 }), () => never);
    const polyfill = polyfillAround(timeout({ timeoutMs: 5 }), () => never);
    for (const app of [native, polyfill]) {
      expect((await ask(await started(app, { onError }), { path: "/items" })).status).toBe(503);
    }
  });

  it("works with a light Request of a server's own", async () => {
    // What srvx passes: an object of another class, which the constructor of Request cannot read.
    const inner = requestFor({ method: "POST", body: "content" });
    class Light {
      readonly method = inner.method;
      readonly url = inner.url;
      readonly headers = inner.headers;
      readonly signal = inner.signal;
      readonly body = inner.body;
    }
    Object.setPrototypeOf(Light.prototype, Request.prototype);
    const app = nativeAround(
      timeout({ timeoutMs: 1000 }),
      async (request: NativeInput) => new Response(await request.text()),
    );
    const response = await app.fetch(new Light() as unknown as Request);
    expect(await response.text()).toBe("content");
  });

  it("takes the longest time that a timer can wait", async () => {
    expect((await nativeAround(timeout({ timeoutMs: 2 ** 31 - 1 })).fetch(requestFor())).status).toBe(200);
  });

  it("C7.4 names the option that is wrong", () => {
    for (const timeoutMs of [undefined, 0, -1, NaN, Infinity, 2 ** 31, "5"] as never[]) {
      expect(refusalOf(() => timeout({ timeoutMs }))).toContain(
        'its option "timeoutMs" must be a number of milliseconds',
      );
    }
    expect(refusalOf(() => timeout({ timeoutMs: 1, status: Status.OK as never }))).toContain(
      'its option "status" must be',
    );
    expect(refusalOf(() => timeout({ timeoutMs: 1, seconds: 2 } as never))).toContain("seconds");
    expect(refusalOf(() => timeout(undefined as never))).toContain("Cannot call timeout()");
  });
});
