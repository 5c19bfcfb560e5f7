// A process that takes payments, each once, and prints its port. With a plan it says at its fourth descriptor, for each
// payment, which phases it has reached, and kills itself when one of them is reached often enough.
import { AsyncLocalStorage } from "node:async_hooks";
import { writeSync } from "node:fs";
import { Application, Middleware, reply, Resource } from "fingerpost";
import { postgresRecords, redisRecords } from "fingerpost/stores";
import { serve } from "fingerpost/node";

const [kind, url, leaseMs, plan] = process.argv.slice(2);
const { phase: lastPhase, times } = JSON.parse(plan ?? "{}");
/** The name of the payment that is under way. */
const payment = new AsyncLocalStorage();
let passed = 0;

function reach(phase) {
  if (plan === undefined) return;
  // What was written is read after the kill, too.
  writeSync(4, `${payment.getStore()} ${phase}\n`);
  if (phase === lastPhase && ++passed === times) process.kill(process.pid, "SIGKILL");
}

const statements = {
  find: /^\s*select fingerprint/,
  begin: /^\s*insert into fingerpost_writes/,
  pay: /^\s*insert into payments/,
  "ask for the transaction": /^\s*select pg_current_xact_id/,
  keep: /^\s*update fingerpost_writes set\s+answer/,
};

/** A tag whose statements are two phases, apart from what a lease does by its timer. */
const stepping =
  (tag) =>
  async (...args) => {
    const [text] = args[0];
    const name = Object.keys(statements).find((one) => statements[one].test(text));
    if (name !== undefined) reach(`before ${name}`);
    const rows = await tag(...args);
    if (name !== undefined) reach(`after ${name}`);
    return rows;
  };

async function withPostgres(isCommitting) {
  const { default: postgres } = await import("postgres");
  // Connections are most of what a process costs that is killed at once.
  const sql = postgres(url, { onnotice() {}, max: plan === undefined ? 10 : 3, fetch_types: false });
  const store = postgresRecords(stepping((...args) => sql(...args)));
  return {
    store,
    pay: (call) =>
      sql.begin(async (transaction) => {
        const tag = stepping((...args) => transaction(...args));
        const [{ id }] = await tag`insert into payments (name) values (${call.content.name}) returning id`;
        const paid = reply(201, { id: Number(id) });
        return isCommitting ? call.idempotency.commit(tag, paid) : paid;
      }),
  };
}

async function withRedis() {
  const { createClient } = await import("@redis/client");
  const client = createClient({ url });
  await client.connect();
  return {
    store: redisRecords(client),
    pay: async (call) => reply(201, { id: await client.incr(`fingerpost-payments:${call.content.name}`) }),
  };
}

const { store, pay } = kind === "redis" ? await withRedis() : await withPostgres(kind === "commit");

/** Any object with a name: the requests of the tests are right. */
const named = { "~standard": { version: 1, vendor: "tests", validate: (value) => ({ value }) } };

class Payments extends Resource {
  paths = ["/payments"];

  static POST = { idempotency: true, content: named, 201: named };
  async POST(call) {
    reach("handler");
    const paid = await pay(call);
    reach("committed");
    return paid;
  }
}

class Named extends Middleware {
  ALL(input) {
    return payment.run(input.headers.get("idempotency-key"), async () => {
      const answer = await this.next(input);
      reach("answer");
      return answer;
    });
  }
}

const app = Application.builder()
  .resources(Payments)
  .middleware(Named)
  // A thousand statements wait for a few connections: here it counts how often is paid, not how soon is answered.
  .idempotency({ store, ownerOf: () => "everyone", leaseMs: Number(leaseMs), storeTimeoutMs: 60_000 })
  .onError(() => {})
  .build();
const server = await serve(app, { port: 0, hostname: "127.0.0.1" });
process.once("disconnect", () => process.exit());
process.send(server.address().port);
