import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { bundledProgram, DoomedProcess, paid, pay, paymentsProcess } from "../support/payments.ts";
import type { Kill, PaymentsProcess, Taken } from "../support/payments.ts";

// Set by scripts/check/postgres.js, which starts a server and installs what is needed.
const url = process.env["POSTGRES_URL"];
/** How many processes are killed: 100, or 2,000 by `npm run nightly`. */
const kills = Number(process.env["KILLS"] ?? 100);
/** The lease of a process that was killed has ended when the client comes back, a second later. */
const shortMs = "900";
/** How many payments a process takes at once. */
const together = 3;
/** How many processes are killed at once. */
const workers = 4;
/** How many processes' payments are repeated at once. */
const mostRepeated = 20;

const paying = ["before find", "after find", "before begin", "after begin", "handler", "before pay", "after pay"];
const asking = ["before ask for the transaction", "after ask for the transaction"];
const keeping = ["before keep", "after keep"];
/** The phases of a payment, in their order. */
const phasesOf = {
  commit: [...paying, ...asking, ...keeping, "committed", "answer"],
  keep: [...paying, "committed", ...keeping, "answer"],
};
type Kind = keyof typeof phasesOf;

interface Sql {
  (parts: TemplateStringsArray, ...values: unknown[]): Promise<Record<string, unknown>[]>;
  end(): Promise<unknown>;
}

