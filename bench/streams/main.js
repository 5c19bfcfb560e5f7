// Content of 1 GiB, in and out, by servers that hold none of it: CPU of the server, and the most memory that it had.
// `npm run tools -- bench` installs Hono.
import { fork } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { fileURLToPath } from "node:url";

const names = ["bare", "fingerpost", "hono"];
const gibibyte = 2 ** 30;
const rounds = 7;
const chunk = Buffer.alloc(65_536);

/** Asks for an answer, and returns its text, or how many bytes it has. */
async function ask(port, method, size) {
  const sends = method === "PUT";
  const headers = sends ? { "content-type": "application/octet-stream", "content-length": size } : {};
  const asked = request({ port, host: "127.0.0.1", method, path: `/?size=${size}`, headers, agent: false });
  const answered = once(asked, "response");
  for (let left = sends ? size : 0; left > 0; left -= chunk.length) {
    const isRoom = asked.write(left < chunk.length ? chunk.subarray(0, left) : chunk);
    if (!isRoom) await once(asked, "drain");
  }
  asked.end();
  const [response] = await answered;
  let length = 0;
  let text = "";
  for await (const part of response) {
    length += part.length;
    if (sends) text += part;
  }
  const type = response.headers["content-type"].toLowerCase().replaceAll(" ", "");
  return `${response.statusCode} ${type} ${sends ? text : length}`;
}

async function usageOf(child) {
  child.send("usage");
  const [usage] = await once(child, "message");
  return usage;
}

// What else the machine does only adds to it.
const least = (values) => Math.min(...values);

console.log(`Node ${process.versions.node}, 1 GiB, the least of ${rounds}\n`);
console.log("| direction | server | CPU, ms | of bare | the most memory, MB |\n|---|---|---|---|---|");
for (const method of ["PUT", "GET"]) {
  const children = new Map();
  for (const name of names) {
    const child = fork(fileURLToPath(new URL("server.js", import.meta.url)), [name]);
    const [port] = await once(child, "message");
    children.set(name, { child, port, samples: [] });
  }
  // The same answers first.
  for (const size of [0, 1, 65_537, 10_000_000]) {
    const answers = new Map();
    for (const [name, { port }] of children) answers.set(name, await ask(port, method, size));
    for (const [name, answer] of answers) {
      if (answer !== answers.get("bare")) throw new Error(`${name} answers ${method} of ${size} by ${answer}`);
    }
  }
  // Turn by turn, so that what else the machine does falls on all alike. The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const { child, port, samples } of children.values()) {
      const before = await usageOf(child);
      await ask(port, method, gibibyte);
      if (round > 0) samples.push(((await usageOf(child)).cpu - before.cpu) / 1_000);
    }
  }
  const base = least(children.get("bare").samples);
  for (const [name, { child, samples }] of children) {
    const own = least(samples);
    const { rss } = await usageOf(child);
    const cells = [
      method === "PUT" ? "in" : "out",
      name,
      own.toFixed(0),
      (own / base).toFixed(2),
      (rss / 1024).toFixed(0),
    ];
    console.log(`| ${cells.join(" | ")} |`);
    child.disconnect();
  }
}
