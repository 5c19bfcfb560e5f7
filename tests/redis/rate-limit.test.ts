import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { ask, type Answer } from "../support/sockets.ts";

// Set by scripts/check/redis-tests.js, which starts a server where there is one.
const url = process.env["REDIS_URL"];
const keyPrefix = `fingerpost-${process.pid}-${Date.now()}`;

/** Starts a process that serves a limited resource, until the test ends; gives its port. */
async function startedProcess(prefix: string): Promise<{ readonly port: number; readonly child: ChildProcess }> {
  const file = fileURLToPath(new URL("./limited-server.js", import.meta.url));
  const child = fork(file, [url!, prefix], { execArgv: [] });
  onTestFinished(() => void child.kill());
  const [port] = await once(child, "message");
  return { port, child };
}

const remaining = ({ headers }: Answer): number => Number(/;r=(\d+);/.exec(String(headers["ratelimit"]))?.[1]);

describe.skipIf(url === undefined)("rateLimit() with a Redis server (run by scripts/check/redis-tests.js)", () => {
  it("RFC 6585 §4 has two processes share one limit", async () => {
    const [one, two] = await Promise.all([startedProcess(keyPrefix), startedProcess(keyPrefix)]);
    const answers = await Promise.all(Array.from({ length: 24 }, (_, at) => ask(at % 2 === 0 ? one.port : two.port)));
    const reached = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect([reached.length, refused.length]).toEqual([10, 14]);
    // Each point was given once, whichever process gave it.
    expect(reached.map(remaining).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(new Set(refused.map(remaining))).toEqual(new Set([0]));
    for (const { headers } of refused) {
      expect(headers["ratelimit-policy"]).toBe('"default";q=10;w=60');
      expect(Number(headers["retry-after"])).toBeGreaterThan(0);
      expect(Number(headers["retry-after"])).toBeLessThanOrEqual(60);
    }
  });

  it("has a process that starts later know the clients of others", async () => {
    const prefix = `${keyPrefix}-later`;
    const first = await startedProcess(prefix);
    expect(remaining(await ask(first.port))).toBe(9);
    first.child.kill();
    const second = await startedProcess(prefix);
    expect(remaining(await ask(second.port))).toBe(8);
  });
});
