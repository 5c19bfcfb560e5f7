// WebSockets of each runtime: handshakes, messages, ends and limits, asked by the package ws and by frames as they are.
import assert from "node:assert/strict";
import { once } from "node:events";
import { WebSocket } from "ws";
import { frameCases, frameDepartures } from "../../cases/frames.ts";
import { handshakeCases, handshakeDepartures } from "../../cases/handshakes.ts";
import { expectedBy, ownAmong } from "../../cases/own-fields.ts";
import { converse } from "../../support/frames.ts";
import { shakeHands } from "../../support/handshakes.ts";
import type { Server } from "../driver/servers.ts";
import { connected as connectedTo, type Client } from "./client.ts";
import { fieldOf, seen, sees, textOf, until, type Asker, type Question } from "./question.ts";

const guarded = { Authorization: "Bearer k7" };
const asking = {
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
};

const isNot =
  (...kinds: Server["kind"][]) =>
  ({ kind }: Server): boolean =>
    !kinds.includes(kind);

const connected = (
  asker: Asker,
  path: string,
  protocols: string[] = [],
  fields: Readonly<Record<string, string>> = {},
): Promise<Client> => connectedTo(asker, path, protocols, { ...guarded, ...fields });

/** Deno leaves while the client still sends: that may not see the close frame. */
async function closedWhileSending({ server }: Asker, { closed }: Client, reason: string): Promise<void> {
  const end = await closed;
  if (server.kind !== "deno" || end[0] !== 1006) assert.deepEqual(end, [1008, reason]);
}

/** Handshakes that are refused: by whom, and how. */
const refusals: Readonly<
  Record<string, readonly [status: number, target: string, fields: Readonly<Record<string, string>>]>
> = {
  "a guard": [401, "/rooms/a", asking],
  "the handler": [404, "/rooms/none", { ...guarded, ...asking }],
  "a path without a resource": [404, "/nowhere", { ...guarded, ...asking }],
  "a GET that is none": [426, "/rooms/a", guarded],
  "another version": [426, "/rooms/a", { ...guarded, ...asking, "Sec-WebSocket-Version": "8" }],
  "a malformed key": [400, "/rooms/a", { ...guarded, ...asking, "Sec-WebSocket-Key": "short" }],
  "a page of another origin": [403, "/rooms/a", { ...guarded, ...asking, Origin: "https://evil.example" }],
  "a page without an origin": [403, "/rooms/a", { ...guarded, ...asking, Origin: "null" }],
};

