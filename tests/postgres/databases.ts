// Databases that tests open: a server by one driver, and PGlite.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

export type Tag = (parts: TemplateStringsArray, ...values: unknown[]) => Promise<unknown>;

/** A database, and how its driver is called. */
export interface Database {
  readonly tag: Tag | { readonly sql: Tag };
  /** Runs a function in a transaction, with what the driver passes. */
  transaction<Result>(act: (transaction: Tag | { readonly sql: Tag }) => Promise<Result>): Promise<Result>;
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
