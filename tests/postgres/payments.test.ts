import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { paid, pay, paymentsProcess, type PaymentsProcess } from "../support/payments.ts";

// Set by scripts/check/postgres.js, which starts a server and installs what is needed.
const url = process.env["POSTGRES_URL"];
/** How often a process is killed: 100, or 2,000 by `npm run nightly`. */
const kills = Number(process.env["KILLS"] ?? 100);
/** The lease of a process that was killed ends soon. */
const shortMs = "400";

interface Sql {
  (parts: TemplateStringsArray, ...values: unknown[]): Promise<Record<string, unknown>[]>;
  end(): Promise<unknown>;
}

describe.skipIf(url === undefined)("payments with PostgreSQL (run by scripts/check/postgres.js)", () => {
  let sql: Sql;
  let servers: PaymentsProcess[] = [];
  beforeAll(async () => {
    const { resolve } = createRequire(import.meta.url);
    const module = (await import(/* @vite-ignore */ pathToFileURL(resolve("postgres")).href)) as {
      default: (url: string, options: object) => Sql;
    };
    sql = module.default(url!, { onnotice() {} });
    await sql`create table if not exists payments (id bigserial primary key, name text not null)`;
    const { postgresRecords } = await import("fingerpost/idempotency");
    await postgresRecords(sql as never).create();
    servers = await Promise.all(["commit", "keep"].map((kind) => paymentsProcess(kind, url!, shortMs)));
  }, 60_000);
  afterAll(async () => {
    for (const { child } of servers) child.kill();
    await sql.end();
  });

  const idsOf = async (name: string): Promise<number[]> => {
    const rows = await sql`select id from payments where name = ${name} order by id`;
    return rows.map(({ id }) => Number(id));
  };

  it("C12.5 has 1,000 requests with one key at once, to two processes, pay once", { timeout: 120_000 }, async () => {
    const name = `thousand-${Date.now()}`;
    // With a lease that ends while a thousand statements wait for a connection, some would be 500, without an effect.
    const two = await Promise.all([paymentsProcess("commit", url!, "60000"), paymentsProcess("commit", url!, "60000")]);
    onTestFinished(() => two.forEach(({ child }) => child.kill()));
    const all = await Promise.all(Array.from({ length: 1_000 }, (_, at) => pay(two[at % 2]!.port, name)));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([201, 409]));
    const answers = [...all.filter(({ status }) => status === 201), await paid(two[0]!.port, name)];
    const ids = await idsOf(name);
    expect(ids).toHaveLength(1);
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set([JSON.stringify({ id: ids[0] })]));
    expect(answers.filter(({ headers }) => headers["idempotent-replayed"] === undefined)).toHaveLength(1);
  });

  /** Kills a process at a step of a payment, and repeats the payment at another one. Returns how often it was paid. */
  async function effectsOf(kind: "commit" | "keep", step: number, name: string): Promise<number> {
    const { port, child } = await paymentsProcess(kind, url!, shortMs, String(step));
    const first = await pay(port, name).catch(() => null);
    child.kill("SIGKILL");
    const last = await paid(servers[kind === "commit" ? 0 : 1]!.port, name);
    const ids = await idsOf(name);
    expect(last.status).toBe(201);
    expect(ids).toContain((JSON.parse(last.text) as { id: number }).id);
    // A store that failed before the handler is 503: nothing has happened then.
    if (first !== null && first.status !== 503) expect(last.text).toBe(first.text);
    return ids.length;
  }

  /** Two processes at a time; there are fewer steps than are asked for: at the last ones nothing is killed. */
  async function countsOf(kind: "commit" | "keep", times: number, steps: number): Promise<Map<number, number>> {
    const counts = new Map<number, number>();
    const name = `${kind}-${Date.now()}`;
    let at = 0;
    const work = async (): Promise<void> => {
      for (let mine = at++; mine < times; mine = at++) {
        const effects = await effectsOf(kind, 1 + (mine % steps), `${name}-${mine}`);
        counts.set(effects, (counts.get(effects) ?? 0) + 1);
      }
    };
    await Promise.all([work(), work(), work()]);
    return counts;
  }

  it(`C12.5 pays once where processes are killed, with commit(): ${kills} times`, { timeout: 3_600_000 }, async () => {
    expect([...(await countsOf("commit", kills, 16))]).toEqual([[1, kills]]);
  });

  it(
    "C12.5 pays at least once without commit(), and twice after a kill between effect and record",
    { timeout: 600_000 },
    async () => {
      const times = Math.max(20, Math.ceil(kills / 5));
      const counts = await countsOf("keep", times, 10);
      const [once = 0, twice = 0] = [counts.get(1), counts.get(2)];
      expect([once + twice, twice > 0, once > twice]).toEqual([times, true, true]);
    },
  );
});
