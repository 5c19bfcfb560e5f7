// Starts each program of README, docs/ and examples/ that serves or builds an application, and sends it more than 200
// bad requests: none may end, stop to answer, or print a stack. With words, only the programs whose names have one.
import { execFileSync, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, transform } from "esbuild";
import { install } from "../build/install.js";
import { importTypeScript } from "../build/import-typescript.js";
import { badFrames, badRequests, sendBadly } from "./lib/bad-requests.js";
import { freePort, listening } from "./lib/ports.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const at = (...parts) => join(root, ...parts);
// In the repository, so that the package finds itself, and that is dist/.
const folder = at("reports/programs");
const runtimes = at("tests/runtimes");
const unixSocket = join(tmpdir(), `fingerpost-${process.pid}.sock`);
const words = process.argv.slice(2);
const startedAt = performance.now();

/** Stacks that pages mean to show, or that say how a program has to be served: not what a bad request caused. */
const meant = {
  "docs/polyfill.md": /handle\(\) fulfilled before anything was written/,
  "docs/middleware/timeout.md": /HTTPError: Service Unavailable/,
  "docs/mocks.md": /Error: Not written yet/,
  "docs/recipes/deploy-workers.md": /Cannot get attribute "env"/,
  "docs/runtimes.md": /Cannot get attribute "env"/,
  "docs/testing.md": /RangeError: sold out|Cannot get attribute "user"|expected the address of the client/,
  "docs/throwing-errors.md":
    /Error: cursor closed|Error: cannot connect to db\.internal|HTTPError: db\.internal is full/,
  "docs/writing-middleware.md": /HTTPError: Service Unavailable/,
};

/** Pages that go on from other pages, or need what is not installed. */
const needMore = /^docs\/(?:accounts|an-application|api-keys|database|sign-in-with-google|tutorial\/.*)\.md$/;

/** The folders of examples/ that have no server of their own. */
const withoutServer = {
  "front-end": "a page and its build",
  greetings: "what the other examples serve",
};

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const { targets } = await importTypeScript("tests/security/hostile.ts");
const short = targets.filter((target) => target.length < 200 && /^[!-~]+$/.test(target));
const programs = [...(await programsOfPages()), ...(await programsOfExamples())].filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);
const faults = [];
let sent = 0;
let connected = 0;
// Baits ask whether this check sees what it is for: a program that ends, and one that prints a stack, for what a client
// does.
const bait = {
  ends:
    'import { createServer } from "node:http";\ncreateServer((request) => new URL(request.url, ' +
    '"http://a")).listen(0);',
  printed: `import { createServer } from "node:http";
createServer((_, response) => response.end()).on("clientError", (error, socket) => {
  console.error(error);
  socket.destroy();
}).listen(0);`,
};

const waiting = [...groups(programs)];
await Promise.all(
  Array.from({ length: 4 }, async () => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) await run(group);
  }),
);
for (const [name, code] of Object.entries(bait)) {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, code);
  const before = faults.length;
  await run([{ name, file, code, isAlone: true }]);
  const found = faults.splice(before);
  if (!found.some((fault) => fault.startsWith(name === "ends" ? "ends ended" : "printed printed"))) {
    faults.push(`the program that ${name} was not noticed: ${found.join()}`);
  }
}
const served = programs.filter((program) => program.servers > 0);
for (const { name, servers } of programs) {
  if (servers === 0) faults.push(`${name} listens nowhere and builds no application`);
}
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
console.log(
  `programs: ${served.length} took ${sent} bad requests, ${connected} of them in a WebSocket, in ${seconds} s, ` +
    `${faults.length} faults`,
);
for (const fault of faults) console.error(`  ${fault}`);
rmSync(folder, { recursive: true });
rmSync(unixSocket, { force: true });
process.exitCode = faults.length === 0 ? 0 : 1;
process.exit();

