import { once } from "node:events";
import { after } from "fingerpost/after";
import * as native from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import { Application, Resource, reply, text, type Answer, type Call } from "fingerpost";
import { serve } from "fingerpost/node";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { measured } from "../../tests/support/measured.ts";
import { ask, gate, turn } from "../../tests/support/sockets.ts";

type Handler = (request: Request) => unknown;

/** An application whose handler is given, and what its observer is told. */
function applicationOf(handler: Handler, Middleware: (new () => native.Middleware) | null = null) {
  class Late extends native.Resource {
    override paths = ["/"];
    override GET(request: Request): Response {
      return handler(request) as Response;
    }
    override HEAD(request: Request): Response {
      return handler(request) as Response;
    }
  }
  const told: unknown[] = [];
  const builder = native.Application.builder()
    .resources(Late)
    .onError((error) => void told.push(error));
  if (Middleware !== null) builder.middleware(Middleware);
  return { app: builder.build(), told };
}

/** The content of a response; null for one that is thrown. */
const answerOf = async (answer: () => Response | Promise<never>): Promise<string | null> => {
  try {
    return await (await answer()).text();
  } catch {
    return null;
  }
};

/** Notes what happens. */
function noted() {
  const events: string[] = [];
  return { events, note: (event: string) => void events.push(event) };
}

const fetched = (app: { fetch(request: Request, ...rest: unknown[]): Promise<Response> }, ...rest: unknown[]) =>
  app.fetch(new Request("http://localhost/"), ...rest);

