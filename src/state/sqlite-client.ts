import { described } from "../http/javascript/described.ts";
import { isThenable } from "../http/javascript/thenable.ts";
import type { RunStatement } from "./postgres-client.ts";
import { tableStatements, type TableDefinition } from "./postgres-table.ts";
import { onceAMinute } from "./sweeps.ts";

/** A database of `node:sqlite`, `bun:sqlite` or D1, or `storage` of a Durable Object. */
export type SqliteClient = SqliteDatabase | SqliteStorage;

/** A database that prepares statements. */
export interface SqliteDatabase {
  prepare(text: string): { all(...values: never[]): unknown };
  exec(text: string): unknown;
}

/** The part of the storage of a Durable Object that stores use. */
export interface SqliteStorage {
  readonly sql: { exec(text: string, ...values: never[]): { toArray(): unknown[] } };
  transactionSync<Given>(run: () => Given): Given;
}

/** A statement in SQL, in the parts and the values of a template. */
export type Statement = readonly [parts: TemplateStringsArray, ...values: readonly (string | number)[]];

/** What SQLite is asked by. */
export interface Sqlite {
  readonly run: RunStatement;
  /** Runs what creates something, a statement a line. */
  create(text: string): unknown;
  /** Runs statements and an effect: all of it, or nothing. */
  together(statements: readonly Statement[], effect: unknown): unknown;
}

/** @throws {TypeError} when nothing is known that asks. */
export function sqliteBy(client: SqliteClient): Sqlite {
  const { sql, prepare, batch, exec } = Object(client) as Partial<SqliteStorage & Asked & Batching>;
  if (typeof sql?.exec === "function") return ofStorage(client as SqliteStorage);
  if (typeof prepare !== "function" || typeof exec !== "function") {
    throw new TypeError(
      "Cannot ask SQLite: expected a database of node:sqlite, bun:sqlite or D1, or the storage of a " +
        `Durable Object, got ${described(client)}`,
    );
  }
  return typeof batch === "function" ? ofBatches(client as unknown as Batching) : ofDatabase(client as Asked);
}

/** A table whose rows end, in a database that keeps times as milliseconds. */
export abstract class SqliteTable {
  protected readonly sqlite: Sqlite;
  /** Deletes rows that ended, at most once a minute. */
  protected readonly sweep: () => unknown;
  readonly #table: TableDefinition;

  constructor(sqlite: Sqlite, table: TableDefinition) {
    this.sqlite = sqlite;
    this.sweep = onceAMinute(() => this.#sweep());
    this.#table = table;
  }

  /** Creates the table, or finds it. An object of Workers often ends within a minute, so rows that ended go as well. */
  async create(): Promise<void> {
    for (const text of tableStatements(this.#table)) await this.sqlite.create(text.replace(/\s+/g, " "));
    await this.#sweep();
  }

  #sweep(): unknown {
    const { name, end } = this.#table;
    const text = `delete from ${name} where key in (
      select key from ${name} where ${end} <= unixepoch('subsec') * 1000 limit 10000)`;
    return this.sqlite.run(Object.assign([text], { raw: [text] }));
  }
}

interface Asked {
  prepare(text: string): { all(...values: unknown[]): unknown };
  exec(text: string): unknown;
}

interface Bound {
  all(): Promise<{ readonly results: Row[] }>;
}

interface Batching {
  prepare(text: string): { bind(...values: unknown[]): Bound };
  exec(text: string): unknown;
  batch(statements: unknown[]): Promise<unknown>;
}

type Row = Readonly<Record<string, unknown>>;

function ofDatabase(database: Asked): Sqlite {
  const rowsOf = ([parts, ...values]: Statement): Row[] => database.prepare(parts.join("?")).all(...values) as Row[];
  return {
    run: async (...statement) => rowsOf(statement),
    create: (text) => database.exec(text),
    together(statements, effect) {
      database.exec("begin immediate");
      try {
        runAll(rowsOf, statements, effect);
        database.exec("commit");
      } catch (error) {
        undo(database);
        throw error;
      }
    },
  };
}

function undo(database: Asked): void {
  try {
    database.exec("rollback");
  } catch {
    // SQLite has ended the transaction itself, as where the disk is full.
  }
}

function ofStorage(storage: SqliteStorage): Sqlite {
  const rowsOf = ([parts, ...values]: Statement): Row[] =>
    storage.sql.exec(parts.join("?"), ...(values as never[])).toArray() as Row[];
  return {
    run: async (...statement) => rowsOf(statement),
    create: (text) => storage.sql.exec(text),
    together: (statements, effect) => storage.transactionSync(() => runAll(rowsOf, statements, effect)),
  };
}

/** D1 has no transactions that wait for a program: one is sent as a whole. */
function ofBatches(database: Batching): Sqlite {
  const bound = ([parts, ...values]: Statement): Bound => database.prepare(parts.join("?")).bind(...values);
  return {
    run: async (...statement) => (await bound(statement).all()).results as Row[],
    create: (text) => database.exec(text),
    async together(statements, effect) {
      if (!Array.isArray(effect)) {
        throw new TypeError(
          `Cannot commit an answer: expected an array of statements that D1 has prepared, got ${described(effect)}`,
        );
      }
      await database.batch([...statements.map(bound), ...(effect as unknown[])]);
    },
  };
}

function runAll(rowsOf: (statement: Statement) => unknown, statements: readonly Statement[], effect: unknown): void {
  if (typeof effect !== "function") {
    throw new TypeError(`Cannot commit an answer: expected a function that does the effect, got ${described(effect)}`);
  }
  for (const statement of statements) rowsOf(statement);
  if (!isThenable((effect as () => unknown)())) return;
  throw new TypeError(
    "Cannot commit an answer: the effect waits for something, and others would write by its transaction; wait before",
  );
}
