// Clients of event streams that come, go and come back: each gets each event once and in order, the server's heap stays
// what it is, and a graceful stop ends all streams. EVENTS=clients,seconds says how many and how long; 1,000 for ten
// minutes without it.
import { fork } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { fileURLToPath } from "node:url";
import { limitBytes } from "./growth.js";

const program = fileURLToPath(new URL("events-server.js", import.meta.url));
const [clients, seconds] = (process.env.EVENTS ?? "1000,600").split(",").map(Number);
/** A stop has to be over long before the grace of a minute is. */
const stopMs = 5_000;
/** Each connection of a client has buffers of its own, which come and go. */
const allowedBytes = limitBytes + clients * 2_000;

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Has clients at a server for some time, and says what went wrong. */
async function run(kind, time) {
  const server = fork(program, [kind, String(clients)]);
  let isOver = false;
  server.once("exit", (code, signal) => {
    if (isOver) return;
    console.error(`soak: the server of events exited: ${code ?? signal}`);
    process.exit(1);
  });
  const answer = async (question) => {
    server.send(question);
    return (await once(server, "message"))[0];
  };
  const [{ port }] = await once(server, "message");
  const problems = new Set();
  const state = { churns: false, ends: false, connections: 0, events: 0, comments: 0, open: 0 };
  const done = Array.from({ length: clients }, (_, at) => client(at, port, state, problems));
  const settled = async () => {
    state.churns = false;
    // On a machine that is busy, a thousand clients take their time to come back.
    for (let at = 0; at < 6_000 && state.open < clients; at++) await wait(20);
    // Those that were slow have read what is there.
    await wait(500);
    let { heap, listeners } = await answer("heap");
    for (let at = 0; at < 300 && listeners !== clients; at++) {
      await wait(100);
      ({ heap, listeners } = await answer("heap"));
    }
    if (listeners !== clients) problems.add(`${listeners} listeners for ${clients} clients`);
    // What is under way to a client that is slow comes on top, and goes; what leaks stays.
    for (let again = 0; again < 2; again++) {
      await wait(500);
      heap = Math.min(heap, (await answer("heap")).heap);
    }
    return heap;
  };
  const heaps = [];
  const part = async () => {
    state.churns = true;
    await wait((time * 1_000) / 4);
    heaps.push(await settled());
  };
  const grown = async () => {
    const from = heaps.at(-1);
    for (let at = 0; at < 3; at++) await part();
    return heaps.at(-1) - from;
  };
  await part();
  let growth = await grown();
  // What V8 compiles late, on a machine that is busy, is there once. A leak goes on, and grows as much again.
  if (growth > allowedBytes) growth = Math.min(growth, await grown());
  state.ends = true;
  isOver = true;
  const { stoppedMs, listeners } = await answer("stop");
  if (stoppedMs > stopMs) problems.add(`the stop took ${stoppedMs.toFixed(0)} ms`);
  if (listeners !== 0) problems.add(`${listeners} listeners after the stop`);
  await Promise.all(done);
  if (server.exitCode === null) await once(server, "exit");
  return { state, stoppedMs, problems: [...problems], heaps, growth };
}

/**
 * A client that leaves when it likes, and goes on after the last event that it has, until the server ends its stream.
 */
async function client(number, port, state, problems) {
  const path = number % 2 === 0 ? "/native" : "/declared";
  let last = null;
  while (!state.ends) {
    const headers = last === null ? {} : { "last-event-id": String(last) };
    const outgoing = request({ host: "127.0.0.1", port, path, headers, agent: false });
    let failure = "closed";
    outgoing.on("error", ({ code, message }) => (failure = code ?? message));
    outgoing.end();
    const [response] = await Promise.race([
      once(outgoing, "response"),
      once(outgoing, "close").then(() => [null]),
    ]).catch(() => [null]);
    if (response === null) {
      if (!state.ends) problems.add(`a connection failed: ${failure}`);
      return;
    }
    state.connections++;
    state.open++;
    const leaves = setInterval(() => state.churns && Math.random() < 0.3 && response.destroy(), 300);
    const pauses = setInterval(() => {
      if (number % 10 !== 0 || !state.churns) return;
      response.pause();
      setTimeout(() => response.resume(), 250);
    }, 700);
    let rest = "";
    response.setEncoding("utf8").on("error", () => {});
    response.on("data", (text) => {
      const blocks = (rest + text).split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) last = read(block, last, state, problems);
    });
    await once(response, "close").catch(() => {});
    clearInterval(leaves);
    clearInterval(pauses);
    state.open--;
    if (state.ends && (!response.complete || rest !== "")) problems.add("a stream was broken off by the stop");
    if (!state.ends && response.complete) problems.add("a stream ended by itself");
    if (!state.ends) await wait(Math.random() * 200);
  }
}

/** Reads one event, and says which is the last. */
function read(block, last, state, problems) {
  if (block === ":" || block.startsWith("retry: ")) {
    state.comments++;
    return last;
  }
  const found = /^id: (\d+)\ndata: \{"n":(\d+)\}$/.exec(block);
  if (found === null || found[1] !== found[2]) {
    problems.add(`not an event: ${JSON.stringify(block.slice(0, 80))}`);
    return last;
  }
  const n = Number(found[1]);
  if (last !== null && n !== last + 1)
    problems.add(n <= last ? "an event came twice, or too late" : "an event was missed");
  state.events++;
  return n;
}

const found = await run("sound", seconds);
const megabytes = (bytes) => (bytes / 1e6).toFixed(2);
if (found.growth > allowedBytes) found.problems.push(`the heap grew by ${megabytes(found.growth)} MB`);
if (found.state.connections < clients * 2) found.problems.push("clients did not come back");
console.log(
  `soak: events: ${clients} clients for ${seconds} s, ${found.state.connections.toLocaleString("en")} connections, ` +
    `${found.state.events.toLocaleString("en")} events, heap ${found.heaps.map(megabytes).join(" ")} MB, ` +
    `stopped in ${found.stoppedMs.toFixed(0)} ms: ${found.problems.length === 0 ? "fine" : "FAILED"}`,
);
for (const problem of found.problems) console.error(`  ${problem}`);

const leaky = await run("leaky", Math.max(2, seconds / 10));
const isCaught = leaky.growth > allowedBytes;
console.log(
  `soak: events, with a leak: growth ${megabytes(leaky.growth)} MB: ` +
    `${isCaught ? "caught, as it must be" : "NOT CAUGHT"}`,
);
if (found.problems.length > 0 || !isCaught) process.exitCode = 1;
