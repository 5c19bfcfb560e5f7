// Gets each template by the command of docs/templates.md, from the packed package; runs its tests, starts it, asks it.
import { execSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { freePort, openRegistry, shell } from "./registry.js";
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
const worker :Workerd.Worker = (compatibilityDate = "2026-11-01",
  modules = [(name = "main", esModule = embed "dist/application.js")]);`;

/** How the commands of each template are run here. */
const templates = {
  "template-node": { test: [node, "--test"], start: () => [node, "src/server.js"] },
  "template-bun": { test: [bun, "test"], start: () => [bun, "run", "src/application.ts"] },
  "template-deno": {
    test: [deno, "test", ...local, "--allow-env"],
    start: (port) => [deno, "serve", ...local, `--port=${port}`, "src/application.ts"],
  },
  "template-workers": { test: [node, "--test"], start: () => [workerd, "serve", "worker.capnp"] },
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
  const [, command] = /^```sh\n(npm pack .*)template-node\n```$/m.exec(
    readFileSync(join(root, "docs/templates.md"), "utf8"),
  );
  for (const [name, { test, start }] of Object.entries(templates)) {
    await shell(command + name, { cwd: folder, env });
    const cwd = join(folder, name);
    const installed = join(cwd, "node_modules/fingerpost");
    mkdirSync(installed, { recursive: true });
    execSync(`tar -xzf ../fingerpost-*.tgz --strip-components=1 -C ${JSON.stringify(installed)}`, { cwd });

    // The types that Deno would download.
    for (const types of ["@types", "undici-types"]) {
      symlinkSync(join(root, "node_modules", types), join(cwd, "node_modules", types));
    }

    const port = await freePort();
    if (name === "template-workers") {
      const entryPoints = [join(cwd, "src/application.ts")];
      await build({ entryPoints, bundle: true, format: "esm", outfile: join(cwd, "dist/application.js") });
      writeFileSync(join(cwd, "worker.capnp"), worker(port));
    }
    const { status, stdout, stderr } = spawnSync(test[0], test.slice(1), { cwd, encoding: "utf8" });
    if (status !== 0) throw new Error(`The tests of ${name} fail:\n${stdout}${stderr}`);
    const [file, ...args] = start(port);
    const server = spawn(file, args, { cwd, stdio: "ignore", env: { ...process.env, PORT: String(port) } });
    try {
      const text = await answer(`http://127.0.0.1:${port}/hello/Ada`);
      if (text !== "Hello, Ada\n") throw new Error(`${name} answers ${JSON.stringify(text.slice(0, 80))}`);
    } finally {
      server.kill();
    }
    console.log(`templates: ${name} is copied, its tests pass, and it answers`);
  }
} finally {
  close();
  rmSync(folder, { recursive: true });
}
