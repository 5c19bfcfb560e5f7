import type { TableDefinition } from "./postgres-table.ts";
import type { NewSession, SessionEntry, SessionStore, StoredSession } from "./sessions/session-store.ts";
import { sqliteBy, SqliteTable, type SqliteClient } from "./sqlite-client.ts";

/** A store of sessions in SQLite. */
export interface SqliteSessions extends SessionStore {
  /** Creates the table `fingerpost_sessions`, if it does not exist. */
  create(): Promise<void>;
}

/**
 * Makes a store of sessions in SQLite (3.42 or later): for one process, or in D1 for Workers.
 *
 * The clock is the database's. `create()` deletes sessions that ended, and so does `begin()` once a minute.
 *
 * @throws {TypeError} when it is not a database of SQLite.
 * @example
 * ```ts
 * const session = new Attribute<Session<{ user: string }>>("session");
 * const schema = z.object({ user: z.string() });
 * const sessionsIn = (database: SqliteClient) =>
 *   sessions({ session, schema, store: sqliteSessions(database) });
 * ```
 */
export function sqliteSessions(database: SqliteClient): SqliteSessions {
  return new TableOfSessions(sqliteBy(database), table);
}

const table: TableDefinition = {
  name: "fingerpost_sessions",
  columns: `
  key text primary key,
  data text not null,
  version integer not null default 1,
  owner text,
  label text not null,
  started real not null default (unixepoch('subsec') * 1000),
  seen real not null default (unixepoch('subsec') * 1000),
  session_end real not null,
  absolute_end real not null`,
  end: "session_end",
  indexed: ["owner"],
};

class TableOfSessions extends SqliteTable implements SqliteSessions {
  async find(key: string, idleMs: number, everyMs: number): Promise<StoredSession | null> {
    const { run } = this.sqlite;
    const [row] = await run`
      select data, version, absolute_end - unixepoch('subsec') * 1000 as remaining,
        abs(unixepoch('subsec') * 1000 - seen) > ${everyMs} as stale
      from fingerpost_sessions where key = ${key} and session_end > unixepoch('subsec') * 1000`;
    if (row === undefined) return null;
    if (row["stale"] === 1) {
      await run`
        update fingerpost_sessions set
          seen = unixepoch('subsec') * 1000,
          session_end = min(absolute_end, unixepoch('subsec') * 1000 + ${idleMs})
        where key = ${key} and session_end > unixepoch('subsec') * 1000`;
    }
    return { data: String(row["data"]), version: String(row["version"]), leftMs: Number(row["remaining"]) };
  }

  async begin(key: string, session: NewSession, idleMs: number, absoluteMs: number): Promise<void> {
    await this.sweep();
    await this.sqlite.run`
      insert into fingerpost_sessions (key, data, owner, label, session_end, absolute_end)
      values (
        ${key}, ${session.data}, nullif(${session.owner ?? ""}, ''), ${session.label},
        unixepoch('subsec') * 1000 + ${Math.min(idleMs, absoluteMs)}, unixepoch('subsec') * 1000 + ${absoluteMs})`;
  }

  async replace(key: string, version: string, data: string, idleMs: number): Promise<string | null> {
    const [row] = await this.sqlite.run`
      update fingerpost_sessions set
        data = ${data}, version = version + 1, seen = unixepoch('subsec') * 1000,
        session_end = min(absolute_end, unixepoch('subsec') * 1000 + ${idleMs})
      where key = ${key} and version = ${Number(version)} and session_end > unixepoch('subsec') * 1000
      returning version`;
    return row === undefined ? null : String(row["version"]);
  }

  async delete(key: string): Promise<void> {
    await this.sqlite.run`
      delete from fingerpost_sessions where key = ${key}`;
  }

  async list(owner: string): Promise<readonly SessionEntry[]> {
    const rows = await this.sqlite.run`
      select key, label, started, seen from fingerpost_sessions
      where owner = ${owner} and session_end > unixepoch('subsec') * 1000 order by started`;
    return rows.map((row) => ({
      id: String(row["key"]),
      startedAt: new Date(Number(row["started"])),
      seenAt: new Date(Number(row["seen"])),
      label: String(row["label"]),
    }));
  }
}
