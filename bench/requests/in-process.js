// `app.fetch(request)` in process, without a server: microseconds of CPU time for each request, the median of three
// samples: `node bench/requests/in-process.js CANDIDATE ROW`. Requests are made while the clock stands.
import { start, stop } from "../lib/clock.js";
import { median } from "../lib/sampling.js";
import { differenceOf } from "./agreement.js";
import { rows } from "./rows.js";

const [, , name, row] = process.argv;
const batch = 128;
const fetching = await applicationOf(name);
const { requests } = rows[row];
const inputs = requests.map(({ text }) => {
  const [head, content] = text.split("\r\n\r\n");
  const [line, ...fields] = head.split("\r\n");
  const [method, path] = line.split(" ");
  const headers = fields
    .map((field) => field.split(": "))
    .filter(([field]) => !/^(?:host|content-length|connection)$/i.test(field));
  return [`http://localhost${path}`, { method, headers, ...(content === "" ? {} : { body: content }) }];
});
for (const [at, request] of requests.entries()) {
  const response = await fetching(new Request(...inputs[at]));
  const content = Buffer.from(await response.arrayBuffer()).latin1Slice();
  const difference = differenceOf(request, {
    status: response.status,
    content,
    fields: Object.fromEntries(response.headers),
  });
  if (difference !== null) throw new Error(`${name} does not answer ${row} as the others do: ${difference}`);
}

await run(10_000);
const samples = [];
for (let at = 0; at < 3; at++) samples.push(((await run(5000)) * 1000) / 5000);
console.log(JSON.stringify({ median: median(samples), samples }));
process.exit(0);

async function run(count) {
  let elapsed = 0;
  for (let done = 0; done < count; done += batch) {
    const made = Array.from(
      { length: Math.min(batch, count - done) },
      (_, at) => new Request(...inputs[(done + at) % inputs.length]),
    );
    start();
    for (const request of made) await fetching(request);
    elapsed += stop();
  }
  return elapsed;
}

async function applicationOf(candidate) {
  if (candidate.startsWith("hono")) {
    const { honoApp } = await import("./servers/hono-app.js");
    return honoApp((context) => context.notFound()).fetch;
  }
  if (candidate.startsWith("h3")) return (await import("./servers/h3.js")).h3App().fetch;
  if (candidate === "elysia") return (await import("./servers/elysia.js")).elysiaApp({}).fetch;
  const { nativeApp, semanticsApp } = await import("./servers/fingerpost.js");
  return (
    await (candidate === "fingerpost semantics"
      ? semanticsApp()
      : nativeApp(/platform/.test(candidate) ? "platform" : "own"))
  ).fetch;
}
