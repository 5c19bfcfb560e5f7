import { log, type LogEntry } from "fingerpost/middleware/log";
import { requestId } from "fingerpost/middleware/request-id";
import { trace } from "fingerpost/middleware/trace";
import { Attribute, HTTPError, Middleware, Status } from "fingerpost/modules/http.polyfill.js";
import { afterEach, describe, expect, it, vi } from "vitest";
import { nativeAround, polyfillAround, refusalOf, requestFor } from "../../tests/middleware/around.ts";
import { ask, started } from "../../tests/support/sockets.ts";

afterEach(() => void vi.restoreAllMocks());

/** A log that is kept: of each entry what a request and its handler decide. */
function kept() {
  const entries: Pick<LogEntry, "method" | "pattern" | "status">[] = [];
  const Log = log({ write: ({ method, pattern, status }) => void entries.push({ method, pattern, status }) });
  return { entries, Log };
}

describe("log()", () => {
  it("writes method, path pattern and status of each request", async () => {
    const { entries, Log } = kept();
    const app = nativeAround(Log, () => new Response(null, { status: 204 }));
    await app.fetch(requestFor({ method: "PUT" }, "/items/secret?token=secret"));
    expect(entries).toEqual([{ method: "PUT", pattern: "/items/:id?", status: 204 }]);
  });

  it("C7.5 writes no status where the client left, as none was sent", async () => {
    const left = new DOMException("left", "AbortError");
    for (const [error, status] of [
      [left, null],
      [new TypeError("fetch failed", { cause: left }), null],
      [new Error("bug"), 500],
      [new HTTPError(Status.Conflict), 409],
      [undefined, 500],
    ] as const) {
      const { entries, Log } = kept();
      const client = new AbortController();
      const app = nativeAround(Log, () => {
        client.abort(left);
        throw error;
      });
      const input = requestFor({ signal: client.signal });
      expect(await app.handle(input).catch((reason: unknown) => reason)).toBe(error);
      expect(entries).toEqual([{ method: "GET", pattern: "/items/:id?", status }]);
    }
  });

  it("writes how long it took, in milliseconds", async () => {
    const entries: LogEntry[] = [];
    vi.spyOn(performance, "now").mockReturnValueOnce(1000).mockReturnValueOnce(1002.34567);
    await nativeAround(log({ write: (entry) => void entries.push(entry) })).fetch(requestFor());
    expect(entries[0]!.durationMs).toBe(2.346);
  });

  it("passes the response on as it is", async () => {
    const response = new Response();
    expect(await nativeAround(kept().Log, () => response).handle(requestFor())).toBe(response);
  });

  it("C7.3 writes the status of the response that is made from an error, and throws it on", async () => {
    for (const [error, status] of [
      [new HTTPError(Status.Conflict), 409],
      [new HTTPError(Status.EarlyHints), 500],
      [new HTTPError(Status.OK), 200],
      [new Error("bug"), 500],
      [undefined, 500],
    ] as const) {
      const { entries, Log } = kept();
      const app = nativeAround(Log, () => {
        throw error;
      });
      expect(await app.handle(requestFor()).catch((reason: unknown) => reason)).toBe(error);
      expect(entries).toEqual([{ method: "GET", pattern: "/items/:id?", status }]);
    }
  });

  it("C2.5 writes null for the pattern where none matched, when it wraps the application", async () => {
    const { entries, Log } = kept();
    const { Application } = await import("fingerpost/modules/http.native.js");
    const app = Application.builder().middleware(Log).build();
    await app.fetch(requestFor({}, "/secret"));
    expect(entries).toEqual([{ method: "GET", pattern: null, status: 404 }]);
  });

  it("writes the status of Node's response, by the polyfill chain", async () => {
    const { entries, Log } = kept();
    const app = polyfillAround(Log, ({ response }) => {
      response.statusCode = 201;
      return response.end();
    });
    await ask(await started(app), { path: "/items" });
    expect(entries).toEqual([{ method: "GET", pattern: "/items/:id?", status: 201 }]);
  });

  it("writes null for the status of what has none", async () => {
    const { entries, Log } = kept();
    await polyfillAround(Log, () => "text").handle({ url: "/items", method: "GET" });
    expect(entries).toEqual([{ method: "GET", pattern: "/items/:id?", status: null }]);
  });

  it("writes the id of a request, whichever of log() and requestId() is outside", async () => {
    const entries: LogEntry[] = [];
    const Log = log({ write: (entry) => void entries.push(entry) });
    const Id = requestId({ generate: () => "id-7" });
    for (const stack of [[Log, Id], [Id, Log], [Log]]) await nativeAround(stack).fetch(requestFor());
    const failing = nativeAround([Log, Id], () => {
      throw new HTTPError(Status.Conflict);
    });
    await failing.fetch(requestFor());
    expect(entries.map((entry) => entry.requestId)).toEqual(["id-7", "id-7", null, "id-7"]);
  });

  it("writes how many bytes of content there are, as far as the response says it", async () => {
    for (const [method, status, length, bytes] of [
      ["GET", 200, "5", 5],
      ["GET", 200, "0", 0],
      ["GET", 200, null, null],
      ["GET", 200, "many", null],
      ["GET", 200, "1".repeat(20), null],
      // RFC 9110 §8.6: what GET would send.
      ["HEAD", 200, "5", 0],
      ["HEAD", 200, null, 0],
      ["GET", 204, null, 0],
      ["GET", 304, "5", 0],
    ] as const) {
      const entries: LogEntry[] = [];
      const headers: HeadersInit = length === null ? {} : { "Content-Length": length };
      const content = status === 200 && method === "GET" ? "12345" : null;
      const app = nativeAround(
        log({ write: (entry) => void entries.push(entry) }),
        () => new Response(content, { status, headers }),
      );
      await app.handle(requestFor({ method }));
      expect(entries[0]!.bytes, `${method} ${status} ${length}`).toBe(bytes);
    }
  });

  it("writes no bytes of the response that is made from an error, which it does not see", async () => {
    const entries: LogEntry[] = [];
    const app = nativeAround(log({ write: (entry) => void entries.push(entry) }), () => {
      throw new Error("bug");
    });
    await app.fetch(requestFor());
    expect(entries[0]!.bytes).toBeNull();
    await app.fetch(requestFor({ method: "HEAD" }));
    expect(entries[1]!.bytes).toBe(0);
  });

  it("writes the bytes that Node's response declares, by the polyfill chain", async () => {
    const entries: LogEntry[] = [];
    const Log = log({ write: (entry) => void entries.push(entry) });
    for (const length of [7, "7"]) {
      const app = polyfillAround(Log, ({ response }) => {
        response.setHeader("Content-Length", length);
        return response.end("reached");
      });
      await ask(await started(app), { path: "/items" });
    }
    await ask(await started(polyfillAround(Log)), { path: "/items" });
    expect(entries.map(({ bytes }) => bytes)).toEqual([7, 7, null]);
  });

  it("writes the path only when told to, and never the query", async () => {
    const entries: LogEntry[] = [];
    const write = (entry: LogEntry): void => void entries.push(entry);
    const { Application } = await import("fingerpost/modules/http.native.js");
    for (const includePath of [undefined, false, true]) {
      await nativeAround(log({ write, includePath })).fetch(requestFor({}, "/items/7?token=secret"));
    }
    const app = Application.builder()
      .middleware(log({ write, includePath: true }))
      .build();
    for (const url of [
      "/a?b#c",
      "/a#c?b",
      "http://h",
      "http://h?/a",
      "http://ada:secret@h/a/b",
      "*",
      "//h/a",
      `/${"x".repeat(2000)}`,
      "/caf%C3%A9",
    ]) {
      await app.handle({ url, method: "GET" }).catch(() => {});
    }
    expect(entries.map(({ path }) => path)).toEqual([
      null,
      null,
      "/items/7",
      "/a",
      "/a",
      "/",
      "/",
      "/a/b",
      "*",
      "//h/a",
      `/${"x".repeat(999)}`,
      "/caf%C3%A9",
    ]);
  });

  it("passes the input along, so that attributes can be written", async () => {
    const inputs: unknown[] = [];
    const request = requestFor();
    await nativeAround(log({ write: (_, input) => void inputs.push(input) })).fetch(request);
    expect(inputs[0]).toBe(request);
  });

  it("writes a line to the console unless told otherwise", async () => {
    const print = vi.spyOn(console, "log").mockReturnValue();
    await nativeAround(log()).fetch(requestFor());
    expect(print.mock.calls).toEqual([[expect.stringMatching(/^GET \/items\/:id\? 200 [\d.]+ ms$/)]]);
  });

  it("writes a dash to the console for what is not known", async () => {
    const print = vi.spyOn(console, "log").mockReturnValue();
    await polyfillAround(log(), () => "text").handle({ url: "/items", method: "GET" });
    expect(print.mock.calls).toEqual([[expect.stringMatching(/^GET \/items\/:id\? - [\d.]+ ms$/)]]);
  });

  it("writes to the console what is known besides: the path, bytes and the id", async () => {
    const print = vi.spyOn(console, "log").mockReturnValue();
    const headers = { "Content-Length": "4" };
    const Id = requestId({ generate: () => "id-7" });
    await nativeAround([log({ includePath: true }), Id], () => new Response("text", { headers })).fetch(
      requestFor({}, "/items/7"),
    );
    expect(print.mock.calls).toEqual([
      [expect.stringMatching(/^GET \/items\/:id\? 200 [\d.]+ ms \/items\/7 4 bytes id-7$/)],
    ]);
  });

  it("writes one line whatever the path is", async () => {
    const print = vi.spyOn(console, "log").mockReturnValue();
    const { Application } = await import("fingerpost/modules/http.native.js");
    const app = Application.builder()
      .middleware(log({ includePath: true }))
      .build();
    for (const url of ["/a\nGET /b 200", "/\u009b2J", "/\u2028", "/a b", "/\ud800", "/ä"]) {
      await app.handle({ url, method: "GET" }).catch(() => {});
    }
    const paths = print.mock.calls.map(([line]) => String(line).replace(/^GET - \d+ [\d.]+ ms /, ""));
    expect(paths).toEqual([
      String.raw`"/a\u000aGET /b 200"`,
      String.raw`"/\u009b2J"`,
      String.raw`"/\u2028"`,
      '"/a b"',
      String.raw`"/\ud800"`,
      String.raw`"/\u00e4"`,
    ]);
  });

  it("writes one line whatever the method is", async () => {
    const print = vi.spyOn(console, "log").mockReturnValue();
    const { Application } = await import("fingerpost/modules/http.native.js");
    const app = Application.builder().middleware(log()).build();
    for (const method of ["A\nB", "\u001b[2J", "\u009b2J", "", "X".repeat(10_000)]) {
      await app.handle({ url: "/", method }).catch(() => {});
    }
    const lines = print.mock.calls.map(([line]) => String(line).replace(/[\d.]+ ms$/, "_"));
    expect(lines).toEqual([
      String.raw`"A\u000aB" - 404 _`,
      String.raw`"\u001b[2J" - 404 _`,
      String.raw`"\u009b2J" - 404 _`,
      '"" - 404 _',
      `${"X".repeat(80)} - 404 _`,
    ]);
  });

  it("writes why a request was refused, and of other errors the name", async () => {
    for (const [error, reason] of [
      [new HTTPError(Status.Conflict, "Taken\u009b"), "Taken\u009b"],
      [new HTTPError(Status.Conflict, "x".repeat(300)), "x".repeat(200)],
      [new HTTPError(Status.NotFound), null],
      [new HTTPError(Status.ServiceUnavailable, "db at 10.0.0.7"), "HTTPError"],
      [new HTTPError(Status.ServiceUnavailable, "db", { cause: new RangeError("secret") }), "RangeError"],
      [new TypeError("secret"), "TypeError"],
      ["secret", null],
    ] as const) {
      const entries: LogEntry[] = [];
      const app = nativeAround(log({ write: (entry) => void entries.push(entry) }), () => {
        throw error;
      });
      await app.fetch(requestFor());
      expect(entries[0]!.reason).toBe(reason);
    }
  });

  it("writes who sent the request, its trace, and headers without credentials", async () => {
    const lines = vi.spyOn(console, "log").mockReturnValue();
    const user = new Attribute<{ id: number; email: string }>("user");
    class Guard extends Middleware {
      ALL(input: Request): unknown {
        user.set(input, { id: 7, email: "ada@example.com" });
        return this.next(input);
      }
    }
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    const headers = {
      "user-agent": "a b",
      authorization: "Bearer s",
      cookie: "a=b",
      "x-token": "t",
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
    };
    const options = {
      identityOf: (input: Request) => user.find(input),
      headers: ["User-Agent", "Authorization", "Cookie", "X-Token", "X-None"],
      redact: ["email", "x-token"],
    };
    for (const json of [true, false]) {
      const stack = [log({ ...options, json }), trace(), requestId({ generate: () => "id-7" }), Guard];
      const refuse = (): never => {
        throw new HTTPError(Status.Conflict, "Taken \u009b");
      };
      await nativeAround(stack, refuse).fetch(requestFor({ headers }));
    }
    const [json, text] = lines.mock.calls.map(([line]) => String(line));
    expect(json).toMatch(/^[ -~]+$/);
    const { time, durationMs, ...entry } = JSON.parse(json!) as Record<string, unknown>;
    expect(new Date(String(time)).toISOString()).toBe(time);
    expect(durationMs).toBeGreaterThanOrEqual(0);
    expect(entry).toEqual({
      method: "GET",
      pattern: "/items/:id?",
      status: 409,
      requestId: "id-7",
      traceId,
      identity: { id: 7, email: "[redacted]" },
      reason: "Taken \u009b",
      bytes: null,
      path: null,
      headers: {
        "User-Agent": "a b",
        Authorization: "[redacted]",
        Cookie: "[redacted]",
        "X-Token": "[redacted]",
        "X-None": null,
      },
    });
    expect(text!.replace(/[\d.]+ ms/, "_")).toBe(
      String.raw`GET /items/:id? 409 _ id-7 trace="${traceId}" identity={"id":7,"email":"[redacted]"} ` +
        String.raw`reason="Taken \u009b" User-Agent="a b" Authorization="[redacted]" ` +
        `Cookie="[redacted]" X-Token="[redacted]"`,
    );
  });

  it("keeps what fails in write from the response", async () => {
    const complain = vi.spyOn(console, "error").mockReturnValue();
    const error = new Error("disk full");
    for (const write of [
      () => {
        throw error;
      },
      () => Promise.reject(error),
    ]) {
      expect((await nativeAround(log({ write })).fetch(requestFor())).status).toBe(200);
    }
    await Promise.resolve();
    expect(complain.mock.calls).toEqual([[error], [error]]);
  });

  it("keeps what fails in reading the response from the response", async () => {
    const complain = vi.spyOn(console, "error").mockReturnValue();
    const error = new Error("closed");
    const result = {
      get status(): number {
        throw error;
      },
    };
    const app = polyfillAround(log(), () => result);
    expect(await app.handle({ url: "/items", method: "GET" })).toBe(result);
    expect(complain.mock.calls).toEqual([[error]]);
  });

  it("does not wait for write", async () => {
    const app = nativeAround(log({ write: () => new Promise(() => {}) }));
    expect((await app.fetch(requestFor())).status).toBe(200);
  });

  it("C5.3 sees what inner middleware answers", async () => {
    const { entries, Log } = kept();
    class Closed extends Middleware {
      ALL(): unknown {
        return new Response(null, { status: 503 });
      }
    }
    await nativeAround([Log, Closed]).fetch(requestFor());
    expect(entries[0]!.status).toBe(503);
  });

  it("writes the entry of a request whose identity cannot be told, and prints why", async () => {
    const errors = vi.spyOn(console, "error").mockReturnValue();
    const entries: unknown[] = [];
    const nobody = new Attribute<string>("nobody");
    const noting = log<Request>({ identityOf: (input) => nobody.get(input), write: (entry) => entries.push(entry) });
    await nativeAround([noting], () => new Response("text")).fetch(requestFor({}));
    expect(entries).toEqual([expect.objectContaining({ status: 200, identity: null })]);
    expect(String(errors.mock.calls[0]![0])).toContain('Cannot get attribute "nobody"');
  });

  it("C7.4 names the option that is wrong", () => {
    expect(refusalOf(() => log({ write: "console" as never }))).toContain('its option "write" must be a function');
    expect(refusalOf(() => log({ includePath: "/a" as never }))).toContain(
      'its option "includePath" must be true or false',
    );
    for (const [options, message] of [
      [{ identityOf: "me" }, '"identityOf" must be a function'],
      [{ json: 1 }, '"json" must be true or false'],
      [{ headers: ["a b"] }, '"headers" must be an array of field names'],
      [{ redact: [1] }, '"redact" must be an array of names'],
      [{ json: true, write() {} }, '"json" must be left out beside "write", got true'],
    ] as const)
      expect(refusalOf(() => log(options as never))).toContain(message);
    expect(refusalOf(() => log({ to: console.log } as never))).toContain("to");
    expect(refusalOf(() => log(console.log as never))).toContain("Cannot call log()");
  });
});
