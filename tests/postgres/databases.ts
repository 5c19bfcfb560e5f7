// Databases that tests open: a server by each driver and ORM, and PGlite.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

export type Tag = (parts: TemplateStringsArray, ...values: unknown[]) => Promise<unknown>;

/** A database, and how its driver is called. */
export interface Database<Client = Tag | { readonly sql: Tag }> {
  readonly tag: Client;
  /** The option of stores. */
  readonly options?: object;
  /** Runs a function in a transaction, with what the driver passes. */
  transaction<Result>(act: (transaction: Client) => Promise<Result>): Promise<Result>;
  end(): Promise<unknown>;
}

/** The drivers are installed apart from the root. */
async function driver(name: string): Promise<Record<string, unknown>> {
  const { resolve } = createRequire(import.meta.url);
  return (await import(/* @vite-ignore */ pathToFileURL(resolve(name)).href)) as Record<string, unknown>;
}

/** The server that scripts/check/postgres-tests.js starts. */
export async function server(): Promise<Database> {
  const { default: postgres } = (await driver("postgres")) as { default: (url: string, options: object) => unknown };
  const sql = postgres(process.env["POSTGRES_URL"]!, { onnotice() {} }) as Tag & {
    begin: Database["transaction"];
    end(): Promise<unknown>;
  };
  return { tag: sql, transaction: (act) => sql.begin(act), end: () => sql.end() };
}

/** A database of PGlite, in this process. */
export async function embedded(): Promise<Database> {
  const { PGlite } = (await driver("@electric-sql/pglite")) as {
    PGlite: new () => { sql: Tag; transaction: Database["transaction"]; close(): Promise<void> };
  };
  const lite = new PGlite();
  return { tag: lite, transaction: (act) => lite.transaction(act), end: () => lite.close() };
}

interface PoolClient {
  query(text: string): Promise<unknown>;
  release(): void;
}
export interface Pool {
  connect(): Promise<PoolClient>;
  end(): Promise<void>;
}

/** A pool of `pg`. */
export async function poolOf(options: object = {}): Promise<Pool> {
  const pg = (await driver("pg")) as { default: { Pool: new (options: object) => Pool } };
  return new pg.default.Pool({ connectionString: process.env["POSTGRES_URL"], ...options });
}

export async function pooled(): Promise<Database<object>> {
  const pool = await poolOf();
  return {
    tag: pool,
    async transaction(act) {
      const client = await pool.connect();
      await client.query("begin");
      try {
        const result = await act(client);
        await client.query("commit");
        return result;
      } catch (error) {
        await client.query("rollback");
        throw error;
      } finally {
        client.release();
      }
    },
    end: () => pool.end(),
  };
}

/** Kysely, with a plugin that writes the names of columns otherwise. */
export async function kysely(): Promise<Database<object>> {
  const { Kysely, PostgresDialect, CamelCasePlugin } = (await driver("kysely")) as {
    Kysely: new (options: object) => {
      transaction(): { execute: Database<object>["transaction"] };
      destroy(): Promise<void>;
    };
    PostgresDialect: new (options: object) => object;
    CamelCasePlugin: new () => object;
  };
  const dialect = new PostgresDialect({ pool: await poolOf() });
  const database = new Kysely({ dialect, plugins: [new CamelCasePlugin()] });
  return {
    tag: database,
    transaction: (act) => database.transaction().execute(act),
    end: () => database.destroy(),
  };
}

interface DrizzleDatabase {
  transaction: Database<object>["transaction"];
}

async function drizzled(name: string, client: unknown, end: () => Promise<unknown>): Promise<Database<object>> {
  const { drizzle } = (await driver(`drizzle-orm/${name}`)) as {
    drizzle: (options: object) => DrizzleDatabase;
  };
  const { sql } = await driver("drizzle-orm");
  const database = drizzle({ client });
  return { tag: database, options: { drizzle: sql }, transaction: (act) => database.transaction(act), end };
}

export async function drizzleByPool(): Promise<Database<object>> {
  const pool = await poolOf();
  return drizzled("node-postgres", pool, () => pool.end());
}

export async function drizzleByPostgres(): Promise<Database<object>> {
  const { tag, end } = await server();
  return drizzled("postgres-js", tag, end);
}

export async function drizzleByEmbedded(): Promise<Database<object>> {
  const { tag, end } = await embedded();
  return drizzled("pglite", tag, end);
}

export const clients: readonly { readonly name: string; open(): Promise<Database<object>> }[] = [
  { name: "postgres", open: server as () => Promise<Database<object>> },
  { name: "PGlite", open: embedded as () => Promise<Database<object>> },
  { name: "pg", open: pooled },
  { name: "Kysely", open: kysely },
  { name: "Drizzle and pg", open: drizzleByPool },
  { name: "Drizzle and postgres", open: drizzleByPostgres },
  { name: "Drizzle and PGlite", open: drizzleByEmbedded },
];
