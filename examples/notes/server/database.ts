import { PGlite } from "@electric-sql/pglite";
import postgres from "postgres";
import { postgresRecords, postgresSessions } from "fingerpost/stores";
import { DATA_FOLDER, DATABASE_URL } from "./settings.ts";

/** A tag that runs a statement, with the values in between as parameters, and gives its rows. */
export type Sql = <Row extends object>(parts: TemplateStringsArray, ...values: unknown[]) => Promise<Row[]>;

/** PostgreSQL, be it a server or embedded. */
export type Database = ReturnType<typeof embedded>;

export async function openDatabase(): Promise<Database> {
  const database = DATABASE_URL ? connected(DATABASE_URL) : embedded();
  await database.transaction(async (sql) => {
    // One process at a time: several may begin at once.
    await sql`select pg_advisory_xact_lock(7315)`;
    await sql`create table if not exists users
      (id serial primary key, email text unique not null, hash text not null, avatar text)`;
    await sql`create table if not exists notes
      (id serial primary key, owner int not null references users, title text not null, body text not null,
       version int not null default 1)`;
    await sql`create table if not exists organizations (name text primary key)`;
    await sql`create table if not exists members
      (organization text references organizations, member int references users, role text not null,
       primary key (organization, member))`;
    await sql`alter table notes add column if not exists organization text references organizations`;
    await sql`create index if not exists notes_order on notes (owner, title, id)`;
    // Whatever changes a note tells all processes, if its transaction succeeds.
    await sql`create or replace function tell() returns trigger language plpgsql as $$
      declare note notes := coalesce(new, old);
      begin
        perform pg_notify('changes', json_build_object('owner', note.owner, 'id', note.id, 'title', note.title, 'change',
          case tg_op when 'INSERT' then 'added' when 'UPDATE' then 'changed' else 'removed' end)::text);
        return null;
      end $$`;
    await sql`create or replace trigger tell after insert or update or delete on notes for each row execute function tell()`;
    await sql`create table if not exists payments
      (id serial primary key, owner int not null references users, cents int not null, paid boolean not null default false)`;
  });
  await postgresRecords(database.sql).create();
  await postgresSessions(database.sql).create();
  return database;
}

const taggedBy =
  (lite: Pick<PGlite, "sql">): Sql =>
  async (...statement) =>
    (await lite.sql<never>(...statement)).rows;

function embedded() {
  const lite = new PGlite(DATA_FOLDER);
  return {
    sql: taggedBy(lite),
    transaction: <Result>(act: (sql: Sql) => Promise<Result>) =>
      lite.transaction((transaction) => act(taggedBy(transaction))),
    listen: (channel: string, onNotice: (text: string) => void): Promise<unknown> => lite.listen(channel, onNotice),
    close: () => lite.close(),
  };
}

function connected(url: string): Database {
  const pool = postgres(url, { onnotice() {} });
  return {
    sql: pool as unknown as Sql,
    transaction: (act) => pool.begin((transaction) => act(transaction as unknown as Sql)) as Promise<never>,
    listen: (channel, onNotice) => pool.listen(channel, onNotice),
    close: () => pool.end({ timeout: 5 }),
  };
}
