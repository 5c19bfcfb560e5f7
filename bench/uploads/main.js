// Forms read by fingerpost and by others: CPU of the server for each form.
// `npm run tools -- bench` installs the others.
import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";

const names = ["fingerpost", "busboy", "multer", "@fastify/multipart", "formidable"];
const boundary = "----WebKitFormBoundaryTB2MiQ36fnSJlrhY";

function formOf(count, size, isFile) {
  const parts = Array.from({ length: count }, (_, at) => {
    const file = isFile ? `; filename="${at}.bin"\r\nContent-Type: application/octet-stream` : "";
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="part${at}"${file}\r\n\r\n`;
    // Lines, as texts and pictures have them: a parser that looks for the boundary meets line breaks.
    const content = Buffer.alloc(size, isFile ? "0123456789abcdef\r\n0123456789-----" : "abcdefgh");
    return [Buffer.from(head), content, Buffer.from("\r\n")];
  });
  return Buffer.concat([...parts.flat(), Buffer.from(`--${boundary}--\r\n`)]);
}

const forms = {
  "ten fields of 1 kB": { body: formOf(10, 1_000, false), warm: 1_000, runs: 1_500 },
  "ten files of 100 kB": { body: formOf(10, 100_000, true), warm: 300, runs: 80 },
  "a file of 100 MB": { body: formOf(1, 100_000_000, true), warm: 1, runs: 2 },
};

const agent = new Agent({ keepAlive: true, maxSockets: 4 });
async function send(port, body) {
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}`, "content-length": body.length };
  const asked = request({ port, host: "127.0.0.1", method: "POST", path: "/", agent, headers }).end(body);
  const [response] = await once(asked, "response");
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += chunk;
  return text;
}

async function sendAll(port, body, count) {
  let left = count;
  const work = async () => {
    while (left-- > 0) await send(port, body);
  };
  await Promise.all([work(), work(), work(), work()]);
}

async function cpuOf(child) {
  child.send("cpu");
  const [{ user, system }] = await once(child, "message");
  return (user + system) / 1000;
}

const children = new Map();
for (const name of names) {
  const child = fork(fileURLToPath(new URL("server.js", import.meta.url)), [name]);
  const [port] = await once(child, "message");
  children.set(name, { child, port });
}
const figures = {};
for (const [form, { body, warm, runs }] of Object.entries(forms)) {
  // The same answers first.
  const answers = new Map();
  for (const [name, { port }] of children) answers.set(name, await send(port, body));
  for (const [name, answer] of answers) {
    if (answer !== answers.get("fingerpost"))
      throw new Error(`${name} reads ${form} otherwise: ${answer.slice(0, 200)}`);
  }
  for (const { port } of children.values()) await sendAll(port, body, warm);
  const samples = new Map(names.map((name) => [name, []]));
  // Turn by turn, so that what else the machine does falls on all alike.
  for (let round = 0; round < 5; round++) {
    for (const [name, { child, port }] of children) {
      const before = await cpuOf(child);
      await sendAll(port, body, runs);
      samples.get(name).push(((await cpuOf(child)) - before) / runs);
    }
  }
  figures[form] = Object.fromEntries([...samples].map(([name, all]) => [name, all.toSorted((a, b) => a - b)[2]]));
}
for (const { child } of children.values()) child.disconnect();
agent.destroy();

console.log(`Node ${process.versions.node}, milliseconds of CPU for a form, median of five\n`);
console.log(`| form | ${names.join(" | ")} | to the fastest |\n|---|${"---|".repeat(names.length + 1)}`);
for (const [form, all] of Object.entries(figures)) {
  const fastest = Math.min(...names.slice(1).map((name) => all[name]));
  const cells = names.map((name) => all[name].toPrecision(3));
  console.log(`| ${form} | ${cells.join(" | ")} | ${(fastest / all.fingerpost).toFixed(2)} |`);
}
