import { described } from "../http/javascript/described.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";

/**
 * A pool, a client or a transaction of `pg`, `postgres`, PGlite, Kysely or Prisma. One of Drizzle needs the option
 * `drizzle`.
 *
 * Any other function also fits that is called with a template, and runs it with the values in between as parameters.
 */
export type PostgresClient =
  | Tag<PromiseLike<unknown>>
  | { readonly sql: Tag<PromiseLike<unknown>> }
  | { query(text: string, values: never[]): PromiseLike<unknown> }
  | { executeQuery(query: never): PromiseLike<unknown> }
  | { $queryRawUnsafe(text: string, ...values: never[]): PromiseLike<unknown> }
  | { execute(query: never): PromiseLike<unknown> };

/** What stores in PostgreSQL take besides. */
export interface PostgresOptions {
  /** The function `sql` of `drizzle-orm`, if the store, or `commit()`, is given a database or transaction of it. */
  readonly drizzle?: Tag<unknown> | undefined;
}

type Tag<Given> = (parts: TemplateStringsArray, ...values: never[]) => Given;

/** A row as the driver returns it. */
type Row = Readonly<Record<string, unknown>>;

/** Runs a statement and returns its rows. */
export type RunStatement = (parts: TemplateStringsArray, ...values: readonly Parameter[]) => Promise<Row[]>;

type Parameter = string | number;
type Asked = (parts: TemplateStringsArray, values: readonly Parameter[]) => unknown;

/** Returns what makes functions that run statements, each by a client. @throws {TypeError} when an option is wrong. */
export function statementsOf(caller: string, options: PostgresOptions): (client: unknown) => RunStatement {
  const check = new OptionCheck(caller, options, ["drizzle"]);
  check.function("drizzle");
  const { drizzle } = check.options;
  return (client) => {
    const ask = askedBy(client, drizzle as DrizzleTag | undefined);
    return async (parts, ...values) => {
      const result: unknown = await ask(parts, values);
      const rows = Array.isArray(result) ? result : (result as { readonly rows?: unknown } | null)?.rows;
      return Array.isArray(rows) ? (rows as Row[]) : [];
    };
  };
}

/** The members by which clients are known. The own method of each is called on it. */
type Members = Readonly<Record<(typeof members)[number], ((...args: unknown[]) => unknown) | undefined>>;
type DrizzleTag = (parts: TemplateStringsArray, ...values: readonly unknown[]) => unknown;

const members = ["sql", "query", "executeQuery", "$queryRawUnsafe", "execute"] as const;

/** @throws {TypeError} when nothing is known that asks. */
function askedBy(given: unknown, drizzle: DrizzleTag | undefined): Asked {
  if (typeof given === "function") return (parts, values) => (given as DrizzleTag)(parts, ...values);
  const client = Object(given) as Members;
  const known = members.find((name) => typeof client[name] === "function");
  switch (known) {
    case "sql":
      return (parts, values) => client.sql!(parts, ...values);
    case "query":
      return (parts, values) => client.query!(numbered(parts), [...values]);
    case "executeQuery":
      return (parts, values) => client.executeQuery!(compiled(numbered(parts), values));
    case "$queryRawUnsafe":
      return (parts, values) => client.$queryRawUnsafe!(numbered(parts), ...values);
    case "execute":
      if (drizzle !== undefined) return (parts, values) => client.execute!(drizzle(parts, ...values));
      throw new TypeError(
        "Cannot ask PostgreSQL: a database of Drizzle needs { drizzle: sql }, with sql of drizzle-orm",
      );
    default:
      throw new TypeError(
        "Cannot ask PostgreSQL: expected what asks by pg, postgres, PGlite, Kysely, Prisma or Drizzle, or a function " +
          `that is called with a template, got ${described(given)}`,
      );
  }
}

/** The text of a statement, with `$1` for its first value. */
function numbered(parts: TemplateStringsArray): string {
  return parts.reduce((text, part, at) => `${text}$${at}${part}`);
}

/** A statement as Kysely compiles it. Its plugins look at the node, and keep what they know by the id. */
function compiled(sql: string, parameters: readonly Parameter[]): object {
  return { sql, parameters, query: { kind: "RawNode", sqlFragments: [sql], parameters: [] }, queryId: {} };
}
