// What a feed that processes share must do, whatever they share it by.
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { expect, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { ask, begin, turn } from "./sockets.ts";

interface Process {
  readonly port: number;
  readonly child: ChildProcess;
}

/** Starts a process that serves the feed, until the test ends. */
async function startedProcess(file: string, args: readonly string[]): Promise<Process> {
  const child = fork(file, args, { execArgv: [] });
  onTestFinished(() => void child.kill());
  const failed = once(child, "exit").then(([code]) => {
    throw new Error(`the process exited with ${code as number}`);
  });
  failed.catch(() => {});
  const [port] = (await Promise.race([once(child, "message"), failed])) as [number];
  return { port, child };
}

interface Listener {
  readonly events: { readonly id: string; readonly data: unknown }[];
  readonly response: IncomingMessage;
}

async function listeningTo({ port }: Process, after?: string): Promise<Listener> {
  const headers = after === undefined ? {} : { "last-event-id": after };
  const [response] = (await once(begin(port, { path: "/feed", headers }).end(), "response")) as [IncomingMessage];
  onTestFinished(() => void response.destroy());
  const events: { id: string; data: unknown }[] = [];
  let rest = "";
  response.on("error", () => {});
  response.setEncoding("utf8").on("data", (text: string) => {
    const blocks = (rest + text).split("\n\n");
    rest = blocks.pop()!;
    for (const block of blocks) {
      const [, id, data] = /^id: (.+)\ndata: (.+)$/.exec(block) ?? [];
      if (id !== undefined) events.push({ id, data: JSON.parse(data!) as unknown });
    }
  });
  await once(response, "data");
  return { events, response };
}

async function arrived({ events }: Listener, count: number): Promise<void> {
  for (let n = 0; n < 1_000 && events.length < count; n++) await turn(10);
}

const post = ({ port }: Process, data: unknown) =>
  ask(port, { method: "POST", path: "/feed", headers: { "content-type": "application/json" } }, JSON.stringify(data));

/** What a peer of a process gets. */
async function peerOf({ port }: Process) {
  const client = new WebSocket(`ws://127.0.0.1:${port}/live`);
  onTestFinished(() => client.terminate());
  const got: string[] = [];
  client.on("message", (data: Buffer) => got.push(data.toString()));
  await once(client, "message");
  return { client, got };
}

/** What two processes and their peers publish reaches the peers of both, once. */
export async function sharesTopics(file: string, args: readonly string[]): Promise<void> {
  const [one, two] = await Promise.all([startedProcess(file, args), startedProcess(file, args)]);
  const [a, b, c] = [await peerOf(one), await peerOf(two), await peerOf(two)];
  // Whoever listens from now on has not heard what came before.
  for (let n = 0; n < 1_000 && !(a.got.includes("ready") && b.got.includes("ready")); n++) {
    for (const process of [one, two]) await ask(process.port, { method: "POST", path: "/live" }, "ready");
    await turn(10);
  }
  const own = new Set(Array.from({ length: 20 }, (_, n) => `a${n}`));
  const posted = new Set(Array.from({ length: 20 }, (_, n) => `p${n}`));
  for (const message of own) a.client.send(message);
  for (const message of posted) await ask(two.port, { method: "POST", path: "/live" }, message);
  const messages = ({ got }: typeof a): string[] => got.filter((message) => /^[ap]\d+$/.test(message));
  for (let n = 0; n < 1_000 && messages(b).length + messages(c).length + messages(a).length < 100; n++) await turn(10);
  await turn(50);
  expect(messages(a).toSorted()).toEqual([...posted].toSorted());
  for (const peer of [b, c]) expect(messages(peer).toSorted()).toEqual([...own, ...posted].toSorted());
}

/**
 * Two processes send at once; each client of either gets all of it once, in one order, and goes on at the other
 * process.
 */
export async function sharesOneFeed(file: string, args: readonly string[]): Promise<void> {
  const [one, two] = await Promise.all([startedProcess(file, args), startedProcess(file, args)]);
  const listeners = await Promise.all([listeningTo(one), listeningTo(two), listeningTo(two)]);
  const sent = Array.from({ length: 60 }, (_, n) => ({ n }));
  const answers = await Promise.all(sent.map((data, at) => post(at % 2 === 0 ? one : two, data)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
  for (const listener of listeners) await arrived(listener, 60);
  const [first, ...others] = listeners.map(({ events }) => events);
  const numbers = first!.map(({ data }) => (data as { n: number }).n);
  expect(numbers.toSorted((a, b) => a - b)).toEqual(sent.map(({ n }) => n));
  for (const other of others) expect(other).toEqual(first);

  // A client leaves one process, misses something, and goes on at another that begins only now.
  listeners[0].response.destroy();
  await post(two, { n: "missed" });
  const three = await startedProcess(file, args);
  const again = await listeningTo(three, first!.at(-1)!.id);
  await arrived(again, 1);
  expect(again.events.map(({ data }) => data)).toEqual([{ n: "missed" }]);
  await post(one, { n: "next" });
  await arrived(again, 2);
  await arrived(listeners[1], 62);
  expect(again.events.map(({ data }) => data)).toEqual([{ n: "missed" }, { n: "next" }]);
  expect(listeners[1].events.slice(60)).toEqual(again.events);
}
