// Payments while all that can go wrong does: processes are killed and started again, the database stands still, the
// connections between them delay. Says what became of each key. node bench/soak/chaos.js [commit] [redis] [objects];
// CHAOS=2000,500,200 says how many processes are killed with each of them.
import { fork, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { install } from "../../scripts/build/install.js";
import { freePort } from "../../scripts/check/lib/ports.js";
import { withPostgres } from "../../scripts/check/lib/postgres-server.js";
import { withRedis } from "../../scripts/check/lib/redis-server.js";
import { Clients } from "./chaos/clients.js";
import { delaying, Doomed, stopping } from "./chaos/harm.js";

const here = fileURLToPath(new URL("chaos/", import.meta.url));
const runtimes = fileURLToPath(new URL("../../tests/runtimes", import.meta.url));
const processes = 4;
const clients = 40;
/** Of how many payments the answer is asked for again. */
const repeats = 500;

const kinds = ["commit", "redis", "objects"];
const kills = (process.env.CHAOS ?? "2000,500,200").split(",").map(Number);
const asked = process.argv.slice(2);
const rows = [];
for (const [at, kind] of kinds.entries()) {
  if (asked.length > 0 && !asked.includes(kind)) continue;
  const row = await { commit, redis, objects }[kind](kills[at] ?? kills.at(-1));
  if (row === undefined) console.log(`chaos: ${kind} SKIPPED, there is no redis-server on this machine`);
  else rows.push(row);
}
const names = Object.keys(rows[0] ?? {});
const table = [names, names.map(() => "---"), ...rows.map((row) => Object.values(row))];
console.log(`\n${table.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}`);

/** With commit(), nothing is lost, doubled, wrong or hanging. */
function commit(times) {
  return withPostgres(["chaos"], async (urlOf, pid) => {
    const { default: postgres } = await import("postgres");
    const { postgresRecords } = await import("../../dist/state/stores.js");
    const sql = postgres(urlOf("chaos"), { onnotice() {} });
    await sql`create table payments (id bigserial primary key, name text not null)`;
    await postgresRecords(sql).create();
    const proxy = await delaying(Number(new URL(urlOf("chaos")).port));
    const url = urlOf("chaos").replace(/:\d+\//, `:${proxy.port}/`);
    const row = await chaos(
      "PostgreSQL, commit()",
      times,
      nodes("commit", url),
      () => pid,
      async () => {
        const effects = await sql`select id, name from payments`;
        return effects.map(({ id, name }) => ({ id: Number(id), name }));
      },
    );
    await sql.end();
    proxy.close();
    return row;
  });
}

/** Redis has the effect, too: a count of each name. */
function redis(times) {
  return withRedis(async (own, pid) => {
    if (own === undefined) return undefined;
    const { createClient } = await import("@redis/client");
    const client = await createClient({ url: own }).connect();
    const proxy = await delaying(Number(new URL(own).port));
    const url = `redis://127.0.0.1:${proxy.port}`;
    const row = await chaos(
      "Redis",
      times,
      nodes("redis", url),
      () => pid,
      async (keys) => {
        const counts = await Promise.all(keys.map((name) => client.get(`payments:${name}`)));
        return keys.flatMap((name, at) =>
          Array.from({ length: Number(counts[at]) }, (_, id) => ({ id: id + 1, name })),
        );
      },
    );
    await client.close();
    proxy.close();
    return row;
  });
}

function nodes(kind, url) {
  return Array.from({ length: processes }, () => (port) => {
    const stdio = ["ignore", "pipe", "pipe", "ipc"];
    return fork(join(here, "server.js"), [kind, url, String(port)], { execArgv: [], stdio });
  });
}

/** One process has the Worker and all objects, on disk. */
async function objects(times) {
  install(runtimes, "the runtimes");
  const { build } = await import("esbuild");
  const folder = mkdtempSync(join(tmpdir(), "fingerpost-chaos-"));
  try {
    mkdirSync(join(folder, "storage"));
    const shared = { bundle: true, format: "esm", target: "es2022", logLevel: "error" };
    await build({ ...shared, entryPoints: [join(here, "worker.js")], outfile: join(folder, "worker.js") });
    const config = readFileSync(join(here, "worker.capnp"), "utf8").replace("STORAGE", join(folder, "storage"));
    let child;
    let listensOn;
    const start = (port) => {
      listensOn = port;
      const file = join(folder, "worker.capnp");
      writeFileSync(file, config.replace("PORT", String(port)));
      const stdio = ["ignore", "pipe", "pipe"];
      child = spawn(join(runtimes, "node_modules/workerd/bin/workerd"), ["serve", file], { stdio });
      return child;
    };
    return await chaos(
      "Durable Objects",
      times,
      [start],
      () => child.pid,
      async () => {
        const answer = await fetch(`http://127.0.0.1:${listensOn}/`);
        return answer.json();
      },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Has clients pay while processes are killed so often, and returns a row of the table. */
async function chaos(name, times, starts, pidOf, effectsOf) {
  const begun = Date.now();
  const doomed = await Promise.all(
    starts.map(async (start) => {
      const port = await freePort();
      return Object.assign(new Doomed(() => start(port), port), { port });
    }),
  );
  await Promise.all(doomed.map((one) => one.begin()));
  const ports = doomed.map(({ port }) => port);
  const payers = new Clients(ports);
  const count = () => doomed.reduce((sum, one) => sum + one.kills, 0);
  const isOver = () => count() >= times;
  const paying = payers.run(clients, isOver);
  const [stops] = await Promise.all([stopping(pidOf, isOver), ...doomed.map((one) => one.run(isOver))]);
  await paying;

  const keys = [...payers.answers.keys()];
  const isCommitted = name.endsWith("commit()");
  const tally = { lost: 0, doubled: 0, wrong: 0 };
  for (const key of keys.toSorted(() => Math.random() - 0.5).slice(0, repeats)) {
    const again = await payers.paid(key);
    // Without commit(), an answer that could not be kept is another one the next time.
    if (isCommitted && again !== payers.answers.get(key)) tally.wrong++;
  }
  const ids = new Map(keys.map((key) => [key, []]));
  for (const { id, name: key } of await effectsOf(keys)) ids.get(key).push(id);
  for (const [key, own] of ids) {
    if (own.length === 0) tally.lost++;
    else if (!own.includes(JSON.parse(payers.answers.get(key)).id)) tally.wrong++;
    if (own.length > 1) tally.doubled++;
  }
  await Promise.all(doomed.map((one) => one.end()));

  const { broken, hanging, refused, failed } = payers.tries;
  const tries = `${broken} tries were broken off, ${refused} were 409 or 503, ${failed} were 500`;
  console.log(`\n${name}: ${Math.round((Date.now() - begun) / 1000)} s; ${tries}`);
  const logged = new Map();
  for (const [line, often] of doomed.flatMap(({ lines }) => [...lines]))
    logged.set(line, (logged.get(line) ?? 0) + often);
  const most = [...logged].toSorted(([, one], [, other]) => other - one);
  for (const [line, often] of most.slice(0, 10)) console.log(`  ${often} times: ${line}`);
  if (tally.lost + tally.wrong + hanging + (isCommitted ? tally.doubled : 0) > 0) process.exitCode = 1;
  const effects = [...ids.values()].flat().length;
  const row = {
    store: name,
    kills: count(),
    stops,
    keys: keys.length,
    effects,
    ...tally,
    hanging,
    lines: most.reduce((sum, [, often]) => sum + often, 0),
  };
  console.log(JSON.stringify(row));
  return row;
}
