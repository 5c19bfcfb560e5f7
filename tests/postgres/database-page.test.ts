// The program of docs/database.md: its tests pass on PGlite, and its plain SQL and its server work with PostgreSQL.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testPage, writePage } from "../package/page-files.ts";
import { freePort } from "../support/sockets.ts";
import { server as connected } from "./databases.ts";

const modules = fileURLToPath(new URL("node_modules", import.meta.url));
const url = process.env["POSTGRES_URL"];
const ownName = `bookshop_${Date.now()}`;
const ownUrl = url === undefined ? "" : Object.assign(new URL(url), { pathname: `/${ownName}` }).href;
const script = new URL("../../scripts/check/lib/ports.js", import.meta.url).href;
const { listening } = (await import(script)) as { listening(port: number, child: object): Promise<void> };

interface Pool {
  query(text: string): Promise<{ readonly rows: readonly object[] }>;
  end(): Promise<void>;
}
interface PlainSQL {
  order(pool: Pool, content: { bookId: number; customer: string }): Promise<object>;
}

describe.skipIf(url === undefined)("the page of databases (run by scripts/check/postgres-tests.js)", () => {
  let folder: string;
  let names: readonly string[];
  let pool: Pool;
  beforeAll(async () => {
    const { tag, end } = await connected();
    await (tag as unknown as { unsafe(statement: string): Promise<unknown> }).unsafe(`create database ${ownName}`);
    await end();
    folder = mkdtempSync(join(modules, ".page-"));
    names = await writePage("docs/database.md", folder);
    const { resolve } = createRequire(join(modules, "page.js"));
    const pg = (await load(resolve("pg"))) as { default: { Pool: new (options: object) => Pool } };
    pool = new pg.default.Pool({ connectionString: ownUrl });
    await pool.query("create table books (id serial primary key, title text not null, stock int not null)");
    await pool.query('create table orders (id serial primary key, "bookId" int not null, customer text not null)');
    await pool.query("insert into books (title, stock) values ('Kindred', 1)");
  }, 60_000);
  afterAll(async () => {
    await pool.end();
    rmSync(folder, { recursive: true, force: true });
  });

  const load = (name: string): Promise<unknown> => import(/* @vite-ignore */ pathToFileURL(name).href);

  // PGlite begins slowly.
  it("passes its own tests, each with a fresh database", { timeout: 180_000 }, async () => {
    expect(await testPage(folder, names)).toMatch(/^# pass 2\n# fail 0$/m);
  });

  it("orders by plain SQL, and rolls back what fails", async () => {
    const { order } = (await load(join(folder, "plain-sql.js"))) as PlainSQL;
    expect(await order(pool, { bookId: 1, customer: "Ada" })).toEqual({ id: 1, bookId: 1, customer: "Ada" });
    await expect(order(pool, { bookId: 1, customer: "Bo" })).rejects.toMatchObject({ status: 409 });
    await expect(order(pool, { bookId: 1, customer: null as never })).rejects.toMatchObject({ status: 409 });
    await pool.query("update books set stock = 1");
    await expect(order(pool, { bookId: 1, customer: null as never })).rejects.toMatchObject({ code: "23502" });
    expect((await pool.query("select stock from books")).rows).toEqual([{ stock: 1 }]);
  });

  it("serves PostgreSQL, and closes its pool", async () => {
    const port = await freePort();
    const env = { ...process.env, DATABASE_URL: ownUrl, PORT: port };
    const server = spawn(process.execPath, ["main.js"], { cwd: folder, env, stdio: "inherit" });
    const ended = once(server, "exit");
    await listening(Number(port), server);
    const found = await fetch(`http://localhost:${port}/books/1`);
    expect(await found.json()).toMatchObject({ title: "Kindred" });
    server.kill("SIGTERM");
    expect((await ended)[0]).toBe(0);
  });
});
