import { fork, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../support/sockets.ts";

// Set by scripts/check/redis-tests.js where there is a server. This test kills one of its own.
const hasRedis = process.env["REDIS_URL"] !== undefined;
const requests = Number(process.env["SESSION_REQUESTS"] ?? 2_000);
const command = ["redis", "valkey"].find((name) => spawnSync(`${name}-server`, ["--version"]).status === 0);

/** An answer, or null if it is not known whether there was one. */
type Answer = { readonly status: number; readonly data: Data | null } | null;

interface Data {
  readonly user: string;
  readonly count: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 40 });

/** A browser of one user. */
class Browser {
  cookie: string | null = null;

  async ask(port: number, method: string, path = "/session"): Promise<Answer> {
    const headers = this.cookie === null ? {} : { cookie: this.cookie };
    try {
      const [response] = await once(
        request({ host: "127.0.0.1", port, path, method, headers, agent }).end(),
        "response",
      );
      const content = await text(response);
      const [line] = (response.headers["set-cookie"] as string[] | undefined) ?? [];
      if (line !== undefined) this.cookie = line.split(";")[0]!;
      return { status: response.statusCode, data: response.statusCode === 200 ? (JSON.parse(content) as Data) : null };
    } catch {
      return null;
    }
  }
}

describe.skipIf(!hasRedis)(
  "sessions of two processes (run by scripts/check/redis-tests.js)",
  { timeout: 3_600_000 },
  () => {
    let folder: string;
    let redis: ChildProcess;
    let port: string;
    const servers: { readonly child: ChildProcess; readonly port: number }[] = [];

    async function startRedis(): Promise<void> {
      const keeping = ["--appendonly", "yes", "--appendfsync", "always", "--save", ""];
      redis = spawn(`${command}-server`, ["--port", port, "--bind", "127.0.0.1", "--dir", folder, ...keeping], {
        stdio: "ignore",
      });
      for (let tries = 0; spawnSync(`${command}-cli`, ["-p", port, "ping"]).status !== 0; tries++) {
        if (tries === 100) throw new Error("the server does not answer");
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "fingerpost-sessions-"));
      port = await freePort();
      await startRedis();
      for (const _ of [1, 2]) {
        const file = fileURLToPath(new URL("../support/sessions-server.js", import.meta.url));
        const child = fork(file, [`redis://127.0.0.1:${port}`], { execArgv: [] });
        const [own] = (await once(child, "message")) as [number];
        servers.push({ child, port: own });
      }
    }, 60_000);
    afterAll(async () => {
      agent.destroy();
      for (const { child } of servers) child.kill();
      const ended = once(redis, "exit");
      redis.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true });
    });

    const anyPort = (): number => servers[Math.floor(Math.random() * 2)]!.port;

    it("C13.2 loses no update where two processes change one session at once", async () => {
      const browser = new Browser();
      await browser.ask(servers[0]!.port, "POST", "/session/ada");
      const answers: Answer[] = [];
      for (let round = 0; round < 20; round++) {
        const all = Array.from({ length: 6 }, (_, at) => browser.ask(servers[at % 2]!.port, "PATCH"));
        answers.push(...(await Promise.all(all)));
      }
      const done = answers.filter((answer) => answer?.status === 200).map((answer) => answer!.data!.count);
      expect(answers.filter((answer) => answer?.status !== 200 && answer?.status !== 503)).toEqual([]);
      expect(new Set(done).size).toBe(done.length);
      expect((await browser.ask(anyPort(), "GET"))?.data).toEqual({ user: "ada", count: done.length });
      expect(done.length).toBeGreaterThan(60);
    });

    it(`C13.1 has nobody be somebody else, and loses nothing silently: ${requests} requests`, async () => {
      const counts = { left: requests, unavailable: 0, rotations: 0 };
      const faults: unknown[] = [];

      async function use(user: string): Promise<void> {
        const browser = new Browser();
        // What is known of the counter: changes without an answer may have had their effect.
        let [least, most, mayHaveEnded] = [0, 0, true];
        while (faults.length === 0) {
          if (counts.left-- <= 0) return;
          const roll = Math.random();
          const method = browser.cookie === null ? "POST" : roll < 0.5 ? "GET" : roll < 0.9 ? "PATCH" : "PUT";
          const before = browser.cookie;
          const answer = await browser.ask(anyPort(), method, method === "POST" ? `/session/${user}` : undefined);
          if (answer === null || answer.status === 503) {
            counts.unavailable += 1;
            if (method === "PATCH") most += 1;
            // The old session may be gone, and the cookie of the new one did not arrive. The user was told.
            if (method === "PUT" || method === "POST") mayHaveEnded = true;
            await new Promise((resolve) => setTimeout(resolve, 20));
            continue;
          }
          if (mayHaveEnded && method !== "POST" && (answer.status === 403 || answer.data === null)) {
            browser.cookie = null;
            [least, most] = [0, 0];
            continue;
          }
          const changed = method === "PATCH" ? 1 : 0;
          const { user: name, count } = answer.data ?? { user: "nobody", count: -1 };
          if (answer.status !== 200 || name !== user || count < least + changed || count > most + changed) {
            faults.push({ user, method, least, most, answer });
            return;
          }
          [least, most, mayHaveEnded] = [count, count, false];
          if (method !== "PUT") continue;
          counts.rotations += 1;
          const thief = new Browser();
          thief.cookie = before;
          const replay = await thief.ask(anyPort(), "GET");
          if (replay?.status === 200 && replay.data !== null) faults.push({ user, replay });
        }
      }

      const users = Promise.all(Array.from({ length: 20 }, (_, at) => use(`user-${at}`)));
      while (counts.left > requests / 2 && faults.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      const ended = once(redis, "exit");
      redis.kill("SIGKILL");
      await ended;
      await new Promise((resolve) => setTimeout(resolve, 100));
      await startRedis();
      await users;
      expect(faults).toEqual([]);
      expect(counts.unavailable).toBeGreaterThan(0);
      expect(counts.unavailable).toBeLessThan(requests / 2);
      expect(counts.rotations).toBeGreaterThan(requests / 50);
    });
  },
);