describe("after()", () => {
  it("C14.1 begins when fetch() has fulfilled, in order, and settled() waits for it", async () => {
    const { events, note } = noted();
    const { app } = applicationOf((request) => {
      after(request, () => note("one"));
      after(request, async () => {
        await turn(5);
        note("two");
      });
      note("answered");
      return new native.Response("text");
    });
    const response = await fetched(app);
    note(`fulfilled ${response.status}`);
    await app.settled();
    expect(events).toEqual(["answered", "fulfilled 200", "one", "two"]);
    await app.settled();
  });

  it("measures how much work waits or runs", async () => {
    const found = measured();
    const { app } = applicationOf((request) => {
      after(request, () => {});
      return new native.Response("text");
    });
    await fetched(app);
    await app.settled();
    expect(found).toEqual([1, -1].map((change) => ["fingerpost.after.active", change]));
  });

  it("C14.1 takes a call of the semantics module, and an input that middleware replaced", async () => {
    const { events, note } = noted();
    class Late extends Resource {
      paths = ["/"] as const;
      static GET = { 200: text() };
      GET(call: Call<typeof Late, "GET">): string {
        after(call, () => note("call"));
        return "text";
      }
    }
    class Replacing extends native.Middleware {
      override ALL(request: unknown): Promise<Response> | Response {
        return this.next(
          request as Request,
          new Request(request as Request, { headers: { "x-a": "b" } }),
        ) as Promise<Response>;
      }
    }
    const semantic = Application.builder().resources(Late).middleware(Replacing).build();
    expect(await (await fetched(semantic)).text()).toBe("text");
    await semantic.settled();
    expect(events).toEqual(["call"]);
  });

  it("C14.1 waits for the end of streamed content: read, cancelled, or broken off", async () => {
    const streams: [end: (response: Response) => Promise<unknown>, isBroken: boolean][] = [
      [(response) => response.text(), false],
      [(response) => response.body!.cancel(), false],
      [(response) => response.text().catch(() => {}), true],
    ];
    for (const [end, isBroken] of streams) {
      const { events, note } = noted();
      const { app } = applicationOf((request) => {
        after(request, () => note("late"));
        let parts = 0;
        const content = new ReadableStream<Uint8Array>(
          {
            pull(controller) {
              parts += 1;
              if (parts === 3 && isBroken) controller.error(new Error("broken"));
              else if (parts === 3) controller.close();
              else controller.enqueue(new TextEncoder().encode(`${parts}`));
            },
          },
          { highWaterMark: 0 },
        );
        return new Response(content, { status: 201, headers: { "x-a": "b" } });
      });
      const response = await fetched(app);
      await turn(10);
      expect([response.status, response.headers.get("x-a"), events]).toEqual([201, "b", []]);
      await end(response);
      await app.settled();
      expect(events).toEqual(["late"]);
    }
  });

  it("C14.1 waits for no content of a response of the platform that has none, nor of an error", async () => {
    for (const answer of [
      () => new Response(null, { status: 204 }),
      () => {
        throw new native.HTTPError(native.Status.Conflict);
      },
    ]) {
      const { events, note } = noted();
      const { app } = applicationOf((request) => {
        after(request, () => note("late"));
        return answer();
      });
      await (await fetched(app)).text();
      await app.settled();
      expect(events).toEqual(["late"]);
    }
  });

  it.each([
    ["404 that is thrown", 404, () => Promise.reject(new native.HTTPError(native.Status.NotFound))],
    ["500", 500, () => Promise.reject(new Error("fault"))],
    ["JSON of the platform", 200, () => Response.json({ a: "b" })],
    ["bytes of the platform", 200, () => new Response(new Uint8Array(3))],
    ["JSON", 200, () => native.Response.json({ a: "b" })],
    ["no content", 204, () => new Response(null, { status: 204 })],
    ["no text", 200, () => new Response("")],
  ] as const)("C14.1 needs nobody who reads content that is whole: %s", async (_title, status, answer) => {
    for (const method of ["GET", "HEAD"]) {
      const { events, note } = noted();
      const { app } = applicationOf((request) => {
        after(request, () => note("late"));
        return answer();
      });
      const responses = [
        await app.request("/", { method }),
        await app.fetch(new Request("http://localhost/", { method })),
      ];
      await app.settled({ graceMs: 1_000 });
      expect([method, events]).toEqual([method, ["late", "late"]]);
      // What was read ahead is still there.
      const whole = await answerOf(answer);
      for (const response of responses) {
        expect(response.status).toBe(status);
        if (whole !== null && method === "GET") expect(await response.text()).toBe(whole);
      }
    }
  });

  it("C14.1 needs nobody who reads the answer of a check that failed, nor of one that is declared", async () => {
    const { events, note } = noted();
    class Late extends Resource {
      paths = ["/:name"] as const;
      static GET = { 200: text(), 404: "There is none" };
      GET(call: Call<typeof Late, "GET">): Answer<typeof Late, "GET"> {
        after(call, () => note(call.path.name));
        return call.path.name === "none" ? reply(404) : (7 as never);
      }
    }
    const app = Application.builder()
      .resources(Late)
      .onError(() => {})
      .build();
    const statuses = [(await app.request("/none")).status, (await app.request("/wrong")).status];
    await app.settled({ graceMs: 1_000 });
    expect([statuses, events]).toEqual([
      [404, 500],
      ["none", "wrong"],
    ]);
  });

  it("C14.1 begins at once when the request has its answer, also by other work", async () => {
    const { events, note } = noted();
    const { app } = applicationOf((request) => {
      after(request, () => {
        note("first");
        after(request, () => note("second"));
      });
      return new native.Response("text");
    });
    await fetched(app);
    await app.settled();
    expect(events).toEqual(["first", "second"]);
  });

  it("C14.1 tells errors to the observer", async () => {
    const { app, told } = applicationOf((request) => {
      after(request, () => {
        throw new Error("at once");
      });
      after(request, async () => {
        throw new Error("later");
      });
      return new native.Response("text");
    });
    expect((await fetched(app)).status).toBe(200);
    await app.settled();
    expect(told.map(String)).toEqual(["Error: at once", "Error: later"]);
  });

  it("C14.1 passes work to waitUntil() of the third argument", async () => {
    const waited: Promise<unknown>[] = [];
    const { events, note } = noted();
    const { app } = applicationOf((request) => {
      after(request, () => note("late"));
      return new Response("stream");
    });
    const context = {
      waitUntil(work: Promise<unknown>) {
        expect(this).toBe(context);
        waited.push(work);
      },
    };
    await fetched(app, {}, context);
    // Nobody has read the content.
    await Promise.all(waited);
    expect([events, waited.length]).toEqual([["late"], 1]);
  });

  it("C14.1 aborts the signal of work that takes longer than graceMs, and waits no more", async () => {
    let reason: unknown;
    const { app, told } = applicationOf((request) => {
      after(request, async (signal) => {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        reason = signal.reason;
      });
      return new native.Response("text");
    });
    await fetched(app);
    await app.settled({ graceMs: 10 });
    await app.settled();
    expect([String(reason), told]).toEqual(["AbortError: The server has stopped", []]);
  });

  it("C14.1 is 503 where too much work waits, and counts what has ended no more", async () => {
    const gates: (() => void)[] = [];
    const { app } = applicationOf((request) => {
      after(request, () => new Promise<void>((resolve) => gates.push(resolve)), { maxTasks: 2 });
      return new native.Response("text");
    });
    const statuses = async () => {
      const response = await fetched(app);
      return [response.status, response.headers.get("retry-after")];
    };
    expect([await statuses(), await statuses(), await statuses()]).toEqual([
      [200, null],
      [200, null],
      [503, "5"],
    ]);
    while (gates.length < 2) await turn(1);
    for (const open of gates) open();
    await app.settled();
    expect(await statuses()).toEqual([200, null]);
    while (gates.length < 3) await turn(1);
    gates[2]!();
    await app.settled();
  });

  it.each([false, true])(
    "C14.1 begins after the answer of the outer application, unless it asks by itself: %s",
    async (isCopied) => {
      const { events, note } = noted();
      const { app: inner } = applicationOf((request) => {
        after(request, () => note("late"));
        return new native.Response("text");
      });
      class Outer extends native.Middleware {
        override async ALL(request: unknown): Promise<Response> {
          const response = await inner.fetch(isCopied ? new Request("http://localhost/") : (request as Request));
          await turn(10);
          note("outer");
          return response;
        }
      }
      const { app } = applicationOf(() => new native.Response("not reached"), Outer);
      await (await fetched(app)).text();
      await Promise.all([app.settled(), inner.settled()]);
      expect(events).toEqual(isCopied ? ["late", "outer"] : ["outer", "late"]);
    },
  );

  it("C14.1 goes on until a server of Node that stops has waited for graceMs", async () => {
    const stop = new AbortController();
    const { events, note } = noted();
    const [begun, aborted] = [gate(), gate()];
    const { app } = applicationOf((request) => {
      after(request, async (signal) => {
        note("begun");
        begun.open();
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        note("aborted");
        aborted.open();
      });
      return new native.Response("text");
    });
    const server = await serve(app, { port: 0, hostname: "127.0.0.1", signal: stop.signal, graceMs: 30 });
    expect((await ask(server)).text).toBe("text");
    await begun.opened;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const closed = once(server, "close");
    stop.abort();
    await closed;
    await vi.advanceTimersByTimeAsync(29);
    expect(events).toEqual(["begun"]);
    vi.advanceTimersByTime(1);
    await aborted.opened;
    expect(events).toEqual(["begun", "aborted"]);
  });

  it("C14.1 aborts work that a request orders while the server stops, and is waited for after its close", async () => {
    const stop = new AbortController();
    const { events, note } = noted();
    const { app } = applicationOf(async (request) => {
      stop.abort();
      await turn(5);
      after(request, async (signal) => {
        note("begun");
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        note("aborted");
      });
      return new native.Response("text");
    });
    const server = await serve(app, { port: 0, hostname: "127.0.0.1", signal: stop.signal, graceMs: 100 });
    const closed = once(server, "close").then(() => app.settled({ graceMs: 3_600_000 }));
    expect((await ask(server)).text).toBe("text");
    await closed;
    expect(events).toEqual(["begun", "aborted"]);
  });

  it("C14.1 refuses what it cannot do", async () => {
    const request = new Request("http://localhost/");
    expect(() => after(request, 7 as never)).toThrow("Cannot work after the answer: expected a function, got 7");
    expect(() => after(request, () => {}, { maxTasks: 0 })).toThrow('"maxTasks" must be a whole number from 1 on');
    expect(() => after(request, () => {}, { most: 1 } as never)).toThrow('it has no option "most"');
    class Late extends polyfill.Resource {
      override paths = ["/"];
      override GET(context: object): unknown {
        return after(context, () => {});
      }
    }
    const app = polyfill.Application.builder().resources(Late).build();
    await expect(app.handle({ url: "/", method: "GET" })).rejects.toThrow(
      "the polyfill module has no answer to wait for",
    );
  });
});
