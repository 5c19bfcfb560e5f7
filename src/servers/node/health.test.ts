import { once } from "node:events";
import { Application as Declared, Resource, reply } from "fingerpost";
import type { ApiOf } from "fingerpost/client";
import { Application } from "fingerpost/modules/http.native.js";
import { document } from "fingerpost/openapi";
import { describe, expect, expectTypeOf, it, onTestFinished, vi } from "vitest";
import { ask, gate, portOf } from "../../../tests/support/sockets.ts";
import { health, serve, type HealthOptions } from "../node.ts";

const unanswered = new Promise<never>(() => {});

function asking(options: HealthOptions): (path?: string) => Promise<[number, unknown]> {
  const app = Application.builder().resources(health(options)).build();
  return async (path = "/readyz") => {
    const response = await app.request(path);
    expect(response.headers.get("cache-control")).toBe("no-store");
    return [response.status, await response.json()];
  };
}

function printed(): readonly string[] {
  const lines: string[] = [];
  const spy = vi.spyOn(console, "error").mockImplementation((format: string, ...values: unknown[]) => {
    lines.push(values.reduce<string>((text, value) => text.replace(/%[sd]/, String(value)), format));
  });
  onTestFinished(() => spy.mockRestore());
  return lines;
}

const problem = { title: "Service Unavailable", status: 503 };

describe("health()", () => {
  it("says that a process lives, and is ready while its checks hold", async () => {
    const get = asking({ checks: { database: () => true, cache: async () => {} } });
    expect(await get("/livez")).toEqual([200, { status: "live" }]);
    expect(await get()).toEqual([200, { status: "ready" }]);
  });

  it("lives while nothing that it needs answers", async () => {
    const get = asking({ livePath: "/alive", checks: { database: () => unanswered } });
    expect(await get("/alive")).toEqual([200, { status: "live" }]);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("no route");
      },
      "Error: no route",
    ],
    ["rejects", () => Promise.reject(new TypeError("no pool")), "TypeError: no pool"],
    ["is false", () => false, "it returned false"],
    // oxlint-disable-next-line prefer-promise-reject-errors
    ["rejects with something else", () => Promise.reject("no"), "it threw something else than an error"],
  ])("is not ready when a check %s, and shows nobody which", async (_, database, reason) => {
    const lines = printed();
    const get = asking({ checks: { database } });
    expect(await get()).toEqual([503, problem]);
    expect(lines).toEqual([`The check database fails: ${reason}; more of it is counted`]);
  });

  it("shows those who may know which checks failed, each after its own time", async () => {
    printed();
    let late: AbortSignal | undefined;
    const get = asking({
      timeoutMs: 1,
      mayKnow: async (request) => new URL(request.url).search === "?key",
      checks: {
        database: (signal) => ((late = signal), unanswered),
        cache: () => false,
        disk: () => {},
      },
    });
    expect(await get("/readyz")).toEqual([503, problem]);
    const checks = { database: "timed out", cache: "failed", disk: "ok" };
    expect(await get("/readyz?key")).toEqual([503, { ...problem, checks }]);
    expect(late?.aborted).toBe(true);
  });

  it("asks once for all who ask within a second, and at once if nothing is kept", async () => {
    const database = vi.fn<() => void>();
    const kept = asking({ checks: { database } });
    await Promise.all([kept(), kept()]);
    await kept();
    expect(database).toHaveBeenCalledTimes(1);
    const anew = asking({ checks: { database }, cacheMs: 0 });
    await anew();
    await anew();
    expect(database).toHaveBeenCalledTimes(3);
  });

  it("prints one line for a check that goes on failing, and its count at the end", async () => {
    const lines = printed();
    let isAway = true;
    const get = asking({ checks: { database: () => !isAway }, cacheMs: 0 });
    for (let i = 0; i < 3; i++) await get();
    isAway = false;
    for (let i = 0; i < 2; i++) expect(await get()).toEqual([200, { status: "ready" }]);
    expect(lines).toEqual([
      "The check database fails: it returned false; more of it is counted",
      "The check database holds again: it failed 3 times",
    ]);
  });

  it("is not ready once its signal aborts", async () => {
    const leaving = new AbortController();
    const get = asking({ leaving: leaving.signal, readyPath: "/ready" });
    expect((await get("/ready"))[0]).toBe(200);
    leaving.abort();
    expect(await get("/ready")).toEqual([503, { ...problem, detail: "The server stops" }]);
  });

  it("stays out of the document and the client, and takes a prefix", async () => {
    class Books extends Resource {
      paths = ["/books"] as const;
      static GET = { 204: "Nothing" };
      GET() {
        return reply(204);
      }
    }
    const app = Declared.builder()
      .resources(Books, health({ readyPath: "/up" }))
      .build();
    expect(Object.keys(document(app, { title: "Books", version: "1" }).paths ?? {})).toEqual(["/books"]);
    const alone = Declared.builder().resources(Books).build();
    expectTypeOf<ApiOf<typeof app>>().toEqualTypeOf<ApiOf<typeof alone>>();
    expect((await app.request("/up", { method: "HEAD" })).status).toBe(200);
    expect((await app.request("/up", { method: "POST" })).status).toBe(405);
  });

  it("has middleware around both", async () => {
    const { log } = await import("fingerpost/middleware/log");
    const patterns: (string | null)[] = [];
    const get = asking({ middleware: [log({ write: ({ pattern }) => patterns.push(pattern) })] });
    await get("/livez");
    await get();
    expect(patterns).toEqual(["/livez", "/readyz"]);
  });

  it.each([
    [{ checks: { a: 1 } }, '"checks" must be an object of functions, got an object'],
    [{ checks: [] }, '"checks" must be an object of functions, got an array'],
    [{ timeoutMs: 0 }, '"timeoutMs" must be a whole number of at least 1 that a timer can wait, got 0'],
    [{ cacheMs: -1 }, '"cacheMs" must be a whole number that is not negative, got -1'],
    [{ mayKnow: true }, '"mayKnow" must be a function, got true'],
    [{ leaving: true }, '"leaving" must be an AbortSignal, got true'],
    [{ livePath: "live" }, '"livePath" must be a path, got "live"'],
    [{ readyPath: "" }, '"readyPath" must be a path, got ""'],
    [{ middleware: [1] }, '"middleware" must be an array of middleware classes, got 1'],
    [{ path: "/" }, 'it has no option "path"'],
  ])("refuses %j", (options, message) => {
    expect(() => health(options as HealthOptions)).toThrow(message);
  });
});

