// What every example is asked.
import assert from "node:assert/strict";
import type { Host } from "../driver/hosts.ts";
import type { Outcome } from "../suite/registry.ts";

interface HostQuestion {
  readonly name: string;
  readonly isFor?: (host: Host) => boolean;
  readonly ask: (host: Host) => Promise<void>;
}

const hasRoutes = ({ name }: Host): boolean => name === "express" || name === "fastify" || name === "koa";
const isScaleOut = ({ name }: Host): boolean => name === "scale-out";

async function ask(
  { origin }: Host,
  path: string,
  init: RequestInit = {},
): Promise<readonly [number, string, Headers]> {
  const fields = { connection: "close", ...(init.headers as Record<string, string>) };
  const response = await fetch(origin + path, { ...init, headers: fields, signal: AbortSignal.timeout(3000) });
  return [response.status, await response.text(), response.headers];
}

const greetings: readonly HostQuestion[] = [
  {
    name: "a resource answers",
    async ask(host) {
      assert.deepEqual((await ask(host, "/hello/Ada")).slice(0, 2), [200, "Hello, Ada\n"]);
      assert.deepEqual((await ask(host, "/%68ello/%41da/?q=1")).slice(0, 2), [200, "Hello, Ada\n"]);
    },
  },
  {
    name: "content reaches a resource, whatever its type",
    async ask(host) {
      for (const type of ["text/plain", "application/json", "application/x-www-form-urlencoded"]) {
        const init = { method: "POST", body: `{"from":"${type}"}`, headers: { "content-type": type } };
        const [status, , headers] = await ask(host, "/guestbook", init);
        assert.deepEqual([status, headers.get("location")], [201, "/guestbook"]);
      }
      const [, entries] = await ask(host, "/guestbook");
      assert.equal(JSON.parse(entries).length, 3);
      assert.match(entries, /urlencoded/);
    },
  },
  {
    name: "refusals are told",
    async ask(host) {
      const [status, content, headers] = await ask(host, "/guestbook", { method: "DELETE" });
      assert.deepEqual([status, headers.get("content-type")], [501, "application/problem+json"]);
      assert.deepEqual(JSON.parse(content), { title: "Not Implemented", status: 501 });
      // Fastify refuses this one itself.
      assert.equal((await ask(host, "/hello/%ff"))[0], 400);
    },
  },
  {
    name: "HEAD is not GET",
    ask: async (host) => assert.equal((await ask(host, "/hello/Ada", { method: "HEAD" }))[0], 501),
  },
  { name: "404", ask: async (host) => assert.equal((await ask(host, "/nowhere"))[0], 404) },
  {
    name: "the host answers on its own paths",
    isFor: hasRoutes,
    ask: async (host) => assert.match((await ask(host, `/${host.name}`))[1], /^\w+ itself\n$/),
  },
];

const scaleOut: readonly HostQuestion[] = [
  {
    name: "several processes answer at one port, and one that dies is replaced",
    async ask(host) {
      const seen = new Set<string>();
      const one = async (): Promise<string> => {
        const [status, , headers] = await ask(host, "/books/1");
        assert.equal(status, 200);
        return headers.get("x-process")!;
      };
      for (let i = 0; i < 50 && seen.size < 2; i++) seen.add(await one());
      assert.equal(seen.size, 2);
      process.kill(Number([...seen][0]), "SIGKILL");
      // What it was doing is lost.
      for (let i = 0; i < 200 && seen.size < 3; i++) seen.add(await one().catch(() => [...seen][0]!));
      assert.equal(seen.size, 3);
    },
  },
  {
    name: "it ends when it is told to",
    async ask(host) {
      assert.equal(await host.program.end("SIGTERM"), 0);
    },
  },
];

/** Asks an example the questions that are for it. */
export async function answersOfHost(host: Host): Promise<Outcome> {
  const outcome: Outcome = { passed: 0, skipped: 0, failed: [] };
  for (const { name, isFor, ask: put } of isScaleOut(host) ? scaleOut : greetings) {
    if (isFor?.(host) === false) continue;
    try {
      await put(host);
      outcome.passed++;
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      outcome.failed.push({ name: `${host.name}: ${name}`, error: `${text}\n${host.program.output.slice(-1000)}` });
    }
  }
  return outcome;
}
