// Processes of the example as they run on several machines: one PostgreSQL, one Redis, and a load balancer before them.
// scripts/check/postgres-tests.js starts the first two, and compiles the example. The load balancer is HAProxy, where
// it is installed.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { client, clientEvents } from "fingerpost/client";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { freePort } from "../../tests/support/sockets.ts";
import type { Api } from "./application.ts";

const { CONDUIT_POSTGRES_URL: databaseUrl, CONDUIT_REDIS_URL: redisUrl } = process.env;
const program = fileURLToPath(new URL("dist/main.js", import.meta.url));
const isRunnable = databaseUrl !== undefined && redisUrl !== undefined && existsSync(program);
const hasBalancer = spawnSync("haproxy", ["-v"], { stdio: "ignore" }).status === 0;
if (isRunnable && !hasBalancer) console.warn("There is no haproxy: the load balancer is not tested");

const requestsPerMinute = 400;
const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Waits until something answers there. */
async function answers(origin: string): Promise<void> {
  for (let n = 0; n < 600; n++) {
    const response = await fetch(`${origin}/readyz`).catch(() => null);
    if (response?.ok) return;
    await later(50);
  }
  throw new Error(`nothing answers at ${origin}`);
}

const apiAt = (origin: string, headers: Record<string, string> = {}, fetch?: (request: Request) => Promise<Response>) =>
  client<Api>(origin, { headers, events: clientEvents, fetch });