describe("leaveMs of serve()", () => {
  it("answers on while it is not ready, then stops", async () => {
    const stop = new AbortController();
    const app = Application.builder().resources(health()).build();
    const server = await serve(app, { port: 0, hostname: "127.0.0.1", signal: stop.signal, leaveMs: 200 });
    onTestFinished(() => void server.closeAllConnections());
    const closed = once(server, "close");
    expect(await ask(server, { path: "/readyz" })).toMatchObject({ status: 200 });
    stop.abort();
    expect(await ask(server, { path: "/readyz" })).toMatchObject({ status: 503 });
    expect(await ask(server, { path: "/livez" })).toMatchObject({ status: 200 });
    await closed;
  });

  it("keeps no timer for a server that closes by itself, and leaves a second signal to the process", async () => {
    const app = Application.builder().build();
    const server = await serve(app, { port: 0, hostname: "127.0.0.1", stopOn: ["SIGUSR2"], leaveMs: 2 ** 40 });
    expect(portOf(server)).toBeGreaterThan(0);
    const told = gate();
    process.once("SIGUSR2", told.open);
    process.kill(process.pid, "SIGUSR2");
    await told.opened;
    expect(process.listenerCount("SIGUSR2")).toBe(0);
    expect(server.listening).toBe(true);
    const before = process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
    server.close();
    await once(server, "close");
    expect(process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length).toBe(before - 1);
  });
});
