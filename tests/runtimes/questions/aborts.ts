// Requests that are broken off at random points: nothing is left of them.
import assert from "node:assert/strict";
import { once } from "node:events";
import type { ClientHttp2Session } from "node:http2";
import type { Asker, Question } from "./question.ts";
import { textOf, until } from "./question.ts";

const requests = [
  "GET /hello/Ada HTTP/1.1\r\nHost: h\r\n\r\n",
  "GET /large/3000000 HTTP/1.1\r\nHost: h\r\n\r\n",
  "GET /drip HTTP/1.1\r\nHost: h\r\n\r\n",
  "GET /wait HTTP/1.1\r\nHost: h\r\n\r\n",
  "GET /fail/late HTTP/1.1\r\nHost: h\r\n\r\n",
  `POST /content HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n${"x".repeat(50_000)}`,
  "PUT /content HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: " +
    `chunked\r\n\r\n${`400\r\n${"x".repeat(1024)}\r\n`.repeat(100)}`,
  `POST /wait HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nhalf`,
];

const total = 1000;
const atOnce = 40;

export const aborts: readonly Question[] = [
  {
    name: `${total} requests that are broken off leave nothing behind`,
    async ask(asker) {
      const random = randomFrom(7);
      await breakOff(asker, 300, random);
      const before = await held(asker);
      await breakOff(asker, total, random);
      // Of sessions that are broken off, the http2 of Node keeps a socket now and then, whatever its listener does.
      const slack = asker.server.protocol === "http2" ? 50 : 2;
      await until(async () => asker.server.program.sockets <= before.sockets + slack);
      const after = await held(asker);
      const growth = after.heap - before.heap;
      assert(growth < 3_000_000, `the heap grew by ${growth} bytes`);
      assert(after.memory - before.memory < 100_000_000, `the process grew by ${after.memory - before.memory} bytes`);
      // What workerd calls uncaught is content that failed, as it was told to.
      assert.doesNotMatch(
        asker.server.program.output,
        asker.server.kind === "workerd" ? /unhandled/i : /unhandled|uncaught/i,
      );
      assert.equal(textOf(await asker.ask("/hello/Ada")), "Hello, Ada");
    },
  },
];

async function held(asker: Asker): Promise<{ heap: number; memory: number; sockets: number }> {
  // What was broken off last may take a moment to notice.
  await new Promise((resolve) => setTimeout(resolve, 300));
  await asker.ask("/state");
  const { heap } = JSON.parse(textOf(await asker.ask("/state"))) as { heap: number };
  return { heap, memory: asker.server.program.memory, sockets: asker.server.program.sockets };
}

async function breakOff(asker: Asker, count: number, random: (below: number) => number): Promise<void> {
  let left = count;
  const { protocol } = asker.server;
  const work = async (): Promise<void> => {
    while (left-- > 0)
      await (protocol === "http2" ? resetSome(asker, random, () => left-- > 0) : closeOne(asker, random));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

async function closeOne({ server }: Asker, random: (below: number) => number): Promise<void> {
  const socket = server.connect().on("error", () => {});
  const request = requests[random(requests.length)]!;
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write(request.slice(0, random(2) === 0 ? request.length : random(request.length)));
  if (random(2) === 0) socket.resume();
  await new Promise((resolve) => setTimeout(resolve, random(15)));
  if (server.protocol === "http" && random(2) === 0) socket.resetAndDestroy();
  else socket.destroy();
  await closed;
}

/** Resets a few streams of a session, then the session: of one that resets too many, Node takes leave itself. */
async function resetSome(asker: Asker, random: (below: number) => number, isNext: () => boolean): Promise<void> {
  const session = asker.newSession();
  await once(session, "connect");
  for (let i = 0; i < 5 && (i === 0 || isNext()); i++) await resetOne(session, random);
  session.destroy();
}

async function resetOne(session: ClientHttp2Session, random: (below: number) => number): Promise<void> {
  const [method, path] = requests[random(requests.length)]!.split(" ") as [string, string];
  const stream = session.request({ ":method": method, ":path": path }, { endStream: method === "GET" });
  const closed = new Promise((resolve) => stream.once("close", resolve));
  stream.on("error", () => {});
  if (method !== "GET") stream.write("x".repeat(random(50_000)));
  if (random(2) === 0) stream.resume();
  await new Promise((resolve) => setTimeout(resolve, random(15)));
  stream.close(random(2) === 0 ? 8 : 0);
  stream.destroy();
  await closed;
}

/** The same numbers in every run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >>> 8) % below;
  };
}