describe.skipIf(!isRunnable)("Conduit in several processes", () => {
  const children = new Map<string, ChildProcess>();
  let one: string;
  let two: string;
  let user: { readonly name: string; readonly headers: Record<string, string> };

  async function start(origin: string): Promise<void> {
    const env = {
      ...process.env,
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      PORT: new URL(origin).port,
      JWT_SECRET: "a secret that all processes share, of 32 bytes at least",
      REQUESTS_PER_MINUTE: String(requestsPerMinute),
      TRUSTED_HOPS: "1",
      LEAVE_MS: "3000",
    };
    const child = spawn(process.execPath, [program], { env, stdio: ["ignore", "ignore", "inherit"] });
    children.set(origin, child);
    await answers(origin);
  }

  async function end(origin: string, signal: NodeJS.Signals): Promise<void> {
    const child = children.get(origin)!;
    const exited = once(child, "exit");
    child.kill(signal);
    expect(await exited).toEqual(signal === "SIGKILL" ? [null, signal] : [0, null]);
  }

  beforeAll(async () => {
    [one, two] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
    // Both begin at once: one migrates, and the other waits.
    await Promise.all([start(one), start(two)]);
    const name = `ada${Date.now()}`;
    const content = { user: { username: name, email: `${name}@example.com`, password: "a long password" } };
    const made = (await apiAt(one)["/api/users"].POST({ content })).orThrow();
    user = { name, headers: { authorization: `Token ${made.user.token}` } };
  }, 120_000);

  afterAll(() => {
    for (const child of children.values()) child.kill("SIGKILL");
  });

  const publish = async (origin: string, title: string) => {
    const article = { title, description: "New", body: "New" };
    (await apiAt(origin, user.headers)["/api/articles"].POST({ content: { article } })).orThrow();
  };

  /** Listens until the test ends. The ids are those that the client sends when it connects again. */
  async function listening(origin: string, after?: string) {
    const left = new AbortController();
    onTestFinished(() => left.abort());
    const servedBy: (string | null)[] = [];
    const ids: string[] = [];
    const api = apiAt(origin, {}, async (request) => {
      const response = await fetch(request);
      servedBy.push(response.headers.get("x-served-by"));
      if (response.body === null) return response;
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
        transform(bytes, controller) {
          for (const [, id] of new TextDecoder().decode(bytes).matchAll(/^id: (.+)$/gm)) ids.push(id!);
          controller.enqueue(bytes);
        },
      });
      response.body.pipeTo(writable).catch(() => {});
      return new Response(readable, response);
    });
    const headers = after === undefined ? {} : { "last-event-id": after };
    const stream = (await api["/api/live"].GET({ headers, signal: left.signal })).orThrow();
    const titles: string[] = [];
    (async () => {
      for await (const { title, author } of stream) if (author === user.name) titles.push(title);
    })().catch(() => {});
    const arrived = async (count: number) => {
      for (let n = 0; n < 1_500 && titles.length < count; n++) await later(10);
    };
    return { titles, ids, servedBy, arrived };
  }

  it("E8 tells clients of all processes what one publishes, each once and in one order", async () => {
    const listeners = await Promise.all([listening(one), listening(two), listening(two)]);
    const sent = Array.from({ length: 12 }, (_, n) => `${n}`);
    await Promise.all(sent.map((title, n) => publish(n % 2 === 0 ? one : two, title)));
    for (const { arrived } of listeners) await arrived(sent.length);
    const [first, ...others] = listeners;
    expect(first!.titles.toSorted((a, b) => Number(a) - Number(b))).toEqual(sent);
    for (const { titles, ids } of others) expect([titles, ids]).toEqual([first!.titles, first!.ids]);
    // A client goes on at the other process after the fifth.
    const again = await listening(two, listeners[0]!.ids[4]);
    await again.arrived(7);
    expect(again.titles).toEqual(first!.titles.slice(5));
  });

  it("RFC 6585 §4 counts the requests of a client in all processes together", async () => {
    const from = { "x-forwarded-for": "203.0.113.9, 192.0.2.7" };
    const asked = Array.from({ length: requestsPerMinute + 20 }, (_, n) =>
      apiAt(n % 2 === 0 ? one : two, from)["/api/tags"].GET(),
    );
    const results = await Promise.all(asked);
    const remaining = results
      .filter(({ status }) => status === 200)
      .map(({ headers }) => Number(/;r=(\d+);/.exec(headers.get("ratelimit")!)![1]));
    expect(results.filter(({ status }) => status === 429)).toHaveLength(20);
    // Each was given once, whichever process gave it.
    expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: requestsPerMinute }, (_, n) => n));
    const other = await apiAt(one, { "x-forwarded-for": "192.0.2.7, 192.0.2.8" })["/api/tags"].GET();
    expect(other.status).toBe(200);
  });

  it.skipIf(!hasBalancer)(
    "loses no request and no event behind a load balancer while processes leave, die and come back",
    async () => {
      const port = await freePort();
      const origin = `http://127.0.0.1:${port}`;
      const config = fileURLToPath(new URL("../scale-out/haproxy.cfg", import.meta.url));
      const env = { ...process.env, BIND: `127.0.0.1:${port}`, ONE: new URL(one).host, TWO: new URL(two).host };
      // In the foreground.
      const balancer = spawn("haproxy", ["-db", "-f", config], { env, stdio: "ignore" });
      onTestFinished(async () => {
        balancer.kill("SIGTERM");
        if (balancer.exitCode === null && balancer.signalCode === null) await once(balancer, "exit");
      });
      await answers(origin);
      await later(1_500);

      const listeners = await Promise.all([listening(origin), listening(origin), listening(origin), listening(origin)]);
      const streams = listeners.map(({ servedBy }) => servedBy[0]!);
      expect(streams.toSorted()).toEqual(["one", "one", "two", "two"]);

      // Who asks all the time, and forges an address, meets no failure.
      const seen = { statuses: new Set<number>(), by: new Set<string | null>(), count: 0 };
      const over = new AbortController();
      const asking = (async () => {
        while (!over.signal.aborted) {
          const { status, headers } = await apiAt(origin, { "x-forwarded-for": `192.0.2.${seen.count++ % 200}` })[
            "/api/tags"
          ].GET();
          seen.statuses.add(status);
          seen.by.add(headers.get("x-served-by"));
          await later(50);
        }
      })();

      await publish(origin, "before");
      await end(one, "SIGTERM");
      await publish(origin, "while one is away");
      await start(one);
      // Until the load balancer has seen it.
      await later(1_500);
      await publish(origin, "one is back");
      for (const { arrived } of listeners) await arrived(3);
      await end(two, "SIGKILL");
      // Until the load balancer knows, a request to it is tried at the other one.
      await publish(origin, "while two is dead");
      for (const { arrived } of listeners) await arrived(4);
      over.abort();
      await asking;
      expect([...seen.statuses]).toEqual([200]);
      expect([...seen.by].toSorted()).toEqual(["one", "two"]);
      const titles = ["before", "while one is away", "one is back", "while two is dead"];
      for (const listener of listeners) expect(listener.titles).toEqual(titles);
      // Those of the process that left went on at another one.
      expect(listeners.every(({ servedBy }) => servedBy.length > 1)).toBe(true);
      await start(two);
    },
    120_000,
  );
});