const questions: readonly Question[] = [
  {
    name: "C20.1 own fields of 101 arrive",
    async ask({ server }) {
      const socket = new WebSocket(`ws://127.0.0.1:${server.port}/marked`);
      const [{ headers }] = (await once(socket, "upgrade")) as [{ headers: Record<string, string | string[]> }];
      socket.on("error", () => {}).terminate();
      const lines = Object.entries(headers).flatMap(([name, value]) =>
        [value].flat().map((one) => [name, one] as const),
      );
      assert.deepEqual(ownAmong(lines), expectedBy(["middleware"]));
    },
  },
  ...Object.entries(refusals).map(([name, [status, target, fields]]): Question => ({
    name: `C20.1 a handshake is refused: ${name}`,
    async ask(asker) {
      const reply = await asker.ask({ target, fields });
      assert.equal(reply.status, status, textOf(reply));
      // Workers sends no fields of a connection.
      if (status !== 426 || asker.server.kind === "workerd") return;
      assert.equal(fieldOf(reply, "upgrade"), "websocket");
      assert.equal(fieldOf(reply, "sec-websocket-version"), name === "another version" ? "13" : undefined);
    },
  })),
  {
    name: "C20.1 a handshake with content is refused",
    async ask(asker) {
      const reply = await asker.ask({ target: "/rooms/a", fields: { ...guarded, ...asking }, content: "x" });
      assert.equal(reply.status, 400);
    },
  },
  {
    name: "C20.1 HEAD is 426, and GET is the other answer where there is one",
    async ask(asker) {
      const head = await asker.ask({ method: "HEAD", target: "/rooms/a", fields: guarded });
      assert.equal(head.status, 426);
      assert.equal(textOf(await asker.ask("/both")), "plain");
      const client = await connected(asker, "/both");
      client.socket.close(1000);
      await client.closed;
    },
  },
  {
    name: "C20.1 pages of the host, and of origins that are named, connect",
    async ask(asker) {
      for (const origin of [`http://127.0.0.1:${asker.server.port}`, "https://friend.example"]) {
        const client = await connected(asker, "/rooms/origin", [], { Origin: origin });
        client.socket.close(1000);
        await client.closed;
      }
      await sees(asker, ["aborted", [1000, ""], "aborted", [1000, ""]]);
    },
  },
  {
    name: "C20.1 both agree on a subprotocol, the server's first, or on none",
    async ask(asker) {
      for (const [offered, agreed] of [
        [["v1", "v2"], "v2"],
        [["v1"], "v1"],
        [[], ""],
      ] as const) {
        const client = await connected(asker, "/rooms/protocol", [...offered]);
        assert.equal(client.socket.protocol, agreed);
        client.socket.send(JSON.stringify({ text: "x" }));
        await until(async () => client.got.length === 1);
        assert.deepEqual(client.got, [JSON.stringify({ from: agreed, text: "x" })]);
        client.socket.close(1000);
        await client.closed;
      }
    },
  },
  {
    name: "C20.2 messages are checked both ways, and C20.6 reach the peers of their topic",
    // Workers lets a request write to its own connections only, but for those of a Durable Object.
    isFor: ({ name }) => name !== "workerd sockets",
    async ask(asker) {
      const [one, two, other] = await Promise.all([
        connected(asker, "/rooms/all"),
        connected(asker, "/rooms/all"),
        connected(asker, "/rooms/other"),
      ]);
      one.socket.send(JSON.stringify({ text: "hi", more: 1 }));
      await until(async () => one.got.length === 1 && two.got.length === 1);
      assert.equal((await asker.ask({ method: "POST", target: "/log" })).status, 204);
      await until(async () => one.got.length === 2 && two.got.length === 2);
      const messages = ['{"from":"","text":"hi"}', '{"from":"app","text":"news"}'];
      assert.deepEqual([one.got, two.got, other.got], [messages, messages, []]);
      two.socket.send(JSON.stringify({ text: "leave" }));
      two.socket.send(JSON.stringify({ text: "again" }));
      await until(async () => one.got.length === 3);
      await asker.ask({ method: "POST", target: "/log" });
      await until(async () => one.got.length === 4);
      assert.equal(two.got.length, 3);
      for (const { socket, closed } of [one, two, other]) {
        socket.close(1000);
        await closed;
      }
    },
  },
  {
    name: "C20.2 text and bytes arrive as they were sent",
    async ask(asker) {
      const strings = await connected(asker, "/text/echo");
      for (const text of ["", "κόσμε \u{1F600}", "x".repeat(65_536)]) strings.socket.send(text);
      await until(async () => strings.got.length === 3);
      assert.deepEqual(strings.got, ["", "κόσμε \u{1F600}", "x".repeat(65_536)]);
      const binary = await connected(asker, "/bytes");
      for (const length of [0, 1, 300_000]) binary.socket.send(new Uint8Array(length).fill(7));
      await until(async () => binary.got.length === 3);
      assert.deepEqual(
        binary.got.map(({ length }) => length),
        [0, 1, 300_000],
      );
      for (const { socket, closed } of [strings, binary]) {
        socket.close(1000);
        await closed;
      }
      await sees(asker, [1000]);
    },
  },
  ...(
    [
      ["does not fit", 1008, /^#\/text: /, "/rooms/a", '{"text":"too long"}'],
      ["is not JSON", 1008, /^#: Expected JSON$/, "/rooms/a", "{"],
      ["is binary in place of text", 1003, /^Messages are text$/, "/rooms/a", Buffer.from("{}")],
      ["is text in place of binary", 1003, /^Messages are binary$/, "/bytes", "x"],
      ["is too long", 1009, /./, "/few", "x".repeat(11)],
      ["is longer than any", 1009, /|/, "/few", "x".repeat(20_000_000)],
      ["makes a handler throw", 1011, /^$/, "/rooms/a", '{"text":"fail"}'],
    ] as const
  ).map(([name, code, reason, path, sent]): Question => ({
    name: `C20.2 a message that ${name} closes with ${code}`,
    async ask(asker) {
      const client = await connected(asker, path);
      client.socket.send(sent);
      const [closedWith, why] = await client.closed;
      // A limit of the server itself may cut the connection while the client still sends.
      if (sent.length < 1_000 || closedWith !== 1006) assert.equal(closedWith, code);
      if (sent.length < 1_000 && asker.server.kind !== "node") assert.match(why, reason);
      await new Promise((resolve) => setTimeout(resolve, 50));
      const log = await seen(asker);
      assert.deepEqual(
        log.filter((one) => one === "secret"),
        name === "makes a handler throw" ? ["secret"] : [],
      );
    },
  })),
  {
    name: "C20.2 more messages a second than declared close with 1008",
    async ask(asker) {
      const client = await connected(asker, "/few");
      // Within a second, or the one after it.
      for (let at = 0; at < 11; at++) client.socket.send("x");
      await closedWhileSending(asker, client, "More than 5 messages a second");
    },
  },
  {
    name: "C20.3 messages are handled in order, one at a time",
    async ask(asker) {
      const client = await connected(asker, "/text/slow");
      for (const text of ["0", "1", "2"]) client.socket.send(text);
      await until(async () => client.got.length === 3);
      assert.deepEqual(client.got, ["0", "1", "2"]);
      client.socket.close(1000);
      await client.closed;
      await sees(asker, [1000]);
    },
  },
  {
    name: "C20.3 a client that is faster than its handler is held back, or closed with 1008",
    async ask(asker) {
      const client = await connected(asker, "/text/stuck");
      for (let at = 0; at < 1_100; at++) client.socket.send("x");
      if (asker.server.kind === "node") {
        await new Promise((resolve) => setTimeout(resolve, 100));
        assert.equal(client.socket.readyState, WebSocket.OPEN);
        client.socket.terminate();
        return;
      }
      await closedWhileSending(asker, client, "Messages come faster than they are handled");
    },
  },
  {
    name: "C20.4 a client that reads slowly gets all, from a handler that waits",
    isFor: isNot("workerd"),
    async ask(asker) {
      const client = await connected(asker, "/text/flood");
      client.socket.send("wait");
      for (let pauses = 0; pauses < 5; pauses++) {
        client.socket.pause();
        await new Promise((resolve) => setTimeout(resolve, 20));
        client.socket.resume();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      await until(async () => client.got.length === 256);
      client.socket.close(1000);
      await client.closed;
      await sees(asker, ["flooded", 1000]);
    },
  },
  {
    name: "C20.4 a client that reads gets messages up to 16 MiB, and what follows them at once",
    async ask(asker) {
      const client = await connected(asker, "/text/long");
      for (const length of [4_194_304, 8_388_608, 16_777_216]) {
        client.got.length = 0;
        client.socket.send(String(length));
        await until(async () => client.got.length === 11);
        assert.deepEqual([(client.got[0] as string).length, client.got.slice(1)], [length, Array(10).fill("more")]);
      }
      client.got.length = 0;
      client.socket.send("16777217");
      await until(async () => client.got.length === 1);
      assert.deepEqual(client.got, [
        "RangeError: Cannot send a message: it has more than 16777216 bytes; send it in parts",
      ]);
      client.socket.close(1000);
      await client.closed;
      await sees(asker, [1000]);
    },
  },
  {
    name: "C20.4 a client that does not read is given up",
    isFor: isNot("workerd"),
    async ask(asker) {
      const client = await connected(asker, "/text/flood");
      client.socket.pause();
      client.socket.send("at once");
      const all: unknown[] = [];
      await until(async () => {
        all.push(...(await seen(asker)));
        return all.length >= 2;
      });
      assert.deepEqual(all[0], "flooded");
      client.socket.terminate();
    },
  },
  {
    name: "C20.4 a client that does not read a topic is given up, and the others get all",
    isFor: isNot("workerd"),
    async ask(asker) {
      const paths = [...Array(4).fill("/text/join"), "/text/spread"];
      const clients = await Promise.all(paths.map((path) => connected(asker, path)));
      const [slow, ...others] = clients as [Client, ...Client[]];
      for (const { socket } of clients.slice(0, 4)) socket.send("x");
      // Each has joined before something is published.
      await new Promise((resolve) => setTimeout(resolve, 50));
      slow.socket.pause();
      const speaker = others.pop()!;
      speaker.socket.send("x");
      const all: unknown[] = [];
      await until(async () => {
        all.push(...(await seen(asker)));
        return all.length >= 2 && others.every(({ got }) => got.length === 256);
      });
      assert.deepEqual(new Set(all), new Set(["spread", 1013]));
      slow.socket.terminate();
      for (const { socket, closed } of [...others, speaker]) {
        socket.close(1000);
        await closed;
      }
    },
  },
  {
    name: "C20.4 a client that does not answer pings is gone",
    isFor: isNot("deno", "workerd"),
    async ask(asker) {
      const wire = asker.wire();
      const fields = Object.entries({ Host: "h", ...guarded, ...asking }).map((field) => field.join(": "));
      wire.send(`GET /rooms/idle HTTP/1.1\r\n${fields.join("\r\n")}\r\n\r\n`);
      const { isOver } = await wire.rest(5_000);
      assert(isOver);
      await sees(asker, ["aborted", [1006, ""]]);
      const alive = await connected(asker, "/rooms/idle");
      await new Promise((resolve) => setTimeout(resolve, 2_400));
      assert.equal(alive.socket.readyState, WebSocket.OPEN);
      alive.socket.close(1000);
      await alive.closed;
      await sees(asker, ["aborted", [1000, ""]]);
    },
  },
  {
    name: "C20.2 the end is told with its code and reason, both ways",
    async ask(asker) {
      for (const [code, reason] of [
        [1000, "bye"],
        [3000, ""],
        [4999, "€".repeat(41)],
      ] as const) {
        const client = await connected(asker, "/rooms/a");
        client.socket.close(code, reason);
        await client.closed;
        await sees(asker, ["aborted", [code, reason]]);
      }
      for (const [code, reason] of [
        [1000, ""],
        [1001, "later"],
        [1013, "x"],
        [4000, "€".repeat(100)],
      ] as const) {
        const client = await connected(asker, "/text/close");
        client.socket.send(`${code}${reason}`);
        assert.deepEqual(await client.closed, [code, reason.slice(0, 41)]);
        await sees(asker, [code]);
      }
    },
  },
  {
    name: "C20.12 close() is told 1005 of a close frame without a code, and the code that the server closed with",
    async ask(asker) {
      const silent = await connected(asker, "/rooms/a");
      silent.socket.close();
      await silent.closed;
      await sees(asker, ["aborted", [1005, ""]]);
      const unfit = await connected(asker, "/rooms/a");
      unfit.socket.send(Buffer.from("{}"));
      await unfit.closed;
      await sees(asker, ["aborted", [1003, "Messages are text"]]);
      const long = await connected(asker, "/text/echo");
      long.socket.send("x".repeat(100_001));
      await long.closed;
      await sees(asker, [1009]);
    },
  },
  {
    name: "C20.4 a client that leaves without a close frame is 1006",
    async ask(asker) {
      const client = await connected(asker, "/rooms/a");
      client.socket.terminate();
      await sees(asker, ["aborted", [1006, ""]]);
    },
  },
  {
    name: "C20.11 a connection is closed at its date",
    async ask(asker) {
      assert.deepEqual(await (await connected(asker, "/rooms/late")).closed, [1008, "The time is over"]);
    },
  },
  {
    name: "C20.8 connect() of the client speaks to it from the runtime",
    async ask(asker) {
      const reply = await asker.ask(`/caller/${asker.server.port}`);
      assert.equal(reply.status, 200, textOf(reply));
      assert.deepEqual(JSON.parse(textOf(reply)), {
        value: "Hello",
        octets: [1, 2],
        closed: { code: 4000, reason: "enough" },
        refused: 401,
      });
    },
  },
  {
    name: `C20.1 ${handshakeCases.length} handshakes, as RFC 6455 wants them answered`,
    async ask(asker) {
      const { port, kind } = asker.server;
      const departures: string[] = [];
      for (const one of handshakeCases) {
        const [, known] = handshakeDepartures[kind]?.find(([name]) => name.test(one.name)) ?? [];
        const more = [`Authorization: ${guarded.Authorization}`];
        const { status, protocol } = await shakeHands(port, "/rooms/a", one, more);
        if (status === known) continue;
        if (status !== one.status || protocol !== one.protocol)
          departures.push(`${one.name}: ${status} ${protocol}, not ${one.status} ${one.protocol}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
      await seen(asker);
      assert.deepEqual(departures, []);
    },
  },
  {
    name: "C20.10 app.connect() connects in memory",
    async ask(asker) {
      assert.equal(textOf(await asker.ask("/in-memory")), "Hello");
      await sees(asker, [1000]);
    },
  },
  {
    name: `${frameCases.length} kinds of frames, as RFC 6455 wants them answered`,
    // A Durable Object is told of an end before messages that came at once with it.
    isFor: ({ name }) => name !== "workerd sockets-object",
    async ask(asker) {
      const departures: string[] = [];
      const waiting = [...frameCases];
      const work = async (): Promise<void> => {
        for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
          const path = one.kind === "text" ? "/text/echo" : "/bytes";
          const { port, kind } = asker.server;
          // Workers compress by themselves.
          const extensions = kind === "workerd" ? null : "permessage-deflate";
          const isAsKnown = frameDepartures[kind]?.test(one.name) === true;
          const options = { extensions, patienceMs: isAsKnown ? 500 : 15_000 };
          const heard = await converse(port, path, one.sent, options).catch(String);
          const { messages, pongs } = one;
          const { close } = typeof heard === "string" ? { close: NaN } : heard;
          const isRight = one.closes.includes(close);
          const text = JSON.stringify(heard);
          if (!isAsKnown && (!isRight || text !== JSON.stringify({ messages, pongs, close })))
            departures.push(`${one.name}: ${text.slice(0, 200)}`);
        }
      };
      await Promise.all(Array.from({ length: 8 }, work));
      await seen(asker);
      assert.deepEqual(departures, []);
    },
  },
  // The last one: nobody can connect any more.
  {
    name: "C20.5 closeSockets() closes with 1001, cuts who does not answer, and refuses handshakes by 503",
    isFor: ({ name }) => name !== "workerd sockets",
    async ask(asker) {
      const peers = await Promise.all([connected(asker, "/rooms/a"), connected(asker, "/text/stuck")]);
      const mute = asker.wire();
      const fields = Object.entries({ Host: "h", ...guarded, ...asking }).map((field) => field.join(": "));
      mute.send(`GET /rooms/mute HTTP/1.1\r\n${fields.join("\r\n")}\r\n\r\n`);
      await once(mute.socket, "data");
      assert.equal((await asker.ask({ method: "POST", target: "/stop" })).status, 204);
      for (const { closed } of peers) assert.deepEqual(await closed, [1001, "The server stops"]);
      assert.equal((await asker.ask({ target: "/rooms/a", fields: { ...guarded, ...asking } })).status, 503);
      assert.equal(textOf(await asker.ask("/both")), "plain");
      // For the application, the one that does not answer is gone as well.
      const log = await seen(asker);
      assert.equal(log.filter((one) => one === "aborted").length, 2);
    },
  },
];

/** Each begins when the handlers have nothing more to say about the one before. */
export const sockets: readonly Question[] = questions.map((question) => ({
  ...question,
  async ask(asker) {
    do await new Promise((resolve) => setTimeout(resolve, 20));
    while ((await seen(asker)).length > 0);
    await question.ask(asker);
  },
}));