describe.skipIf(url === undefined)("payments with PostgreSQL (run by scripts/check/postgres.js)", () => {
  let sql: Sql;
  let program: string;
  const folder = mkdtempSync(join(tmpdir(), "fingerpost-payments-"));

  beforeAll(async () => {
    const { resolve } = createRequire(import.meta.url);
    const module = (await import(/* @vite-ignore */ pathToFileURL(resolve("postgres")).href)) as {
      default: (url: string, options: object) => Sql;
    };
    sql = module.default(url!, { onnotice() {} });
    await sql`create table if not exists payments (id bigserial primary key, name text not null)`;
    const { postgresRecords } = await import("fingerpost/stores");
    await postgresRecords(sql as never).create();
    program = await bundledProgram(folder);
  }, 60_000);
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await sql.end();
  });

  const started = (kind: Kind, leaseMs: string): Promise<PaymentsProcess> => paymentsProcess(kind, url!, leaseMs);

  /** The ids of the effects of payments, by the names of those that begin so. */
  async function effectsOf(prefix: string): Promise<Map<string, number[]>> {
    const effects = new Map<string, number[]>();
    const rows = await sql`select id, name from payments where starts_with(name, ${prefix}) order by id`;
    for (const { id, name } of rows as { id: string; name: string }[]) {
      effects.set(name, [...(effects.get(name) ?? []), Number(id)]);
    }
    return effects;
  }

  it("C12.5 has 1,000 requests with one key at once, to two processes, pay once", { timeout: 120_000 }, async () => {
    const name = `thousand-${Date.now()}`;
    // With a lease that ends while a thousand statements wait for a connection, some would be 500, without an effect.
    const two = await Promise.all([started("commit", "60000"), started("commit", "60000")]);
    onTestFinished(() => two.forEach(({ child }) => child.kill()));
    const all = await Promise.all(Array.from({ length: 1_000 }, (_, at) => pay(two[at % 2]!.port, name)));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([201, 409]));
    const answers = [...all.filter(({ status }) => status === 201), await paid(two[0].port, name)];
    const ids = (await effectsOf(name)).get(name) ?? [];
    expect(ids).toHaveLength(1);
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set([JSON.stringify({ id: ids[0] })]));
    expect(answers.filter(({ headers }) => headers["idempotent-replayed"] === undefined)).toHaveLength(1);
  });

  /** Each phase in turn, of the first payment, the second and the third. Each fourth kill comes from outside. */
  function killOf(kind: Kind, at: number): Kill {
    const phases = phasesOf[kind];
    if (at % 4 === 3) return { phase: null, times: 1 + ((at * 7) % (2 * phases.length)) };
    const turn = at - Math.floor(at / 4);
    return { phase: phases[turn % phases.length]!, times: 1 + (Math.floor(turn / phases.length) % together) };
  }

  /** Kills processes that take payments, and repeats each payment elsewhere until it has its answer. */
  async function killed(kind: Kind, times: number): Promise<Killed> {
    const prefix = `${kind}-${Date.now()}-`;
    const { port, child } = await started(kind, shortMs);
    onTestFinished(() => void child.kill());
    const all: (Taken & { readonly id: number })[] = [];
    const repeating = new Set<Promise<void>>();
    let [begun, hits] = [0, 0];

    async function repeat({ name, answer, phase }: Taken): Promise<void> {
      const { status, text } = await paid(port, name);
      expect([name, status]).toEqual([name, 201]);
      // Where a slow machine let a lease end, the answer was an error, after which a client repeats as well.
      if (answer !== null && answer.status! < 500) expect([name, text]).toEqual([name, answer.text]);
      all.push({ name, answer, phase, id: (JSON.parse(text) as { id: number }).id });
    }

    async function work(): Promise<void> {
      // The next process starts while this one is killed.
      const start = () => DoomedProcess.start(program, [kind, url!, shortMs], killOf(kind, begun++));
      let next = start();
      while (hits < times) {
        // A process that answers everything before it is killed does not count. Nearly all count.
        expect(begun).toBeLessThan(times * 1.2 + 20);
        const doomed = await next;
        next = start();
        const own = Array.from({ length: together }, (_, at) => `${prefix}${begun}-${at}`);
        const taken = await doomed.take(own);
        if (taken.some(({ answer }) => answer === null)) hits += 1;
        const repeated = Promise.all(taken.map(repeat)).then(() => void repeating.delete(repeated));
        repeating.add(repeated);
        if (repeating.size >= mostRepeated) await Promise.race(repeating);
      }
      await (await next).take([]);
    }
    await Promise.all(Array.from({ length: workers }, work));
    await Promise.all(repeating);

    const effects = await effectsOf(prefix);
    const landed = new Map(phasesOf[kind].map((phase) => [phase, 0]));
    const often = new Map<number, Set<string>>();
    for (const { name, answer, phase, id } of all) {
      const ids = effects.get(name) ?? [];
      expect([name, ids]).toEqual([name, expect.arrayContaining([id])]);
      if (answer === null) landed.set(phase, (landed.get(phase) ?? 0) + 1);
      often.set(ids.length, (often.get(ids.length) ?? new Set()).add(answer === null ? phase : "answered"));
    }
    const phases = [...landed].map(([phase, count]) => `${phase} ${count}`).join(", ");
    console.log(`${kind}: ${hits} kills of ${begun - workers} processes with ${all.length} payments; ${phases}`);
    expect([...landed].filter(([, count]) => count === 0)).toEqual([]);
    return { payments: all.length, effects: [...effects.values()].flat().length, often };
  }

  it(`C12.5 pays once where processes are killed, with commit(): ${kills} times`, { timeout: 3_600_000 }, async () => {
    const { payments, effects, often } = await killed("commit", kills);
    expect([effects, [...often.keys()]]).toEqual([payments, [1]]);
  });

  it(
    "C12.5 pays at least once without commit(), and twice after a kill between effect and record",
    { timeout: 600_000 },
    async () => {
      const { often } = await killed("keep", Math.max(20, Math.ceil(kills / 10)));
      expect([...often.keys()].toSorted()).toEqual([1, 2]);
      // A transaction may be committed although its process did not hear of it.
      expect([...often.get(2)!].filter((phase) => !["after pay", "committed", "before keep"].includes(phase))).toEqual(
        [],
      );
      expect([...often.get(2)!]).toEqual(expect.arrayContaining(["committed", "before keep"]));
    },
  );
});

interface Killed {
  readonly payments: number;
  /** The effects of all payments. */
  readonly effects: number;
  /** In which phases payments were killed, by the number of their effects. */
  readonly often: ReadonlyMap<number, ReadonlySet<string>>;
}
