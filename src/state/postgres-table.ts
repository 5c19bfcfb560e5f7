import type { RunStatement } from "./postgres-client.ts";
import { onceAMinute } from "./sweeps.ts";

/** A table, in names and text of ours that become part of statements. */
export interface TableDefinition {
  readonly name: string;
  readonly columns: string;
  /** The column that says when a row ends. */
  readonly end: string;
  /** Columns by which rows are looked for, besides. */
  readonly indexed: readonly string[];
}

/** Returns the statements that create a table and its indexes. */
export function tableStatements(table: TableDefinition): readonly string[] {
  const indexes = indexesOf(table).map(
    ([index, column]) => `create index if not exists ${index} on ${table.name} (${column});`,
  );
  return [`create table if not exists ${table.name} (${table.columns}\n);`, ...indexes];
}

function indexesOf({ name, indexed, end }: TableDefinition): readonly (readonly [index: string, column: string])[] {
  return [...indexed, end].map((column) => [`${name}_${column.slice(column.lastIndexOf("_") + 1)}`, column]);
}

/** A table whose rows end. */
export class PostgresTable {
  /** Deletes rows that ended, at most once a minute. */
  readonly sweep: () => unknown;
  readonly #sql: RunStatement;
  readonly #table: TableDefinition;

  constructor(sql: RunStatement, table: TableDefinition) {
    this.#sql = sql;
    this.#table = table;
    const { name, end } = table;
    this.sweep = onceAMinute(() =>
      this.#run(
        `delete from ${name} where key in (
          select key from ${name} where ${end} <= clock_timestamp() limit 10000 for update skip locked)`,
      ),
    );
  }

  /** Creates the table and its indexes, if they do not exist: a role that may not create is asked for nothing then. */
  async create(): Promise<void> {
    const names = [this.#table.name, ...indexesOf(this.#table).map(([index]) => index)];
    const found = names.map((name) => `to_regclass('${name}') is not null`);
    if ((await this.#run(`select 1 as one where ${found.join(" and ")}`)).length > 0) return;
    // "If not exists" alone fails where two processes begin at once.
    await this.#run(
      `do $$ begin perform pg_advisory_xact_lock(7310); ${tableStatements(this.#table).join("\n")} end $$`,
    );
  }

  #run(text: string): ReturnType<RunStatement> {
    return this.#sql(Object.assign([text], { raw: [text] }));
  }
}
