import type { KeyLease, RecordStore, WriteLease, WriteRecord } from "../writes/record-store.ts";
import { leaseEnded } from "./postgres-records.ts";
import type { TableDefinition } from "./postgres-table.ts";
import { sqliteBy, SqliteTable, type SqliteClient, type Statement } from "./sqlite-client.ts";

/** A store of records in SQLite. */
export interface SqliteRecords extends RecordStore {
  /** Creates the table `fingerpost_writes`, if it does not exist. */
  create(): Promise<void>;
  /**
   * Does the effect of a handler and keeps its answer, in one transaction.
   *
   * @param effect a function that waits for nothing, or for D1 an array of prepared statements.
   * @throws {Error} when the lease is not the newest, or the effect fails: then there is no effect.
   */
  commit(effect: unknown, leases: readonly KeyLease[], answer: string, ttlMs: number): Promise<void>;
}

/**
 * Makes a store of records in SQLite (3.42 or later): for one process, or in D1 for Workers. An answer can be committed
 * together with the effect.
 *
 * The clock is the database's. `create()` deletes records that ended, and so does `begin()` once a minute.
 *
 * @throws {TypeError} when it is not a database of SQLite.
 * @example
 * ```ts
 * const onceBy = (database: SqliteClient) =>
 *   idempotency({ store: sqliteRecords(database), ownerOf: () => "everyone" });
 * ```
 */
export function sqliteRecords(database: SqliteClient): SqliteRecords {
  return new TableOfRecords(sqliteBy(database), table);
}

const table: TableDefinition = {
  name: "fingerpost_writes",
  // A number that was given is not given again, although its row was deleted.
  columns: `
  fence integer primary key autoincrement,
  key text not null unique,
  fingerprint text not null,
  answer text,
  lease_end real not null,
  record_end real not null`,
  end: "record_end",
  indexed: [],
};

class TableOfRecords extends SqliteTable implements SqliteRecords {
  async find(key: string): Promise<WriteRecord | null> {
    const [row] = await this.sqlite.run`
      select fingerprint, answer from fingerpost_writes where key = ${key}
        and record_end > unixepoch('subsec') * 1000 and (answer is not null or lease_end > unixepoch('subsec') * 1000)`;
    return row === undefined ? null : recordIn(row);
  }

  async begin(key: string, fingerprint: string, leaseMs: number, ttlMs: number): Promise<WriteLease | WriteRecord> {
    const { run } = this.sqlite;
    await this.sweep();
    for (;;) {
      const [taken] = await run`
        insert or replace into fingerpost_writes (key, fingerprint, lease_end, record_end)
        select ${key}, ${fingerprint}, unixepoch('subsec') * 1000 + ${leaseMs}, unixepoch('subsec') * 1000 + ${ttlMs}
        where not exists (select 1 from fingerpost_writes where key = ${key}
          and record_end > unixepoch('subsec') * 1000
          and (answer is not null or lease_end > unixepoch('subsec') * 1000 or fingerprint <> ${fingerprint}))
        returning fence`;
      if (taken !== undefined) return { fence: String(taken["fence"]) };
      const [row] = await run`
        select fingerprint, answer from fingerpost_writes where key = ${key}`;
      // Another request may have released the key in between.
      if (row !== undefined) return recordIn(row);
    }
  }

  async extend(key: string, fence: string, leaseMs: number): Promise<boolean> {
    const rows = await this.sqlite.run`
      update fingerpost_writes set
        lease_end = unixepoch('subsec') * 1000 + ${leaseMs},
        record_end = max(record_end, unixepoch('subsec') * 1000 + ${leaseMs})
      where key = ${key} and fence = ${Number(fence)} and answer is null returning 1 as one`;
    return rows.length === 1;
  }

  async finish(key: string, fence: string, answer: string, ttlMs: number): Promise<boolean> {
    return (await this.sqlite.run(...keeping(key, fence, answer, ttlMs))).length === 1;
  }

  async release(key: string, fence: string): Promise<void> {
    await this.sqlite.run`
      delete from fingerpost_writes where key = ${key} and fence = ${Number(fence)} and answer is null`;
  }

  async commit(effect: unknown, leases: readonly KeyLease[], answer: string, ttlMs: number): Promise<void> {
    const statements = leases.flatMap(({ key, fence }) => [held(key, fence), keeping(key, fence, answer, ttlMs)]);
    try {
      await this.sqlite.together(statements, effect);
    } catch (error) {
      throw /constraint failed: fingerpost_writes\./.test(String(error)) ? leaseEnded(error) : error;
    }
  }
}

function recordIn({ fingerprint, answer }: Readonly<Record<string, unknown>>): WriteRecord {
  return { fingerprint, answer } as WriteRecord;
}

function statement(...given: Statement): Statement {
  return given;
}

/** Fails unless a lease is the newest: nothing may be null. */
function held(key: string, fence: string): Statement {
  return statement`
    insert into fingerpost_writes (key, fingerprint, lease_end, record_end) select ${key}, null, 0, 0
    where not exists (
      select 1 from fingerpost_writes where key = ${key} and fence = ${Number(fence)} and answer is null)`;
}

function keeping(key: string, fence: string, answer: string, ttlMs: number): Statement {
  return statement`
    update fingerpost_writes set answer = ${answer}, record_end = unixepoch('subsec') * 1000 + ${ttlMs}
    where key = ${key} and fence = ${Number(fence)} and answer is null returning 1 as one`;
}
