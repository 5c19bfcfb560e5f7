import type { Server } from "node:http";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ask, started, type Answer } from "../../tests/support/sockets.ts";
import { applicationWith } from "./application.ts";
import { address } from "./clients.ts";
import { limiterFor } from "./limiter.ts";
import { notes } from "./notes.ts";

let server: Server;

async function send(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  content?: string,
): Promise<Answer> {
  const length = content === undefined ? {} : { "content-length": Buffer.byteLength(content) };
  return ask(server, { method, path, headers: { origin: "https://app.example", ...headers, ...length } }, content);
}

const ada = { authorization: "Bearer ada-token" };
const onEvery = {
  "access-control-allow-origin": "https://app.example",
  vary: expect.stringContaining("Origin"),
  "x-request-id": expect.stringMatching(/^[\da-f-]{36}$/),
  "ratelimit-policy": '"default";q=60;w=60',
};

beforeEach(async () => {
  notes.clear();
  notes.set("1", { text: "Milk", author: "Ada", version: 1 });
  vi.spyOn(console, "error").mockReturnValue();
  server = await started(applicationWith(await limiterFor(undefined)), { address });
});
afterEach(() => void vi.restoreAllMocks());

describe("guarded", () => {
  it("welcomes everyone", async () => {
    expect(await send("GET", "/")).toMatchObject({ status: 200, headers: onEvery });
  });

  it("answers 401, 400 and 403 to who may not, with fields that let a script read it", async () => {
    for (const [authorization, status, error] of [
      ["", 401, ""],
      ["Bearer x", 401, ', error="invalid_token"'],
      ["Bearer", 400, ', error="invalid_request"'],
      ["Bearer bo-token", 403, ', scope="notes", error="insufficient_scope"'],
    ] as const) {
      const answer = await send("GET", "/notes/1", { authorization });
      expect(answer).toMatchObject({
        status,
        headers: { ...onEvery, "www-authenticate": `Bearer realm="notes"${error}` },
      });
    }
  });

  it("answers preflights before the guard does", async () => {
    const asked = {
      "access-control-request-method": "PUT",
      "access-control-request-headers": "authorization,if-match",
    };
    const { status, headers } = await send("OPTIONS", "/notes/1", asked);
    expect([status, headers["access-control-allow-headers"]]).toEqual([204, "authorization, if-match"]);
  });

  it("gives a note with its entity tag, and 304 to who has it", async () => {
    const found = await send("GET", "/notes/1", ada);
    expect(found).toMatchObject({ status: 200, headers: { ...onEvery, etag: '"1"' } });
    expect(JSON.parse(found.text)).toEqual({ text: "Milk", author: "Ada", version: 1 });
    const again = await send("GET", "/notes/1", { ...ada, "if-none-match": '"1"' });
    expect([again.status, again.headers["etag"], again.text]).toEqual([304, '"1"', ""]);
  });

  it("answers 428 to a change that does not say what it is based on", async () => {
    expect(await send("PUT", "/notes/1", ada, "Bread")).toMatchObject({ status: 428, headers: onEvery });
    expect(await send("DELETE", "/notes/1", ada)).toMatchObject({ status: 428 });
    expect(notes.get("1")!.text).toBe("Milk");
  });

  it("answers 412 to a change of what is no longer there", async () => {
    const changed = await send("PUT", "/notes/1", { ...ada, "if-match": '"1"' }, "Bread");
    expect([changed.status, changed.headers["etag"]]).toEqual([204, '"2"']);
    expect(await send("PUT", "/notes/1", { ...ada, "if-match": '"1"' }, "Eggs")).toMatchObject({ status: 412 });
    expect(await send("DELETE", "/notes/1", { ...ada, "if-match": '"1"' })).toMatchObject({ status: 412 });
    expect(notes.get("1")).toEqual({ text: "Bread", author: "Ada", version: 2 });
    expect(await send("DELETE", "/notes/1", { ...ada, "if-match": '"2"' })).toMatchObject({ status: 204 });
    expect(await send("GET", "/notes/1", ada)).toMatchObject({ status: 404, headers: onEvery });
  });

  it("makes a note once", async () => {
    const unless = { ...ada, "if-none-match": "*" };
    expect(await send("PUT", "/notes/2", unless, "Eggs")).toMatchObject({ status: 201, headers: { etag: '"1"' } });
    expect(await send("PUT", "/notes/2", unless, "Bread")).toMatchObject({ status: 412 });
  });

  it("answers 413 to a note that is too long", async () => {
    const change = { ...ada, "if-match": '"1"' };
    expect(await send("PUT", "/notes/1", change, "x".repeat(10_001))).toMatchObject({ status: 413, headers: onEvery });
  });

  it("answers 429 to who asks too often", async () => {
    server = await started(applicationWith(new RateLimiterMemory({ points: 2, duration: 60 })), { address });
    const statuses: unknown[] = [];
    for (let count = 0; count < 3; count++) statuses.push((await send("GET", "/")).status);
    expect(statuses).toEqual([200, 200, 429]);
    const { headers } = await send("GET", "/notes/1", ada);
    expect(headers).toMatchObject({ ...onEvery, "ratelimit-policy": '"default";q=2;w=60', "retry-after": "60" });
  });
});

describe("guarded, started", () => {
  afterEach(() => void vi.unstubAllEnvs());

  it("prints an address that answers and five things to try, and stops when told to", async () => {
    vi.stubEnv("PORT", "0");
    vi.stubEnv("REDIS_URL", undefined);
    const exit = vi.spyOn(process, "exit").mockReturnValue(undefined as never);
    const print = vi.spyOn(console, "log").mockReturnValue();
    await import("./main.ts");
    const greeting = String(print.mock.calls[0]?.[0]);
    expect(greeting).toContain("in memory");
    expect(greeting.match(/^ {2}curl /gm)).toHaveLength(5);
    const origin = /http:\S+(?=,)/.exec(greeting)![0];
    expect((await fetch(`${origin}/notes/1`)).status).toBe(401);

    (process.listeners("SIGTERM").at(-1) as () => void)();
    await vi.waitFor(() => expect(exit).toHaveBeenCalled());
    await expect(fetch(origin)).rejects.toThrow("fetch failed");
  });
});

describe.skipIf(process.env["REDIS_URL"] === undefined)("guarded with a Redis server", () => {
  it("keeps its limits there", async () => {
    server = await started(applicationWith(await limiterFor(process.env["REDIS_URL"])), { address });
    expect(await send("GET", "/")).toMatchObject({ status: 200, headers: onEvery });
  });
});
