// Without a kernel: a server of `node:http` is given streams for connections. Gives microseconds of CPU time for each
// request, the median of three samples: `node bench/requests/kernel-less.js CANDIDATE ROW WARM BATCH COUNT`.
import { Duplex } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { answerIn } from "../lib/http-client.js";
import { median } from "../lib/sampling.js";
import { differenceOf } from "./agreement.js";
import { listening } from "./listening.js";
import { rows } from "./rows.js";

const [, , name, row, warm = "40000", batch = "20000", count = "3"] = process.argv;
const { requests } = rows[row];
const bytes = requests.map(({ text }) => Buffer.from(text, "latin1"));
const server = await listening(name, 0);
const lengths = await checked();

class Connection extends Duplex {
  remoteAddress = "127.0.0.1";
  remotePort = 1;
  #left = 0;
  #at = 0;

  setTimeout() {
    return this;
  }
  setNoDelay() {
    return this;
  }
  setKeepAlive() {
    return this;
  }
  ref() {
    return this;
  }
  unref() {
    return this;
  }
  destroySoon() {
    this.destroy();
  }
  _read() {}
  _write(chunk, _encoding, done) {
    this.#receive(chunk.length);
    done();
  }
  _writev(chunks, done) {
    this.#receive(chunks.reduce((sum, { chunk }) => sum + chunk.length, 0));
    done();
  }
  #receive(count) {
    this.#left -= count;
    if (this.#left > 0) return;
    if (--left > 0) setImmediate(sendNext, this);
    else if (left === 0) finish();
  }
  send() {
    const at = this.#at++ % bytes.length;
    this.#left = lengths[at];
    this.push(bytes[at]);
  }
}

let left = 0;
let finish = () => {};
const sendNext = (connection) => connection.send();
const connections = Array.from({ length: 50 }, () => {
  const connection = new Connection();
  server.emit("connection", connection);
  return connection;
});

await run(Number(warm));
const samples = [];
for (let at = 0; at < Number(count); at++) {
  const before = process.cpuUsage();
  await run(Number(batch));
  const { user, system } = process.cpuUsage(before);
  samples.push((user + system) / Number(batch));
}
console.log(JSON.stringify({ median: median(samples), samples }));
process.exit(0);

async function run(count) {
  // Those that are under way when the last one is answered are answered in the pause.
  await new Promise((resolve) => {
    left = count;
    finish = resolve;
    for (const connection of connections) connection.send();
  });
  await wait(20);
}

/** Checks all answers of the row, and returns the lengths that they have. */
async function checked() {
  const found = [];
  for (const [at, request] of requests.entries()) {
    let received = "";
    const connection = new (class extends Duplex {
      setTimeout() {}
      destroySoon() {}
      _read() {}
      _write(chunk, _encoding, done) {
        received += chunk.latin1Slice();
        done();
      }
    })();
    server.emit("connection", connection);
    connection.push(bytes[at]);
    for (let tries = 0; answerIn(received) === null; tries++) {
      if (tries === 50) throw new Error(`${name} answers ${row} by ${received.slice(0, 300)}`);
      await wait(20);
    }
    const answer = answerIn(received);
    const difference = differenceOf(request, answer);
    if (difference !== null) throw new Error(`${name} does not answer ${row} as the others do: ${difference}`);
    found.push(answer.length);
    connection.destroy();
  }
  return found;
}
