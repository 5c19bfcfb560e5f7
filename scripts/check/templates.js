// Makes a project for each runtime and chain by `fingerpost new` of the packed package; runs its tests, checks its
// types and style, starts it, asks it. The copy of
// examples/notes compiles and answers. With names of runtimes, or notes, does only these.
import { execFileSync, execSync, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { freePort, listening } from "./lib/ports.js";
import { openRegistry, shell } from "./lib/registry.js";
import { install } from "../build/install.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const runtimes = join(root, "tests/runtimes");
install(runtimes, "the runtimes");

const bun = join(runtimes, "node_modules/bun/bin/bun.exe");
const deno = join(runtimes, "node_modules/deno/deno");
const workerd = join(runtimes, "node_modules/workerd/bin/workerd");
const { execPath: node } = process;
const local = ["--no-lock", "--node-modules-dir=manual"];

const worker = (port) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]);
const worker :Workerd.Worker = (compatibilityDate = "2026-04-01",
  modules = [(name = "main", esModule = embed "dist/application.js")]);`;

const tsc = [node, join(root, "node_modules/typescript/bin/tsc")];
const oxlint = [node, join(root, "node_modules/oxlint/bin/oxlint"), "--deny-warnings"];

/** How the commands of each template are run here. */
const templates = {
  node: {
    commands: [tsc, [node, "--test", "dist/application.test.js"], [...tsc, "--noEmit"], oxlint],
    start: () => [node, "dist/server.js"],
  },
  bun: { commands: [[bun, "test"], oxlint], start: () => [bun, "run", "src/application.ts"] },
  deno: {
    commands: [
      [deno, "test", ...local, "--allow-env"],
      [deno, "check", ...local, "src"],
      [deno, "lint", "src"],
    ],
    start: (port) => [deno, "serve", ...local, `--port=${port}`, "src/application.ts"],
  },
  workers: { commands: [[node, "--test"], tsc, oxlint], start: () => [workerd, "serve", "worker.capnp"] },
};

async function answer(url) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await (await fetch(url)).text();
    } catch (error) {
      if (attempt === 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

const folder = mkdtempSync(join(tmpdir(), "fingerpost-"));
const { env, close } = await openRegistry();
try {
  await shell("npm pack fingerpost", { cwd: folder, env });
  const unpacked = join(folder, "package");
  execSync("tar -xzf fingerpost-*.tgz", { cwd: folder });
  const asked = process.argv.slice(2);
  for (const [runtime, { commands, start }] of Object.entries(templates)) {
    if (asked.length > 0 && !asked.includes(runtime)) continue;
    for (const chain of ["semantics", "native"]) {
      const name = `${runtime}-${chain}`;
      const begun = performance.now();
      const args = [join(unpacked, "dist/cli/main.js"), "new", name, "--runtime", runtime, "--chain", chain];
      execFileSync(node, args, { cwd: folder });
      const ms = performance.now() - begun;
      const cwd = join(folder, name);
      mkdirSync(join(cwd, "node_modules"));
      cpSync(unpacked, join(cwd, "node_modules/fingerpost"), { recursive: true });
      // What npm and Deno would download.
      for (const needed of ["@types", "undici-types", "zod"]) {
        symlinkSync(join(root, "node_modules", needed), join(cwd, "node_modules", needed));
      }

      const port = await freePort();
      if (runtime === "workers") {
        const entryPoints = [join(cwd, "src/application.ts")];
        await build({ entryPoints, bundle: true, format: "esm", outfile: join(cwd, "dist/application.js") });
        writeFileSync(join(cwd, "worker.capnp"), worker(port));
      }
      for (const [file, ...more] of commands) {
        const { status, stdout, stderr } = spawnSync(file, more, { cwd, encoding: "utf8" });
        if (status !== 0) throw new Error(`${file} ${more.join(" ")} fails in ${name}:\n${stdout}${stderr}`);
      }
      const [file, ...more] = start(port);
      const server = spawn(file, more, { cwd, stdio: "ignore", env: { ...process.env, PORT: String(port) } });
      try {
        const text = await answer(`http://127.0.0.1:${port}/books/1`);
        if (text !== '{"title":"Kindred","year":1979}') throw new Error(`${name} answers ${JSON.stringify(text)}`);
        const { status } = await fetch(`http://127.0.0.1:${port}/docs`);
        if (status !== (chain === "native" ? 404 : 200)) throw new Error(`${name} answers ${status} to /docs`);
      } finally {
        server.kill();
      }
      console.log(`templates: ${name} is made in ${ms.toFixed(0)} ms, passes what it has, and answers`);
    }
  }
  if (asked.length === 0 || asked.includes("notes")) await checkNotes(unpacked);
} finally {
  close();
  rmSync(folder, { recursive: true });
}

/** The copy of examples/notes: it compiles, and its server answers. */
async function checkNotes(unpacked) {
  install(join(root, "examples/notes"), "what examples/notes needs");
  execFileSync(node, [join(unpacked, "dist/cli/main.js"), "new", "notes", "--template", "notes"], { cwd: folder });
  const cwd = join(folder, "notes");
  const modules = join(root, "examples/notes/node_modules");
  mkdirSync(join(cwd, "node_modules"));
  for (const name of readdirSync(modules).filter((entry) => entry !== "fingerpost"))
    symlinkSync(join(modules, name), join(cwd, "node_modules", name));
  cpSync(unpacked, join(cwd, "node_modules/fingerpost"), { recursive: true });
  await shell("npm run --silent compile", { cwd, env: process.env });
  const port = await freePort();
  const server = spawn(node, ["dist/server/main.js"], {
    cwd,
    stdio: "ignore",
    env: { ...process.env, PORT: String(port), FILES: join(cwd, "files") },
  });
  try {
    await listening(port, server);
    const page = await answer(`http://127.0.0.1:${port}/app/`);
    if (!page.includes("<html")) throw new Error(`notes answers ${JSON.stringify(page.slice(0, 80))}`);
  } finally {
    server.kill();
  }
  console.log("templates: the copy of notes compiles, and serves its page");
}
