import type { RedisClientType } from "@redis/client";
import { setTimeout } from "node:timers/promises";
import { Inbox } from "fingerpost/events";
import type { Database, Run } from "./database.ts";
import { sql } from "./sql.ts";

export interface PublishedRow {
  readonly slug: string;
  readonly title: string;
  readonly author: string;
}

/** How processes tell each other of new articles. */
export interface News {
  /** The articles that any process publishes. */
  readonly inbox: Inbox<PublishedRow>;
  /** Runs in the transaction that adds an article. */
  within(run: Run, row: PublishedRow): Promise<void>;
  /** Runs when the transaction is there. */
  after(row: PublishedRow): Promise<void>;
  close(): void;
}

const event = "article";

/** News by NOTIFY of PostgreSQL: each process has what it heard itself. */
export async function newsByNotify(database: Database): Promise<News> {
  const inbox = new Inbox<PublishedRow>();
  await database.listen("published", (text) => {
    const row = JSON.parse(text) as PublishedRow;
    // An id that all processes know, so that a client can go on at another one.
    inbox.send(row, { id: row.slug, event });
  });
  return {
    inbox,
    // Sent with the transaction, and not at all if it fails.
    async within(run, row) {
      await run(sql`select pg_notify('published', ${JSON.stringify(row)})`);
    },
    async after() {},
    close() {},
  };
}

/** An entry of a stream, as the client types it too widely. */
interface Entry {
  readonly id: string;
  readonly message: { readonly row: string };
}
const maxEvents = 1_000;
const trim = { TRIM: { strategy: "MAXLEN", strategyModifier: "~", threshold: maxEvents } } as const;

/** News by a stream of Redis or Valkey: a process that begins later has what was there before it, too. */
export async function newsByRedis(client: RedisClientType, key = "conduit:published"): Promise<News> {
  const inbox = new Inbox<PublishedRow>({ maxEvents });
  let last = "0";
  const take = (entries: readonly Entry[]) => {
    for (const { id, message } of entries)
      inbox.send(JSON.parse(message.row) as PublishedRow, { id: (last = id), event });
  };
  // One that waits for Redis can do nothing else.
  const reader = await client
    .duplicate()
    .on("error", () => {})
    .connect();
  const latest = await reader.xRevRange(key, "+", "-", { COUNT: maxEvents });
  take((latest as unknown as Entry[]).toReversed());
  const read = async () => {
    const found = await reader.xRead({ key, id: last }, { BLOCK: 0, COUNT: 100 });
    for (const { messages } of (found ?? []) as unknown as { readonly messages: Entry[] }[]) take(messages);
  };
  void (async () => {
    while (reader.isOpen) await read().catch(() => setTimeout(500));
  })();
  return {
    inbox,
    async within() {},
    // The article is there: who reads it later misses nothing if Redis is away, and who listens misses the news.
    async after(row) {
      await client.xAdd(key, "*", { row: JSON.stringify(row) }, trim).catch(console.error);
    },
    close: () => reader.destroy(),
  };
}
