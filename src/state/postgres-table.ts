import type { RunStatement } from "./sql-tag.ts";

const sweepMs = 60_000;

/** A table whose rows end. The names are ours, and part of the statements. */
export class PostgresTable {
  readonly #sql: RunStatement;
  readonly #name: string;
  readonly #end: string;
  #nextSweep = performance.now() + sweepMs;

  /** @param end the column that says when a row ends. */
  constructor(sql: RunStatement, name: string, end: string) {
    this.#sql = sql;
    this.#name = name;
    this.#end = end;
  }

  /** Creates the table and its indexes, if they do not exist. */
  async create(columns: string, indexed: readonly string[]): Promise<void> {
    const indexes = [...indexed, this.#end].map(
      (column) =>
        `create index if not exists ${this.#name}_${column.slice(column.lastIndexOf("_") + 1)} on ${this.#name} ` +
        `(${column});`,
    );
    // "If not exists" alone fails where two processes begin at once.
    await this.#run(
      `do $$ begin
        perform pg_advisory_xact_lock(7310);
        create table if not exists ${this.#name} (${columns});
        ${indexes.join("\n        ")}
      end $$`,
    );
  }

  /** Deletes rows that ended, at most once a minute. */
  async sweep(): Promise<void> {
    if (performance.now() < this.#nextSweep) return;
    this.#nextSweep = performance.now() + sweepMs;
    await this.#run(
      `delete from ${this.#name} where key in (
        select key from ${this.#name} where ${this.#end} <= clock_timestamp() limit 10000 for update skip locked)`,
    );
  }

  async #run(text: string): Promise<void> {
    await this.#sql(Object.assign([text], { raw: [text] }));
  }
}
