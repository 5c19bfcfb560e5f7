import { PGlite } from "@electric-sql/pglite";
import postgres from "postgres";
import { setTimeout } from "node:timers/promises";
import { migrations } from "./migrations.ts";
import { flattened, sql, type Sql } from "./sql.ts";

/** Runs a statement and returns its rows. */
export type Run = <Row extends object = object>(statement: Sql) => Promise<Row[]>;

/** What the application needs of a database, whichever it is. */
export interface Database {
  readonly run: Run;
  /** Runs several statements as one. A conflict with another transaction runs them again. */
  transaction<Result>(act: (run: Run) => Promise<Result>): Promise<Result>;
  /** Calls a function for each notification, of whatever process. */
  listen(channel: string, onNotice: (text: string) => void): Promise<unknown>;
  close(): Promise<void>;
}

/** Opens PostgreSQL by its URL, or one that is embedded in this process, and brings its tables up to date. */
export async function openDatabase(url: string | undefined, folder?: string): Promise<Database> {
  const database = url === undefined ? embedded(folder) : connected(url);
  await database.transaction(async (run) => {
    // One process at a time: several may begin at once.
    await run(sql`select pg_advisory_xact_lock(7309)`);
    await run(sql`create table if not exists migrations (number integer primary key)`);
    const [found] = await run<{ done: number }>(sql`select coalesce(max(number), 0) as done from migrations`);
    for (const [at, statements] of migrations.entries()) {
      if (at < found!.done) continue;
      for (const statement of statements) await run(statement);
      await run(sql`insert into migrations values (${at + 1})`);
    }
  });
  return database;
}

function embedded(folder: string | undefined): Database {
  const lite = new PGlite(folder);
  return {
    run: embeddedRun(lite),
    transaction: (act) => retried(() => lite.transaction((transaction) => act(embeddedRun(transaction)))),
    listen: (channel, onNotice) => lite.listen(channel, onNotice),
    close: () => lite.close(),
  };
}

function connected(url: string): Database {
  const pool = postgres(url, { onnotice() {} });
  return {
    run: connectedRun(pool),
    transaction: <Result>(act: (run: Run) => Promise<Result>) =>
      retried(() => pool.begin((transaction) => act(connectedRun(transaction))) as Promise<Result>),
    listen: (channel, onNotice) => pool.listen(channel, onNotice),
    close: () => pool.end({ timeout: 5 }),
  };
}

function embeddedRun(to: Pick<PGlite, "query">): Run {
  return async <Row>(statement: Sql) => {
    const { text, parameters } = flattened(statement);
    return (await to.query<Row>(text, parameters)).rows;
  };
}

function connectedRun(to: Pick<postgres.Sql, "unsafe">): Run {
  return async <Row extends object>(statement: Sql) => {
    const { text, parameters } = flattened(statement);
    return [...(await to.unsafe<Row[]>(text, parameters as postgres.ParameterOrJSON<never>[]))] as Row[];
  };
}

/** The code of an error of the database, such as 23505 for a value that is there already. */
export const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;

/** Serialization failures and deadlocks are nobody's fault: the same again goes well. */
export async function retried<Result>(act: () => Promise<Result>, attempts = 5): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act();
    } catch (error) {
      const isConflict = codeOf(error) === "40001" || codeOf(error) === "40P01";
      if (!isConflict || attempt === attempts) throw error;
      await setTimeout(Math.random() * 20 * 2 ** attempt);
    }
  }
}
