import { PostgresTable, type TableDefinition } from "./postgres-table.ts";
import { statementsOf, type PostgresClient, type PostgresOptions, type RunStatement } from "./postgres-client.ts";
import type { NewSession, SessionEntry, SessionStore, StoredSession } from "./sessions/session-store.ts";

/** A store of sessions in PostgreSQL. */
export interface PostgresSessions extends SessionStore {
  /**
   * Creates the table `fingerpost_sessions`, if it does not exist. `npx fingerpost tables` prints it for migrations.
   */
  create(): Promise<void>;
}

/**
 * Makes a store of sessions in PostgreSQL (13 or later), which processes share.
 *
 * The clock is the server's. Once a minute, `begin()` deletes sessions that ended.
 *
 * @param client what asks PostgreSQL: a pool, for example.
 * @throws {TypeError} when it is not a client, or an option is wrong.
 * @example
 * ```ts
 * import postgres from "postgres";
 *
 * const session = new Attribute<Session<{ user: string }>>("session");
 * const schema = z.object({ user: z.string() });
 * const store = postgresSessions(postgres("postgres://127.0.0.1/shop"));
 * const app = Application.builder().middleware(sessions({ session, schema, store })).build();
 * ```
 */
export function postgresSessions(client: PostgresClient, options: PostgresOptions = {}): PostgresSessions {
  return new TableOfSessions(statementsOf("postgresSessions", options)(client));
}

export const sessionsTable: TableDefinition = {
  name: "fingerpost_sessions",
  columns: `
  key text primary key,
  data text not null,
  version bigint not null default 1,
  owner text,
  label text not null,
  started timestamptz not null default clock_timestamp(),
  seen timestamptz not null default clock_timestamp(),
  session_end timestamptz not null,
  absolute_end timestamptz not null`,
  end: "session_end",
  indexed: ["owner"],
};

class TableOfSessions implements PostgresSessions {
  readonly #sql: RunStatement;
  readonly #table: PostgresTable;

  constructor(sql: RunStatement) {
    this.#sql = sql;
    this.#table = new PostgresTable(sql, sessionsTable);
  }

  create(): Promise<void> {
    return this.#table.create();
  }

  async find(key: string, idleMs: number, everyMs: number): Promise<StoredSession | null> {
    const sql = this.#sql;
    const [row] = await sql`
      select data, version::text as version,
        (extract(epoch from absolute_end - clock_timestamp()) * 1000)::float8 as remaining,
        abs(extract(epoch from clock_timestamp() - seen)) * 1000 > ${everyMs}::float8 as stale
      from fingerpost_sessions where key = ${key} and session_end > clock_timestamp()`;
    if (row === undefined) return null;
    if (row["stale"] === true) {
      await sql`
        update fingerpost_sessions set
          seen = clock_timestamp(),
          session_end = least(absolute_end, clock_timestamp() + ${idleMs}::float8 * interval '1 millisecond')
        where key = ${key} and session_end > clock_timestamp()`;
    }
    return { data: String(row["data"]), version: String(row["version"]), leftMs: Number(row["remaining"]) };
  }

  async begin(key: string, session: NewSession, idleMs: number, absoluteMs: number): Promise<void> {
    const sql = this.#sql;
    await this.#table.sweep();
    await sql`
      insert into fingerpost_sessions (key, data, owner, label, session_end, absolute_end)
      values (
        ${key}, ${session.data}, nullif(${session.owner ?? ""}, ''), ${session.label},
        clock_timestamp() + ${Math.min(idleMs, absoluteMs)}::float8 * interval '1 millisecond',
        clock_timestamp() + ${absoluteMs}::float8 * interval '1 millisecond')`;
  }

  async replace(key: string, version: string, data: string, idleMs: number): Promise<string | null> {
    const [row] = await this.#sql`
      update fingerpost_sessions set
        data = ${data}, version = version + 1, seen = clock_timestamp(),
        session_end = least(absolute_end, clock_timestamp() + ${idleMs}::float8 * interval '1 millisecond')
      where key = ${key} and version = ${version}::bigint and session_end > clock_timestamp()
      returning version::text as version`;
    return row === undefined ? null : String(row["version"]);
  }

  async delete(key: string): Promise<void> {
    await this.#sql`
      delete from fingerpost_sessions where key = ${key}`;
  }

  async list(owner: string): Promise<readonly SessionEntry[]> {
    const rows = await this.#sql`
      select key, label,
        (extract(epoch from started) * 1000)::float8 as first, (extract(epoch from seen) * 1000)::float8 as latest
      from fingerpost_sessions where owner = ${owner} and session_end > clock_timestamp() order by started`;
    return rows.map((row) => ({
      id: String(row["key"]),
      startedAt: new Date(Number(row["first"])),
      seenAt: new Date(Number(row["latest"])),
      label: String(row["label"]),
    }));
  }
}
