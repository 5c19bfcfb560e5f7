// Durable Objects whose instances are evicted while their WebSockets stay open: workerd does so after ten seconds.
import assert from "node:assert/strict";
import { connected, type Client } from "./client.ts";
import { seen, sees, textOf, until, type Asker, type Question } from "./question.ts";

/** The evictions are waited for once: these are opened before, and asked after. */
const peers = new Map<string, Client>();

async function open(
  asker: Asker,
  name: string,
  path: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const client = await connected(asker, path, ["v1"], { Authorization: `Bearer ${name}`, ...fields });
  await until(async () => client.got.length === 1);
  peers.set(name, client);
  return client;
}

function peer(name: string): Client {
  return peers.get(name)!;
}

function say(name: string, text: string): void {
  peer(name).socket.send(JSON.stringify({ text }));
}

/** What a peer got since the last time. */
async function heard(name: string, count: number): Promise<string[]> {
  const { got } = peer(name);
  await until(async () => got.length >= count);
  return got.splice(0).map((message) => (JSON.parse(String(message)) as { text: string }).text);
}

/** The number of the instance that answers a peer. */
async function instanceOf(name: string): Promise<number> {
  say(name, "who");
  const [said] = await heard(name, 1);
  return Number(/^(?:who|welcome) by (\d+)/.exec(said!)![1]);
}

const sleepMs = 11_500;
let before = 0;

export const hibernation: readonly Question[] = [
  {
    name: "C20.7 a handshake that is longer than 16 KiB is 431, and topics that are too many are an error",
    async ask(asker) {
      const fields = { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13" };
      const key = { "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", Authorization: "Bearer long" };
      const long = { ...fields, ...key, Cookie: `a=${"x".repeat(17_000)}` };
      const reply = await asker.ask({ target: "/rooms/long/a", fields: long });
      assert.equal(reply.status, 431, textOf(reply));
      const { closed } = await open(asker, "many", "/rooms/long/a");
      await seen(asker);
      say("many", "many");
      assert.deepEqual(await closed, [1011, ""]);
      await sees(asker, [
        'Cannot subscribe a peer of Room to "…": with its handshake and … topics it is more than the runtime keeps; ' +
          "subscribe to fewer",
        ["long", 1011, ""],
      ]);
    },
  },
  {
    name: "C20.7 an object is evicted while its peers are silent",
    async ask(asker) {
      await open(asker, "ada", "/rooms/one/all", { Cookie: `a=${"x".repeat(8_000)}` });
      await open(asker, "eve", "/rooms/one/all");
      await open(asker, "other", "/rooms/two/all");
      for (const name of ["json", "kind", "fail", "close", "bye", "gone", "stop"])
        await open(asker, name, `/rooms/${name}/all`);
      await open(asker, "revoked", "/rooms/three/all");
      await open(asker, "probe", "/rooms/probe/all");
      for (const { got } of peers.values()) got.length = 0;
      assert.equal((await asker.ask({ method: "PUT", target: "/revoked/revoked" })).status, 204);
      before = await instanceOf("probe");
      assert.equal(await instanceOf("probe"), before);
      do await new Promise((resolve) => setTimeout(resolve, sleepMs));
      while ((await instanceOf("probe")) === before);
      await seen(asker);
    },
  },
  {
    name:
      "C20.7 C20.6 messages of the application reach peers whose handlers sleep, of their object only, and wake " +
      "none",
    async ask(asker) {
      const published = { method: "POST", target: "/rooms/one/all", fields: { Authorization: "Bearer ada" } };
      assert.equal((await asker.ask(published)).status, 204);
      assert.deepEqual([await heard("ada", 1), await heard("eve", 1)], [["news"], ["news"]]);
      await sees(asker, []);
      assert.deepEqual(peer("other").got, []);
    },
  },
  {
    name: "C20.7 C20.3 messages are answered by the handlers of the new instance, in order",
    async ask(asker) {
      for (const text of ["slow", "two", "three"]) say("ada", text);
      const [first, ...rest] = await heard("ada", 3);
      const by = Number(/^slow by (\d+) v1$/.exec(first!)?.[1]);
      assert(by > before, first);
      assert.deepEqual(rest, [`two by ${by} v1`, `three by ${by} v1`]);
      // Their topic has survived, without a handler of its own.
      assert.deepEqual(await heard("eve", 3), ["slow to all", "two to all", "three to all"]);
      assert.deepEqual(peer("other").got, []);
      // One of both has repeated its handshake.
      await sees(asker, [["GET", "one"]]);
    },
  },
  {
    name: "C20.7 a guard that refuses the handshake now closes with 1008",
    async ask(asker) {
      say("revoked", "hi");
      assert.deepEqual(await peer("revoked").closed, [1008, "The handshake is refused now: 401"]);
      await sees(asker, []);
    },
  },
  ...(
    [
      ["json", "{", 1008, "#: Expected JSON"],
      ["kind", Buffer.from("{}"), 1003, "Messages are text"],
      ["fail", '{"text":"fail"}', 1011, ""],
      ["close", '{"text":"close"}', 4000, "enough"],
    ] as const
  ).map(([name, sent, code, reason]): Question => ({
    name: `C20.7 C20.2 after sleep, ${name} closes with ${code}`,
    async ask(asker) {
      peer(name).socket.send(sent);
      assert.deepEqual(await peer(name).closed, [code, reason]);
      await sees(asker, [["GET", name], ...(name === "fail" ? ["secret"] : []), [name, code, reason]]);
    },
  })),
  {
    name: "C20.7 the end of a connection is told to the handlers of the new instance",
    async ask(asker) {
      peer("bye").socket.close(3000, "bye");
      assert.deepEqual(await peer("bye").closed, [3000, "bye"]);
      await sees(asker, [
        ["GET", "bye"],
        ["bye", 3000, "bye"],
      ]);
      peer("gone").socket.terminate();
      await sees(asker, [
        ["GET", "gone"],
        ["gone", 1006, ""],
      ]);
    },
  },
  // Nobody can connect any more.
  {
    name: "C20.5 closeSockets() closes peers whose handlers sleep, and tells their end",
    async ask(asker) {
      const fields = { Authorization: "Bearer stop" };
      assert.equal((await asker.ask({ method: "DELETE", target: "/rooms/stop/all", fields })).status, 204);
      assert.deepEqual(await peer("stop").closed, [1001, "The server stops"]);
      await sees(asker, [
        ["GET", "stop"],
        ["stop", 1001, "The server stops"],
      ]);
      const handshake = { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13" };
      const key = { "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==" };
      const again = await asker.ask({ target: "/rooms/stop/all", fields: { ...fields, ...handshake, ...key } });
      assert.equal(again.status, 503);
    },
  },
  {
    name: "C20.7 publishing outside of an object is an error",
    async ask(asker) {
      assert.equal(
        textOf(await asker.ask("/outside")),
        "Cannot publish to Room here: no Durable Object of it runs; send a request to the object, and publish there",
      );
      for (const { socket } of peers.values()) socket.terminate();
    },
  },
];
