// Two processes of the example with one PostgreSQL and one Redis, of which one is killed. scripts/check/
// postgres-tests.js starts both, and compiles the example.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { client, clientEvents } from "fingerpost/client";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { freePort } from "../../tests/support/sockets.ts";
import type { Api } from "./server/application.ts";
import type { Database } from "./server/database.ts";

const { NOTES_POSTGRES_URL: databaseUrl, NOTES_REDIS_URL: redisUrl } = process.env;
const program = fileURLToPath(new URL("dist/server/main.js", import.meta.url));
const isRunnable = databaseUrl !== undefined && redisUrl !== undefined && existsSync(program);

describe.skipIf(!isRunnable)("notes in two processes", () => {
  const files = mkdtempSync(join(tmpdir(), "fingerpost-notes-"));
  const children: ChildProcess[] = [];
  let database: Database;
  let one: string;
  let two: string;
  let cookie: string;
  const email = `${Date.now()}@example.com`;
  const apiAt = (origin: string): Api => client<Api>(origin, { headers: { cookie }, events: clientEvents });

  async function start(): Promise<string> {
    const port = String(await freePort());
    // notes.test.ts signs people up meanwhile, from the same address: the limit in Redis counts them all.
    const settings = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, FILES: files, PORT: port, ATTEMPTS: "1000" };
    const env = { ...process.env, ...settings };
    const child = spawn(process.execPath, [program], { env, stdio: ["ignore", "pipe", "inherit"] });
    children.push(child);
    await new Promise<void>((resolve, reject) => {
      child.stdout!.setEncoding("utf8").on("data", (text: string) => text.includes("/app/") && resolve());
      child.once("exit", (code) => reject(new Error(`${program} ended with ${code} before it listened`)));
    });
    return `http://127.0.0.1:${port}`;
  }

  beforeAll(async () => {
    [one, two] = await Promise.all([start(), start()]);
    vi.stubEnv("DATABASE_URL", databaseUrl);
    database = await (await import("./server/database.ts")).openDatabase();
    const content = { email, password: "correct horse" };
    cookie = (await client<Api>(one)["/users"].POST({ content })).headers.get("set-cookie")!.split(";")[0]!;
  }, 120_000);

  afterAll(async () => {
    for (const child of children) child.kill("SIGKILL");
    await database?.close();
    rmSync(files, { recursive: true, force: true });
  });

  it("know one session, and tell each other what changes", async () => {
    const live = (await apiAt(two)["/live"].GET()).orThrow()[Symbol.asyncIterator]();
    const first = live.next();
    const { id } = (await apiAt(one)["/notes"].POST({ content: { title: "Here", body: "" } })).orThrow();
    expect((await first).value).toEqual({ change: "added", id, title: "Here" });
    await live.return?.();
  });

  it("take each payment once, though one of them is killed", async () => {
    const keys = Array.from({ length: 40 }, (_, at) => `${Date.now()}-${at}`);
    const pay = (origin: string, idempotencyKey: string) =>
      apiAt(origin)["/payments"].POST({ content: { cents: 100 }, idempotencyKey });
    const count = async () => {
      const [row] = await database.sql<{ count: string }>`
        select count(*) from payments where owner = (select id from users where email = ${email})`;
      return Number(row!.count);
    };
    const sent = keys.map((key) => pay(one, key).catch(() => null));
    await sent[3];
    // It may have ended before the last of its clients has noticed.
    const ended = once(children[0]!, "exit");
    children[0]!.kill("SIGKILL");
    await Promise.all([ended, ...sent]);
    const ids = new Set<number>();
    for (const key of keys) {
      // 409 while the lease of the process that is gone lasts.
      for (let tries = 0; ; tries++) {
        const result = await pay(two, key);
        if (result.status === 201) ids.add(result.content.id);
        if (result.status === 201) break;
        expect([result.status, tries < 700]).toEqual([409, true]);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
    expect(ids.size).toBe(keys.length);
    expect(await count()).toBe(keys.length);
  }, 120_000);
});
