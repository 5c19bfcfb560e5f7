import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { ask } from "../support/sockets.ts";

// Set by scripts/check/redis-tests.js, which starts a server where there is one.
const url = process.env["REDIS_URL"];
const file = fileURLToPath(new URL("../support/sessions-server.js", import.meta.url));

/** Starts a process that serves sessions and sockets until the test ends. Returns its port. */
async function startedProcess(key: string): Promise<number> {
  const child = fork(file, [url!, key], { execArgv: [] });
  onTestFinished(() => void child.kill());
  const [port] = (await once(child, "message")) as [number];
  return port;
}

describe.skipIf(url === undefined)("sockets of sessions with Redis (run by scripts/check/redis-tests.js)", () => {
  it("C20.11 are closed where another process ends the session, and no others", { timeout: 60_000 }, async () => {
    const key = `fingerpost-ended-${process.pid}-${Date.now()}`;
    const [here, there] = await Promise.all([startedProcess(key), startedProcess(key)]);
    const connect = async (user: string) => {
      const { headers } = await ask(here, { method: "POST", path: `/session/${user}` });
      const cookie = headers["set-cookie"]![0]!.split(";")[0]!;
      const client = new WebSocket(`ws://127.0.0.1:${here}/live`, { headers: { cookie } });
      onTestFinished(() => client.terminate());
      const closed = once(client, "close");
      await once(client, "message");
      return { cookie, client, closed };
    };
    const [ada, eve] = [await connect("ada"), await connect("eve")];
    await ask(there, { method: "DELETE", path: "/session", headers: { cookie: ada.cookie } });
    const [code, reason] = (await ada.closed) as [number, Buffer];
    expect([code, String(reason)]).toEqual([1008, "The session is over"]);
    expect(eve.client.readyState).toBe(WebSocket.OPEN);
    // A new id ends the one before.
    await ask(there, { method: "PUT", path: "/session", headers: { cookie: eve.cookie } });
    expect((await eve.closed)[0]).toBe(1008);
  });
});