async function programsOfPages() {
  const module = join(folder, "snippets.mjs");
  const entryPoints = [at("tests/package/snippets.ts")];
  await build({ entryPoints, outfile: module, bundle: true, packages: "external", platform: "node", format: "esm" });
  const { pages, snippetsOf } = await import(pathToFileURL(module).href);
  const snippets = pages()
    // Other tests run those: the step `postgres-tests`, and page-programs.test.ts.
    .filter((page) => !page.startsWith("decisions/") && !needMore.test(page))
    .flatMap(snippetsOf);
  const found = await Promise.all(
    snippets.map(async ({ place, code, file }, index) => {
      if (!code.includes("fingerpost") || !/\b(?:serve|build)\(|\.listen\(\d/.test(code)) return [];
      const others = snippets.filter(
        (one) => one.file !== null && one.place !== place && pageOf(one.place) === pageOf(place),
      );
      // Files of this page export functions; only one of them serves.
      if (pageOf(place) === "docs/project-structure.md" && !/\bserve\(/.test(code)) return [];
      const own = join(folder, String(index));
      mkdirSync(own);
      // What the page has its readers save.
      for (const one of others) {
        const saved = join(own, withoutTypes(one.file));
        mkdirSync(dirname(saved), { recursive: true });
        writeFileSync(saved, await javaScript(one.code));
      }
      const program = join(own, withoutTypes(file ?? "program.mjs"));
      mkdirSync(dirname(program), { recursive: true });
      const port = /\b(?:3000|8080)\b/.test(code) ? String(await freePort()) : "0";
      // The last lines of a program, which stop the server, are left out.
      const text = code
        .replace(/\b(?:3000|8080)\b/g, port)
        .replaceAll("/tmp/app.sock", unixSocket)
        .replace(/^(?:await )?(?:\w+\.(?:close|abort)|rm\w*|once)\(.*\);$/gm, "");
      writeFileSync(program, await javaScript(text));
      const isAlone = /\bserve\(|\.listen\(\d|"node:test"/.test(code);
      const signIn = pageOf(place) === "docs/recipes/websocket.md" ? signInToChat : undefined;
      return [{ name: place, file: program, code, isAlone, signIn }];
    }),
  );
  return found.flat();
}

/** The page of a program, whose name ends with a line. */
function pageOf(name) {
  return name.replace(/:\d+$/, "");
}

/** Without types, and without names of files that Node 20 cannot import. */
async function javaScript(code) {
  const { code: text } = await transform(code, { loader: "ts", target: "node20" });
  return text.replace(/(?<=from "\.[^"]*)\.ts(?=")/g, ".mjs");
}

function withoutTypes(file) {
  return file.replace(/\.ts$/, ".mjs");
}

async function programsOfExamples() {
  if (!existsSync(at("examples/quickstart/dist"))) execFileSync(process.execPath, [at("scripts/build/build.js")]);
  install(runtimes, "the runtimes");
  for (const name of ["conduit", "notes"]) install(at("examples", name), `what examples/${name} needs`);
  install(at("examples/mounting"), "the frameworks to mount");
  const bundled = async (name, entry, place = folder) => {
    const file = join(place, `${name}.mjs`);
    const plugins = [{ name: "fingerpost", setup: keepPackage }];
    await build({
      entryPoints: [entry],
      outfile: file,
      bundle: true,
      packages: "external",
      platform: "node",
      format: "esm",
      plugins,
    });
    return { ...node(name, file), hasSockets: connects(readFileSync(file, "utf8")) };
  };
  for (const name of ["conduit", "notes"])
    execFileSync("npm", ["run", "--silent", "compile"], { cwd: at("examples", name) });
  const besideRuntimes = join(runtimes, "dist/programs");
  const main = (name) => at("examples", name, "main.js");
  const all = [
    ...["node", "workers", "mounting", "events"].map((name) => node(name, main(name))),
    ...["quickstart", "guarded", "conduit"].map((name) => node(name, at("examples", name, "dist/main.js"))),
    { ...node("notes", at("examples/notes/dist/server/main.js")), hasSockets: true, signIn: signInToNotes },
    ...["express", "fastify", "koa", "srvx"].map((name) => bundled(name, main(name), besideRuntimes)),
    ...["lambda", "vercel"].map((name) => bundled(name, join(runtimes, `hosts/${name}.js`), besideRuntimes)),
    ...["bun", "deno", "semantics", "workers"].map((name) =>
      bundled(`template-${name}`, at(`examples/template-${name}/src/application.ts`)),
    ),
    bundled("template-node", at("examples/template-node/src/server.ts")),
    filesOfWorkers(),
    // Processes of scale-out run the file that the first one was started with.
    { ...node("scale-out", main("scale-out")), command: [process.execPath, main("scale-out")] },
    elsewhere("bun", join(runtimes, "node_modules/bun/bin/bun.exe"), []),
    elsewhere("deno", join(runtimes, "node_modules/deno/deno"), ["run", "--allow-net", "--allow-env=PORT"]),
  ];
  const examples = await Promise.all(all);
  const named = new Set(examples.map(({ name }) => name.slice("examples/".length)));
  for (const name of readdirSync(at("examples"))) {
    if (!named.has(name) && !Object.hasOwn(withoutServer, name)) throw new Error(`examples/${name} is not run: add it`);
  }
  return examples;
}

function node(name, file) {
  return { name: `examples/${name}`, file, code: "", isAlone: true };
}

/** Returns the field by which somebody with an account may connect. */
function signInToNotes(port) {
  return cookieOf(`http://127.0.0.1:${port}/users`, { email: "ada@example.com", password: "correct horse" });
}

function signInToChat(port) {
  return cookieOf(`http://127.0.0.1:${port}/session`, { name: "Ada", password: "correct horse" });
}

async function cookieOf(url, account) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { method: "POST", body: JSON.stringify(account), headers });
  return `Cookie: ${answer.headers.get("set-cookie")?.split(";")[0]}`;
}

/** Leaves imports of the package to dist/, wherever the program is. */
function keepPackage({ onResolve }) {
  const { resolve } = createRequire(at("package.json"));
  onResolve({ filter: /^fingerpost(?:\/|$)/ }, ({ path }) => ({ path: resolve(path), external: true }));
}

function filesOfWorkers() {
  const file = join(folder, "workers-files.mjs");
  const from = (name) => JSON.stringify(pathToFileURL(at("examples/workers-files", name)).href);
  writeFileSync(
    file,
    `import { applicationOf } from ${from("application.js")};
import { writeModule } from ${from("build.js")};
import { FakeBucket } from ${from("fake-bucket.js")};
await writeModule(${JSON.stringify(at("examples/workers-files/public"))}, ${JSON.stringify(join(folder, "site.mjs"))});
const { default: site } = await import(${JSON.stringify(pathToFileURL(join(folder, "site.mjs")).href)});
const bucket = new FakeBucket();
bucket.put("a.txt", "0123456789", "text/plain");
applicationOf(site, bucket);
`,
  );
  return node("workers-files", file);
}

/** A program of another runtime, which has to find the package as a folder of its own. */
async function elsewhere(name, command, args) {
  const file = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [at("examples", name, "main.js")],
    outfile: file,
    bundle: true,
    platform: "neutral",
    format: "esm",
  });
  return { name: `examples/${name}`, file, code: "", isAlone: true, command: [command, ...args, file] };
}

/** Programs that listen by themselves have a process of their own; the others come by the dozen. */
function* groups(all) {
  const together = all.filter(({ isAlone }) => !isAlone);
  for (const program of all) if (program.isAlone) yield [program];
  while (together.length > 0) yield together.splice(0, 12);
}

/** Runs programs one after the other in one process, or in a new one after that has ended. */
async function run(group) {
  let host = null;
  for (const program of group) {
    if (host === null || host.child.exitCode !== null) host = await started(program);
    await underFire(program, host);
  }
  host?.child.kill("SIGKILL");
}

async function started({ command }) {
  const port = await freePort();
  const env = {
    ...process.env,
    PORT: String(port),
    HOST: "127.0.0.1",
    WORKERS: "2",
    NODE_NO_WARNINGS: "1",
  };
  const options = {
    env,
    cwd: command === undefined ? folder : root,
    stdio: ["ignore", "pipe", "pipe", ...(command === undefined ? ["ipc"] : [])],
  };
  const child =
    command === undefined
      ? fork(at("scripts/check/lib/fire-host.js"), { ...options })
      : spawn(command[0], command.slice(1), options);
  const ended = once(child, "exit").then(() => ({ failed: "ended while it was loaded" }));
  const host = { child, port, printed: "", ended, message: () => once(child, "message").then(([message]) => message) };
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (host.printed += chunk));
  return host;
}

async function underFire(program, host) {
  const { child } = host;
  let begun;
  if (program.command === undefined) {
    child.send({ file: program.file });
    const late = wait(60_000, { failed: "is not loaded after 60 seconds" }, { ref: false });
    begun = await Promise.race([host.message(), host.ended, late]);
  } else {
    await listening(host.port, child);
    begun = { addresses: [{ port: host.port, host: "127.0.0.1" }], paths: ["/hello/Ada"] };
  }
  if (begun.failed !== undefined) {
    faults.push(`${program.name} did not start: ${begun.failed}\n${host.printed}`);
    return;
  }
  program.servers = begun.addresses.length;
  host.printed = "";
  const paths = [...new Set([...begun.paths.map(filled), ...pathsIn(program.code)])].slice(0, 6);
  const all = badRequests(short, paths.length === 0 ? ["/"] : paths, credentialsIn(program.code));
  const { hasSockets = connects(program.code) } = program;
  const fields = credentialsIn(program.code).map((value) => `Authorization: ${value}`);
  if (program.signIn !== undefined) fields.push(await program.signIn(begun.addresses[0].port));
  const framed = hasSockets ? badFrames(paths, fields) : [];
  const requests = [...framed, ...shareOf(all, programs.indexOf(program))];
  let accepted = 0;
  for (const address of begun.addresses) {
    const rest = [...requests];
    await Promise.all(
      Array.from({ length: 40 }, async () => {
        for (let request = rest.pop(); request !== undefined && child.exitCode === null; request = rest.pop()) {
          const answer = await sendBadly(address, request);
          if (answer.startsWith("HTTP/1.1 101")) accepted++;
          sent++;
        }
      }),
    );
    await wait(20);
    if (child.exitCode !== null) break;
    const plain = {
      bytes: Buffer.from("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
      how: "read",
      more: "",
      longestMs: 5000,
    };
    const answer = await sendBadly(address, plain);
    if (!answer.startsWith("HTTP/1.1 "))
      faults.push(`${program.name} answers no more: ${JSON.stringify(answer.slice(0, 80))}`);
  }
  connected += accepted;
  if (hasSockets && accepted === 0 && begun.addresses.length > 0) faults.push(`${program.name} accepted no handshake`);
  if (child.exitCode !== null) faults.push(`${program.name} ended:\n${host.printed.slice(-2000)}`);
  else {
    const stacks = host.printed.match(/^.*\n(?:\s+at .+\n)+/gm) ?? [];
    const bad = stacks.filter((stack) => meant[pageOf(program.name)]?.test(stack) !== true);
    if (bad.length > 0)
      faults.push(`${program.name} printed ${bad.length} stacks:\n${[...new Set(bad)].slice(0, 3).join("")}`);
  }
}

/** 205 of the requests, others for each program; those that begin the list go to all of them. */
function shareOf(requests, turn) {
  const common = requests.slice(0, 40);
  const rest = requests.slice(40);
  return [...common, ...Array.from({ length: 165 }, (_, index) => rest[(turn * 67 + index * 7) % rest.length])];
}

/** A pattern as a path that it matches, as far as its expressions allow. */
function filled(pattern) {
  return pattern.replace(/:\w+(?:\([^/]*\))?[?+*]?/g, "1");
}

/** Whether clients can connect by WebSocket. A program that closes its own accepts no more. */
function connects(code) {
  return /\b(?:socket|upgrade)\(/.test(code) && !code.includes("closeSockets(");
}

function pathsIn(code) {
  return [...code.matchAll(/["'`](?:\w+:\/\/localhost:\d+)?(\/[\w/.-]*)["'`]/g)].map(([, path]) => path);
}

function credentialsIn(code) {
  const whole = [...code.matchAll(/["'`]((?:Bearer|Basic) [\w=+/.-]+)["'`]/g)].map(([, value]) => value);
  const tokens = [...code.matchAll(/tokens: \{ "?([\w-]+)"?:/g)].map(([, token]) => `Bearer ${token}`);
  return [...new Set([...whole, ...tokens])];
}
