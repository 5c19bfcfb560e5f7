import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { paid, pay, paymentsProcess, type PaymentsProcess } from "../support/payments.ts";

// Set by scripts/check/redis.js, which starts a server where there is one.
const url = process.env["REDIS_URL"];

describe.skipIf(url === undefined)("payments with Redis (run by scripts/check/redis.js)", () => {
  let servers: PaymentsProcess[] = [];
  beforeAll(async () => {
    servers = await Promise.all([paymentsProcess("redis", url!, "60000"), paymentsProcess("redis", url!, "60000")]);
  });
  afterAll(() => {
    for (const { child } of servers) child.kill();
  });

  it("C12.5 has 1,000 requests with one key at once, to two processes, pay once", { timeout: 120_000 }, async () => {
    const name = `thousand-${process.pid}-${Date.now()}`;
    const all = await Promise.all(Array.from({ length: 1_000 }, (_, at) => pay(servers[at % 2]!.port, name)));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([201, 409]));
    const answers = [...all.filter(({ status }) => status === 201), await paid(servers[0]!.port, name)];
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['{"id":1}']));
    expect(answers.filter(({ headers }) => headers["idempotent-replayed"] === undefined)).toHaveLength(1);
  });
});
