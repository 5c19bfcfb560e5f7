import { setTimeout } from "node:timers/promises";
import { Inbox } from "fingerpost/events";

/**
 * An inbox that processes share by a Redis stream. `client` is one of @redis/client that is connected.
 *
 * Redis makes the ids, so that a client can go on at any process.
 */
export async function redisFeed(client, key, { maxEvents = 1_000 } = {}) {
  const inbox = new Inbox({ maxEvents });
  const TRIM = { strategy: "MAXLEN", strategyModifier: "~", threshold: maxEvents };
  let last = "0";
  const take = (messages) => {
    for (const { id, message } of messages) inbox.send(JSON.parse(message.data), { id: (last = id) });
  };
  // One that waits for Redis can do nothing else.
  const reader = await client
    .duplicate()
    .on("error", () => {})
    .connect();
  take((await reader.xRevRange(key, "+", "-", { COUNT: maxEvents })).toReversed());
  const read = async () => {
    for (const { messages } of (await reader.xRead({ key, id: last }, { BLOCK: 0, COUNT: 100 })) ?? []) take(messages);
  };
  (async () => {
    while (reader.isOpen) await read().catch(() => setTimeout(500));
  })();
  return {
    inbox,
    send: (data) => client.xAdd(key, "*", { data: JSON.stringify(data) }, { TRIM }),
    stop: () => reader.destroy(),
  };
}
