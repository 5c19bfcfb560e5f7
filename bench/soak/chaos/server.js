// One process of the chaos run, with a store in PostgreSQL or Redis: node server.js <kind> <url> <port>.
import { serve } from "../../../dist/servers/node.js";
import { postgresRecords, redisRecords } from "../../../dist/state/stores.js";
import { payments } from "./payments.js";

const [kind, url, port] = process.argv.slice(2);

/** What pays with PostgreSQL: the effect and the answer are one transaction. */
async function commitApp() {
  const { default: postgres } = await import("postgres");
  const options = { onnotice() {}, fetch_types: false, connect_timeout: 5 };
  const connection = { statement_timeout: 5_000, idle_in_transaction_session_timeout: 5_000 };
  const sql = postgres(url, { ...options, connection, max: 5 });
  const store = postgresRecords(postgres(url, { ...options, connection, max: 2 }));
  return payments(store, (call, answer) =>
    sql.begin(async (transaction) => {
      const [{ id }] = await transaction`insert into payments (name) values (${call.content.name}) returning id`;
      return call.idempotency.commit(transaction, answer(id));
    }),
  );
}

/** What pays with Redis: the effect is there before the answer is kept. */
async function redisApp() {
  const { createClient } = await import("@redis/client");
  const client = createClient({ url });
  client.on("error", () => {});
  await client.connect();
  return payments(redisRecords(client), async (call, answer) =>
    answer(await client.incr(`payments:${call.content.name}`)),
  );
}

const app = await (kind === "redis" ? redisApp() : commitApp());
process.once("disconnect", () => process.exit());
await serve(app, { port: Number(port), hostname: "127.0.0.1" });
