// What a program declares, beside what others write for it: CPU of the server for each request. All must answer alike
// first. `npm run tools -- bench` installs the others; `--rows=scope,patch` takes some rows, `--rounds=15` more.
import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

const { values: options } = parseArgs({
  options: { rows: { type: "string", default: "" }, rounds: { type: "string", default: "9" } },
});

const json = { "content-type": "application/json", accept: "*/*" };
const boundary = "----WebKitFormBoundaryTB2MiQ36fnSJlrhY";
const form = Buffer.concat([
  Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n`),
  Buffer.from("Content-Type: application/octet-stream\r\n\r\n"),
  Buffer.alloc(1_000_000, "0123456789abcdef\r\n0123456789-----"),
  Buffer.from(`\r\n--${boundary}--\r\n`),
]);
const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "add", arguments: { a: 1, b: 2 } } };

/** A write of somebody who has signed in. The key, which only ours reads, is another one each time. */
const written = {
  server: "session",
  method: "PUT",
  path: "/session",
  body: JSON.stringify({ title: "Emma", pages: 474 }),
  signIn: true,
};

/** By name: the peer, what is asked, how often a round, and what of the answer must be the same. */
const rows = {
  scope: { peer: "Fastify, bearer-auth and a hook", path: "/scope", headers: { authorization: "Bearer token-of-ada" } },
  patch: {
    peer: "Fastify, by hand",
    method: "PATCH",
    path: "/books/1",
    headers: { "content-type": "application/merge-patch+json" },
    body: JSON.stringify({ title: "Emma", pages: null }),
  },
  page: {
    peer: "Fastify, by hand",
    path: "/books?limit=20",
    same: (text) => JSON.stringify(JSON.parse(text).items) + typeof JSON.parse(text).next,
  },
  upload: {
    peer: "busboy on node:http",
    method: "POST",
    path: "/upload",
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    body: form,
    runs: 60,
  },
  tool: {
    peer: "the SDK's own server",
    method: "POST",
    path: "/mcp",
    headers: { ...json, accept: "application/json, text/event-stream" },
    body: JSON.stringify(call),
    runs: 500,
    same: (text) => JSON.parse(/^data: (.*)$/m.exec(text)[1]).result.content[0].text,
  },
  session: { peer: "@fastify/session", path: "/session", signIn: true },
  write: { ...written, peer: "@fastify/session, without key" },
  key: { ...written, peer: "@fastify/session, without key", isKeyed: true },
  stream: { peer: "Fastify, a Readable", path: "/stream", runs: 150, same: (text) => String(text.length) },
  gzip: { peer: "Fastify and zlib", path: "/gzip", headers: { "accept-encoding": "gzip" }, runs: 500 },
};

const agent = new Agent({ keepAlive: true, maxSockets: 16 });
async function ask(port, { method = "GET", path, headers = {}, body, isKeyed }) {
  const key = isKeyed ? { "idempotency-key": randomUUID() } : {};
  const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
  const asked = request({
    port,
    host: "127.0.0.1",
    method,
    path,
    agent,
    headers: { ...json, ...length, ...key, ...headers },
  });
  const [response] = await once(asked.end(body), "response");
  const chunks = [];
  for await (const chunk of response) chunks.push(chunk);
  const content = Buffer.concat(chunks);
  const text = String(response.headers["content-encoding"] === "gzip" ? gunzipSync(content) : content);
  return { status: response.statusCode, text, cookie: response.headers["set-cookie"]?.[0].split(";")[0] };
}

async function askAll(port, row, count) {
  let left = count;
  const work = async () => {
    while (left-- > 0) await ask(port, row);
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

async function cpuOf(child) {
  child.send("cpu");
  const [{ user, system }] = await once(child, "message");
  return user + system;
}

const middle = (values) => values.toSorted((one, other) => one - other)[values.length >> 1];

console.log(`Node ${process.versions.node}, microseconds of CPU for a request, medians of ${options.rounds} rounds\n`);
console.log("| row | fingerpost | peer | ratio | |\n| --- | ---: | ---: | ---: | --- |");
for (const [name, row] of Object.entries(rows)) {
  if (options.rows !== "" && !options.rows.split(",").includes(name)) continue;
  const servers = [];
  for (const who of ["fingerpost", "peer"]) {
    const child = fork(fileURLToPath(new URL(`${who}.js`, import.meta.url)), [row.server ?? name], {
      env: { ...process.env, NODE_ENV: "production" },
    });
    const [port] = await once(child, "message");
    const { cookie } = row.signIn ? await ask(port, { method: "POST", path: row.path, body: "{}" }) : {};
    const own = cookie === undefined ? row : { ...row, headers: { cookie } };
    servers.push({ child, port, own, times: [] });
  }
  const [same, other] = await Promise.all(
    servers.map(async ({ port, own }) => {
      const { status, text } = await ask(port, own);
      return `${status} ${(row.same ?? String)(text)}`;
    }),
  );
  if (same !== other) throw new Error(`${name} differs:\n${same.slice(0, 500)}\n${other.slice(0, 500)}`);
  const { runs = 2_000 } = row;
  for (const { port, own } of servers) await askAll(port, own, runs * 4);
  // Turn by turn, so that what else the machine does falls on both alike.
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const { child, port, own, times } of servers) {
      const before = await cpuOf(child);
      await askAll(port, own, runs);
      times.push(((await cpuOf(child)) - before) / runs);
    }
  }
  const [ours, theirs] = servers.map(({ times }) => times);
  const ratios = ours.map((time, round) => time / theirs[round]);
  const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  const cells = [name, middle(ours).toFixed(0), middle(theirs).toFixed(0), middle(ratios).toFixed(2), row.peer];
  console.log(`| ${cells.join(" | ")}; ${range} |`);
  for (const { child } of servers) child.disconnect();
}
agent.destroy();
