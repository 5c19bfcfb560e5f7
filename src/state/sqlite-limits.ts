import type { TableDefinition } from "./postgres-table.ts";
import { SqliteTable, type Sqlite } from "./sqlite-client.ts";

const table: TableDefinition = {
  name: "fingerpost_limits",
  columns: `
  key text primary key,
  used integer not null,
  window_end real not null`,
  end: "window_end",
  indexed: [],
};

/** Counts what clients use, each in windows of its own. */
export class SqliteLimits extends SqliteTable {
  constructor(sqlite: Sqlite) {
    super(sqlite, table);
  }

  /** Uses one point. Returns how many are used in this window, and the milliseconds until it ends. */
  async take(key: string, windowMs: number): Promise<readonly [used: number, leftMs: number]> {
    await this.sweep();
    const [row] = await this.sqlite.run`
      insert into fingerpost_limits as known (key, used, window_end)
      values (${key}, 1, unixepoch('subsec') * 1000 + ${windowMs})
      on conflict (key) do update set
        used = iif(known.window_end > unixepoch('subsec') * 1000, known.used + 1, 1),
        window_end = iif(known.window_end > unixepoch('subsec') * 1000, known.window_end, excluded.window_end)
      returning used, window_end - unixepoch('subsec') * 1000 as remaining`;
    return [Number(row!["used"]), Number(row!["remaining"])];
  }
}