describe.skipIf(!isRunnable)("Conduit without its Redis", () => {
  it("answers on, counts by itself, and tells of news again when Redis is back", async () => {
    const port = await freePort();
    const name = ["redis", "valkey"].find((one) => spawnSync(`${one}-server`, ["--version"]).status === 0)!;
    const redis = async () => {
      const server = spawn(`${name}-server`, ["--port", String(port), "--bind", "127.0.0.1", "--save", ""], {
        stdio: "ignore",
      });
      for (let n = 0; n < 200; n++) {
        if (spawnSync(`${name}-cli`, ["-p", String(port), "ping"]).status === 0) break;
        await later(50);
      }
      return async () => {
        const exited = once(server, "exit");
        server.kill("SIGKILL");
        await exited;
      };
    };
    // Each attempt to connect again is told.
    vi.spyOn(console, "error").mockReturnValue();
    let end = await redis();
    const database = await (await import("./database.ts")).openDatabase(databaseUrl);
    const { openShared } = await import("./shared.ts");
    const { address } = await import("./guards.ts");
    const options = { redisUrl: `redis://127.0.0.1:${port}`, requestsPerMinute: 50 };
    const shared = await openShared(database, options);
    const app = (await import("./application.ts")).conduit(database, shared);
    const left = new AbortController();
    onTestFinished(async () => {
      left.abort();
      shared.close();
      await database.close();
      await end();
    });
    const asked = (headers: Record<string, string> = {}) =>
      apiAt("http://localhost", headers, (request) => {
        address.set(request, "192.0.2.1");
        return app.fetch(request);
      });
    const username = `bob${Date.now()}`;
    const user = { username, email: `${username}@example.com`, password: "a long password" };
    const { token } = (await asked()["/api/users"].POST({ content: { user } })).orThrow().user;
    const titles: string[] = [];
    const stream = (await asked()["/api/live"].GET({ signal: left.signal })).orThrow();
    (async () => {
      for await (const one of stream) if (one.author === username) titles.push(one.title);
    })().catch(() => {});
    const publish = async (title: string) => {
      const content = { article: { title, description: "New", body: "New" } };
      const { status, headers } = await asked({ authorization: `Token ${token}` })["/api/articles"].POST({ content });
      expect(status).toBe(201);
      return Number(/;r=(\d+);/.exec(headers.get("ratelimit")!)![1]);
    };
    const arrived = async (title: string) => {
      for (let n = 0; n < 1_000 && titles.at(-1) !== title; n++) await later(10);
    };

    expect(await publish("before")).toBe(47);
    await arrived("before");
    await end();
    // Its own count begins anew.
    expect(await publish("while it is away")).toBe(49);
    end = await redis();
    for (let n = 0; n < 30 && titles.at(-1) !== "after"; n++) {
      await publish("after");
      await later(500);
    }
    // The reader may be back later than the writer, and then reads all that it missed.
    expect([...new Set(titles)]).toEqual(["before", "after"]);
  });
});
