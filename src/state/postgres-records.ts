import type { RecordStore, WriteLease, WriteRecord } from "../writes/record-store.ts";
import { PostgresTable } from "./postgres-table.ts";
import { statementsBy, type RunStatement, type SqlTag } from "./sql-tag.ts";

/** A store of records in PostgreSQL. */
export interface PostgresRecords extends RecordStore {
  /**
   * Creates the table `fingerpost_writes`, if it does not exist. The page "A payment that happens once" has it for
   * migrations.
   */
  create(): Promise<void>;
  /**
   * Keeps the answer of a write by the transaction of the handler.
   *
   * @param transaction the tag of the transaction, or an object that has it as `sql`.
   * @throws {Error} when there is no transaction, or the lease is not the newest: the transaction must end without
   * effect.
   */
  commit(transaction: unknown, key: string, fence: string, answer: string, ttlMs: number): Promise<void>;
}

/**
 * Makes a store of records in PostgreSQL (13 or later), which processes share. An answer can be committed together with
 * the effect.
 *
 * The clock is the server's. Once a minute, `begin()` deletes records that ended.
 *
 * @param sql `sql` of the package `postgres`, a database of PGlite, or any function that is called with a template.
 * @throws {TypeError} when it is none of these.
 * @example
 * ```ts
 * import postgres from "postgres";
 *
 * const store = postgresRecords(postgres("postgres://127.0.0.1/shop"));
 * const once = idempotency({ store, scope: () => "everyone" });
 * ```
 */
export function postgresRecords(sql: SqlTag): PostgresRecords {
  return new TableOfRecords(statementsBy(sql));
}

const columns = `
      key text primary key,
      fingerprint text not null,
      fence bigserial,
      answer text,
      lease_end timestamptz not null,
      record_end timestamptz not null`;

class TableOfRecords implements PostgresRecords {
  readonly #sql: RunStatement;
  readonly #table: PostgresTable;

  constructor(sql: RunStatement) {
    this.#sql = sql;
    this.#table = new PostgresTable(sql, "fingerpost_writes", "record_end");
  }

  create(): Promise<void> {
    return this.#table.create(columns, []);
  }

  async find(key: string): Promise<WriteRecord | null> {
    const [row] = await this.#sql`
      select fingerprint, answer from fingerpost_writes
      where key = ${key} and record_end > clock_timestamp() and (answer is not null or lease_end > clock_timestamp())`;
    return row === undefined ? null : (row as unknown as WriteRecord);
  }

  async begin(key: string, fingerprint: string, leaseMs: number, ttlMs: number): Promise<WriteLease | WriteRecord> {
    const sql = this.#sql;
    await this.#table.sweep();
    for (;;) {
      const [taken] = await sql`
        insert into fingerpost_writes as known (key, fingerprint, lease_end, record_end)
        values (
          ${key}, ${fingerprint},
          clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond',
          clock_timestamp() + ${ttlMs}::float8 * interval '1 millisecond')
        on conflict (key) do update set
          fingerprint = excluded.fingerprint, fence = excluded.fence, answer = null,
          lease_end = excluded.lease_end, record_end = excluded.record_end
        where known.record_end <= clock_timestamp()
          or (known.answer is null and known.lease_end <= clock_timestamp()
            and known.fingerprint = excluded.fingerprint)
        returning fence::text as fence`;
      if (taken !== undefined) return { fence: String(taken["fence"]) };
      const [row] = await sql`
        select fingerprint, answer from fingerpost_writes where key = ${key}`;
      // Another process may have released the key in between.
      if (row !== undefined) return row as unknown as WriteRecord;
    }
  }

  async extend(key: string, fence: string, leaseMs: number): Promise<boolean> {
    const rows = await this.#sql`
      update fingerpost_writes set
        lease_end = clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond',
        record_end = greatest(record_end, clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond')
      where key = ${key} and fence = ${fence}::bigint and answer is null returning 1 as one`;
    return rows.length === 1;
  }

  finish(key: string, fence: string, answer: string, ttlMs: number): Promise<boolean> {
    return keep(this.#sql, key, fence, answer, ttlMs);
  }

  async release(key: string, fence: string): Promise<void> {
    await this.#sql`
      delete from fingerpost_writes where key = ${key} and fence = ${fence}::bigint and answer is null`;
  }

  async commit(transaction: unknown, key: string, fence: string, answer: string, ttlMs: number): Promise<void> {
    const sql = statementsBy(transaction);
    const [first] = await sql`
      select pg_current_xact_id()::text as id`;
    const [second] = await sql`
      select pg_current_xact_id()::text as id`;
    if (first?.["id"] === undefined || first["id"] !== second?.["id"]) {
      throw new Error(
        "Cannot commit an answer: there is no transaction; pass what your driver gives to its transaction",
      );
    }
    if (await keep(sql, key, fence, answer, ttlMs)) return;
    throw new Error("Cannot commit an answer: the lease of this write ended, and another run may have begun");
  }
}

async function keep(sql: RunStatement, key: string, fence: string, answer: string, ttlMs: number): Promise<boolean> {
  const rows = await sql`
    update fingerpost_writes set
      answer = ${answer}, record_end = clock_timestamp() + ${ttlMs}::float8 * interval '1 millisecond'
    where key = ${key} and fence = ${fence}::bigint and answer is null returning 1 as one`;
  return rows.length === 1;
}
