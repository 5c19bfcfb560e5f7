// A process that takes payments, each once, and prints its port. It kills itself at a step, if it is told which: steps
// are before and after each call of its store, and each statement of its handler.
import { postgresRecords, redisRecords } from "fingerpost/idempotency";
import { serve } from "fingerpost/servers/node.js";
import { Application, reply, Resource } from "fingerpost/semantics";

const [kind, url, leaseMs, crashAt] = process.argv.slice(2);
let step = 0;

function passStep() {
  // The socket must not have sent what comes after.
  if (crashAt !== undefined && ++step === Number(crashAt)) process.kill(process.pid, "SIGKILL");
}

/** A tag, or a method, whose calls are two steps. */
const stepping =
  (call) =>
  async (...args) => {
    passStep();
    const result = await call(...args);
    passStep();
    return result;
  };

async function withPostgres(isCommitting) {
  const { default: postgres } = await import("postgres");
  const sql = postgres(url, { onnotice() {}, max: 5 });
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

  static POST = { idempotency: "required", content: named, 201: named };
  async POST(call) {
    passStep();
    const paid = await pay(call);
    passStep();
    return paid;
  }
}

const app = Application.builder()
  .resources(Payments)
  .idempotency({ store, scope: () => "everyone", leaseMs: Number(leaseMs) })
  .onError(() => {})
  .build();
const server = await serve(app, { port: 0, hostname: "127.0.0.1" });
process.once("disconnect", () => process.exit());
process.send(server.address().port);
