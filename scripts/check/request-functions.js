// Prints the functions and files of ours that one request runs through, from socket to handler and back:
// `npm run request-functions`, with --list for their names. It fails above the ceilings, so that the way does not grow
// unseen.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import http from "node:http";
import { Session } from "node:inspector/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The most functions and files, by the number of middlewares around the resource. */
const ceilings = [
  { middlewares: 0, functions: 56, files: 22 },
  { middlewares: 1, functions: 61, files: 25 },
];

const root = fileURLToPath(new URL("../..", import.meta.url));
const compiled = join(root, "reports/way");
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
rmSync(compiled, { recursive: true, force: true });
// File by file, as the sources are: what is packed has several of them in one.
const args = [compiler, "-p", "tsconfig.build.json", "--outDir", compiled, "--declaration", "false"];
const { status } = spawnSync(process.execPath, [...args, "--isolatedDeclarations", "false"], {
  cwd: root,
  stdio: "inherit",
});
if (status !== 0) process.exit(1);

const load = (path) => import(pathToFileURL(join(compiled, path)).href);
const { Application, Middleware, Resource, ResourceGroup, Response } = await load("modules/http.native.js");
const { serve } = await load("servers/node.js");

class Greeting extends Resource {
  paths = ["/hello/:name"];
  GET(request) {
    return new Response(`Hello, ${request.params.pathParam("name")}`);
  }
}

class Pass extends Middleware {
  ALL(request) {
    return this.next(request);
  }
}

/** The functions of ours that one request runs, with the file of each, once the server is warm. */
async function wayOf(middlewares) {
  const around = Array.from({ length: middlewares }, () => class extends Pass {});
  const group = ResourceGroup.builder()
    .resources(Greeting)
    .middleware(...around)
    .build();
  const stop = new AbortController();
  const app = Application.builder().resources(group).build();
  const server = await serve(app, { port: 0, hostname: "127.0.0.1", signal: stop.signal });
  const agent = new http.Agent({ keepAlive: true });
  const session = new Session();
  session.connect();
  const ask = async () => {
    const text = await textAt({ port: server.address().port, host: "127.0.0.1", path: "/hello/Ada", agent });
    if (text !== "Hello, Ada") throw new Error(`The server answered ${text}`);
    // What the server does after its answer belongs to the request, too.
    for (let left = 20; left > 0; left--) await turn();
  };
  for (let left = 50; left > 0; left--) await ask();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await ask();
  await session.post("Profiler.takePreciseCoverage");
  await ask();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  agent.destroy();
  stop.abort();
  const ours = `${pathToFileURL(compiled).href}/`;
  return result
    .filter(({ url }) => url.startsWith(ours))
    .flatMap(({ url, functions }) =>
      functions
        .filter(({ ranges }) => ranges[0].count > 0)
        .map(({ functionName }) => ({ file: url.slice(ours.length), name: functionName || "(anonymous)" })),
    );
}

function textAt(options) {
  return new Promise((resolve, reject) => {
    const request = http.get(options, (response) => {
      let text = "";
      response.on("data", (chunk) => (text += chunk));
      response.on("end", () => resolve(text));
    });
    request.on("error", reject);
  });
}

let isAbove = false;
for (const { middlewares, functions, files } of ceilings) {
  const way = await wayOf(middlewares);
  const filesOfWay = new Set(way.map(({ file }) => file));
  console.log(
    `way: with ${middlewares} middlewares one request runs ${way.length} functions in ${filesOfWay.size} files, ` +
      `at most ${functions} in ${files}`,
  );
  if (process.argv.includes("--list")) for (const { file, name } of way) console.log(`  ${file}  ${name}`);
  // A way of nothing was not measured.
  isAbove ||= way.length === 0 || way.length > functions || filesOfWay.size > files;
}
rmSync(compiled, { recursive: true });
process.exit(isAbove ? 1 : 0);
