// Measures the cold start of a Worker: the CPU time of workerd from its start to the first response of an application
// of declared operations, beside Hono with zod-openapi and Elysia: `node bench/workers.js`; see README.md. Only Linux
// has the CPU time of a process in nanoseconds.
//   --rows=1,20,200 numbers of operations --candidates=fingerpost,hono by the beginnings of their names --rounds=15
//   --before=DIR another build of this package in the same rounds, from its folder dist
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { dist } from "./lib/dist.js";
import { randomFrom, shuffled } from "./lib/random.js";
import { median } from "./lib/sampling.js";

const { values: options } = parseArgs({
  options: {
    rows: { type: "string", default: "1,20,200" },
    candidates: { type: "string", default: "" },
    rounds: { type: "string", default: "15" },
    before: { type: "string" },
  },
});
const here = fileURLToPath(new URL(".", import.meta.url));
const workerd = join(here, "../tests/runtimes/node_modules/workerd/bin/workerd");
const random = randomFrom(Date.now());
const folder = mkdtempSync(join(tmpdir(), "bench-"));
const zod = `
  import { z } from "zod";
  const schemas = () => ({
    path: z.object({ id: z.coerce.number().int() }),
    query: z.object({ limit: z.coerce.number().int().min(1).max(100) }),
    thing: z.object({ id: z.int(), name: z.string(), limit: z.int() }),
  });`;
const answered = '{"id":7,"name":"thing","limit":10}';
// The first one is what workerd takes itself.
const candidates = {
  bare: () => `export default { fetch: ({ url }) => url.endsWith("=0") ? new Response("no", { status: 422 }) :
    new Response('${answered}', { headers: { "content-type": "application/json" } }) };`,
  fingerpost: (count) => fingerpost(count, fileURLToPath(dist)),
  ...(options.before && { "fingerpost, before": (count) => fingerpost(count, options.before) }),
  "hono, zod-openapi": (count) => `${zod}
    import { createRoute, OpenAPIHono } from "@hono/zod-openapi";
    const app = new OpenAPIHono();
    for (let at = 0; at < ${count}; at++) {
      const { path, query, thing } = schemas();
      const responses = { 200: { description: "OK", content: { "application/json": { schema: thing } } } };
      const route = { method: "get", path: \`/things/\${at}/{id}\`, request: { params: path, query }, responses };
      app.openapi(createRoute(route), (context) =>
        context.json({ id: context.req.valid("param").id, name: "thing", limit: context.req.valid("query").limit }));
    }
    export default { fetch: app.fetch };`,
  // With its own schemas and its adapter, which generates code at the start.
  elysia: (count) => `
    import { Elysia, t } from "elysia";
    import { CloudflareAdapter } from "elysia/adapter/cloudflare-worker";
    const app = new Elysia({ adapter: CloudflareAdapter });
    for (let at = 0; at < ${count}; at++) {
      const params = t.Object({ id: t.Integer() });
      const query = t.Object({ limit: t.Integer({ minimum: 1, maximum: 100 }) });
      const response = t.Object({ id: t.Integer(), name: t.String(), limit: t.Integer() });
      app.get(\`/things/\${at}/:id\`, (call) => ({ id: call.params.id, name: "thing", limit: call.query.limit }),
        { params, query, response });
    }
    export default app.compile();`,
};

try {
  for (const count of options.rows.split(",").map(Number)) await measure(count);
} finally {
  rmSync(folder, { recursive: true });
}

function fingerpost(count, from) {
  return `${zod}
    import { Application, Resource } from "${join(from, "modules/http.semantics.js")}";
    const classes = Array.from({ length: ${count} }, (_, at) => {
      const { path, query, thing } = schemas();
      return class Thing extends Resource {
        paths = [\`/things/\${at}/:id\`];
        static GET = { path, query, 200: thing };
        GET(call) { return { id: call.path.id, name: "thing", limit: call.query.limit }; }
      };
    });
    export default { fetch: Application.builder().resources(...classes).build().fetch };`;
}

async function measure(count) {
  const wanted = options.candidates.split(",");
  const names = Object.keys(candidates).filter(
    (name) => name === "bare" || wanted.some((start) => name.startsWith(start)),
  );
  const subjects = [];
  for (const name of names) subjects.push({ name, times: [], ...(await bundled(name, count)) });
  for (const { name, config } of subjects) await check(name, config);
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const { config, times } of shuffled(subjects, random))
      times.push(await started(config, (port) => ask(port, 10)));
  }
  print(count, subjects);
}

/** The least and the median of each, without what workerd takes itself, and our least over theirs. */
function print(count, [bare, ...subjects]) {
  console.log(`\nworkerd, operations: ${count}; alone it takes ${Math.min(...bare.times).toFixed(1)} ms of CPU`);
  const leastOf = ({ times }) => Math.min(...times) - Math.min(...bare.times);
  for (const subject of subjects) {
    const ratio = (leastOf(subjects[0]) / leastOf(subject)).toFixed(2);
    const usual = median(subject.times) - median(bare.times);
    const [least, middle] = [leastOf(subject), usual].map((ms) => ms.toFixed(1).padStart(6));
    const size = `${(subject.bytes / 1000).toFixed(1).padStart(6)} kB after gzip`;
    console.log(`  ${ratio} x ${subject.name.padEnd(20)} least ${least} ms, median ${middle} ms, ${size}`);
  }
}

/** The Worker as Wrangler makes it: one file, not minified. */
async function bundled(name, count) {
  const { outputFiles } = await build({
    stdin: { contents: candidates[name](count), resolveDir: here },
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    logLevel: "error",
    conditions: ["workerd", "worker", "browser"],
    external: ["node:*"],
  });
  const file = `${name.replaceAll(/\W/g, "-")}-${count}`;
  writeFileSync(join(folder, `${file}.js`), outputFiles[0].contents);
  const config = join(folder, `${file}.capnp`);
  writeFileSync(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (
      services = [(name = "main", worker = (
        modules = [(name = "worker.js", esModule = embed "${file}.js")], compatibilityDate = "2026-04-01"))],
      sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]);`,
  );
  return { config, bytes: gzipSync(outputFiles[0].contents).length };
}

/** All answer alike what fits, and refuse what does not. */
async function check(name, config) {
  await started(config, async (port) => {
    const [fit, unfit] = [await ask(port, 10), await ask(port, 0)];
    if (fit.status !== 200 || !fit.type.startsWith("application/json") || fit.content !== answered)
      throw new Error(`${name} answers ${fit.status} ${fit.type} ${fit.content}`);
    if (unfit.status !== 400 && unfit.status !== 422) throw new Error(`${name} answers ${unfit.status} to limit=0`);
  });
}

async function ask(port, limit) {
  const response = await fetch(`http://127.0.0.1:${port}/things/0/7?limit=${limit}`);
  return { status: response.status, type: response.headers.get("content-type"), content: await response.text() };
}

/** Starts a Worker, and asks it. Gives the milliseconds of CPU that all threads of workerd took until then. */
async function started(config, asking) {
  const child = spawn(workerd, ["serve", config, "--control-fd=3"], { stdio: ["ignore", "ignore", "inherit", "pipe"] });
  try {
    const [line] = await once(createInterface(child.stdio[3]), "line");
    await asking(JSON.parse(line).port);
    const threads = readdirSync(`/proc/${child.pid}/task`);
    const taken = threads.map((id) =>
      Number(readFileSync(`/proc/${child.pid}/task/${id}/schedstat`, "utf8").split(" ")[0]),
    );
    return taken.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6;
  } finally {
    child.kill("SIGKILL");
    await once(child, "close");
  }
}
