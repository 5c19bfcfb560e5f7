import { described } from "../http/javascript/described.ts";

/**
 * A function that is called with a template and runs it, with the values in between as parameters: `sql` of `postgres`.
 * Or an object that has it as `sql`, such as a database of PGlite.
 */
export type SqlTag = SqlFunction | { readonly sql: SqlFunction };

/** Returns the rows, or an object with them as `rows`. */
type SqlFunction = (parts: TemplateStringsArray, ...values: never[]) => PromiseLike<unknown>;

/** A row as the driver returns it. */
type Row = Readonly<Record<string, unknown>>;

/** Runs a statement and returns its rows. */
export type RunStatement = (parts: TemplateStringsArray, ...values: readonly (string | number)[]) => Promise<Row[]>;

/** Returns a function that runs statements by a tag. @throws {TypeError} when it is not a tag. */
export function statementsBy(tag: unknown): RunStatement {
  const { sql } = (tag ?? {}) as { readonly sql?: unknown };
  if (typeof tag !== "function" && typeof sql !== "function") {
    throw new TypeError(
      `Cannot ask PostgreSQL: expected a function sql that is called with a template, got ${described(tag)}`,
    );
  }
  return async (parts, ...values) => {
    const result = await (typeof tag === "function"
      ? (tag as SqlFunction)(parts, ...(values as never[]))
      : (tag as { readonly sql: SqlFunction }).sql(parts, ...(values as never[])));
    const rows = Array.isArray(result) ? result : (result as { readonly rows?: unknown } | null)?.rows;
    return Array.isArray(rows) ? (rows as Row[]) : [];
  };
}
