// The program of docs/an-application.md: its files compile, its tests pass on PGlite, and it serves PostgreSQL, by
// Drizzle and by Kysely. scripts/check/postgres-tests.js installs what it takes.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type * as Fingerpost from "fingerpost";
import type * as Records from "fingerpost/stores";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { testPage, writePage } from "../package/page-files.ts";
import { server as connected } from "./databases.ts";
import { freePort } from "../support/sockets.ts";

const modules = fileURLToPath(new URL("node_modules", import.meta.url));
const url = process.env["POSTGRES_URL"];
/** Other tests of the server have tables of the same names. */
const ownName = `everything_${Date.now()}`;
const ownUrl = url === undefined ? "" : Object.assign(new URL(url), { pathname: `/${ownName}` }).href;
const script = new URL("../../scripts/check/lib/ports.js", import.meta.url).href;
const { listening } = (await import(script)) as { listening(port: number, child: object): Promise<void> };

interface Drivers {
  readonly Kysely: new (options: object) => { destroy(): Promise<void> };
  readonly PostgresDialect: new (options: object) => object;
}
interface Pool {
  query(text: string): Promise<{ readonly rows: readonly { readonly n: number }[] }>;
}
interface Pg {
  readonly default: { readonly Pool: new (options: object) => Pool };
}
interface Page {
  pay(database: object, call: unknown): Promise<Fingerpost.Reply<201, { id: number }>>;
}

describe.skipIf(url === undefined)("the application with everything (run by scripts/check/postgres-tests.js)", () => {
  let folder: string;
  let names: readonly string[];
  beforeAll(async () => {
    const { tag, end } = await connected();
    await (tag as unknown as { unsafe(statement: string): Promise<unknown> }).unsafe(`create database ${ownName}`);
    await end();
    // Below node_modules/, so that what is installed there is found.
    folder = mkdtempSync(join(modules, ".page-"));
    names = await writePage("docs/an-application.md", folder);
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const load = (name: string): Promise<unknown> => import(/* @vite-ignore */ pathToFileURL(name).href);

  it("has the files that it speaks of, and they compile", () => {
    expect(names).toEqual(["tables.ts", "helpdesk.ts", "main.ts", "helpdesk.test.ts", "kysely.ts"]);
  });

  // PGlite begins slowly, and keeps a timer of ten seconds after it was closed.
  it("passes its own tests, each with a fresh database", { timeout: 180_000 }, async () => {
    expect(await testPage(folder, names)).toMatch(/^# pass 4\n# fail 0$/m);
  });

  it("serves PostgreSQL, and stops", async () => {
    const port = await freePort();
    const BANK_SECRET = `whsec_${Buffer.alloc(24, 1).toString("base64")}`;
    const env = { ...process.env, DATABASE_URL: ownUrl, PORT: port, BANK_SECRET };
    const server = spawn(process.execPath, ["main.js"], { cwd: folder, env, stdio: "inherit" });
    const ended = once(server, "exit");
    await listening(Number(port), server);
    expect((await fetch(`http://localhost:${port}/orgs/acme/tickets`)).status).toBe(401);
    const headers = { "content-type": "application/json" };
    const signIn = { method: "POST", headers, body: '{"email":"a@b.example","password":"x"}' };
    expect((await fetch(`http://localhost:${port}/session`, signIn)).status).toBe(403);
    server.kill("SIGTERM");
    expect((await ended)[0]).toBe(0);
  });

  it("commits by Kysely: the payment and its answer, or neither", async () => {
    const { resolve } = createRequire(join(modules, "page.js"));
    const [{ Kysely, PostgresDialect }, pg, { pay }, own, { postgresRecords }] = (await Promise.all([
      load(resolve("kysely")),
      load(resolve("pg")),
      load(join(folder, "kysely.js")),
      load(join(folder, "node_modules/fingerpost/dist/modules/http.semantics.js")),
      load(join(folder, "node_modules/fingerpost/dist/state/stores.js")),
    ])) as [Drivers, Pg, Page, typeof Fingerpost, typeof Records];
    const pool = new pg.default.Pool({ connectionString: ownUrl });
    const database = new Kysely({ dialect: new PostgresDialect({ pool }) });
    const store = postgresRecords(database as never);
    await store.create();
    const [one, other] = [randomUUID(), randomUUID()];
    let isBroken = false;
    class Payments extends own.Resource {
      paths = ["/payments"];
      static POST = {
        idempotency: true,
        content: z.object({ cents: z.int() }),
        201: z.object({ id: z.int() }),
      };
      async POST(call: unknown): Promise<Fingerpost.Reply<201, { id: number }>> {
        const answer = await pay(database, call);
        if (isBroken) throw new Error("The process is gone");
        return answer;
      }
    }
    const group = own.ResourceGroup.builder().resources(Payments).prefix("/orgs/:org").build();
    const app = own.Application.builder()
      .resources(group)
      .idempotency({ store, ownerOf: () => "everyone" })
      .onError(() => undefined)
      .build();
    const post = async (key: string): Promise<[number, string]> => {
      const headers = { "Idempotency-Key": key };
      const response = await app.request("/orgs/acme/payments", { method: "POST", json: { cents: 5 }, headers });
      return [response.status, await response.text()];
    };
    const count = async (): Promise<number> =>
      (await pool.query("select count(*)::int as n from payments where org = 'acme'")).rows[0]!.n;
    const before = await count();
    const first = await post(one);
    expect(first[0]).toBe(201);
    expect(await post(one)).toEqual(first);
    isBroken = true;
    expect((await post(other))[0]).toBe(500);
    isBroken = false;
    expect((await post(other))[0]).toBe(201);
    expect(await count()).toBe(before + 2);
    await database.destroy();
  });
});
