import { HTTPError, Middleware, Status } from "fingerpost/modules/http.polyfill.js";
import { log, type LogEntry } from "fingerpost/middleware/log.js";
import { afterEach, describe, expect, it, vi } from "vitest";
import { nativeAround, polyfillAround, refusalOf, requestFor } from "../../tests/middleware/around.ts";
import { ask, started } from "../../tests/support/sockets.ts";

afterEach(() => void vi.restoreAllMocks());

/** A log that is kept, without durations, which are never the same. */
function kept() {
  const entries: Omit<LogEntry, "durationMs">[] = [];
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

  it("gives the input along, so that attributes can be written", async () => {
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

  it("writes one line whatever the method is", async () => {
    const print = vi.spyOn(console, "log").mockReturnValue();
    const { Application } = await import("fingerpost/modules/http.native.js");
    const app = Application.builder().middleware(log()).build();
    for (const method of ["A\nB", "\u001b[2J", "", "X".repeat(10_000)]) {
      await app.handle({ url: "/", method }).catch(() => {});
    }
    const lines = print.mock.calls.map(([line]) => String(line).replace(/[\d.]+ ms$/, "_"));
    expect(lines).toEqual(['"A\\nB" - 404 _', '"\\u001b[2J" - 404 _', '"" - 404 _', `${"X".repeat(80)} - 404 _`]);
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

  it("C7.4 names the option that is wrong", () => {
    expect(refusalOf(() => log({ write: "console" as never }))).toContain('its option "write" must be a function');
    expect(refusalOf(() => log({ to: console.log } as never))).toContain("to");
    expect(refusalOf(() => log(console.log as never))).toContain("Cannot call log()");
  });
});
