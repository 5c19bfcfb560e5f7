// Runs one suite from the packed tarball on every runtime, and asks every server and host the same questions.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { install } from "../build/install.js";
import { packInto } from "./lib/packed.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const runtimes = join(root, "tests/runtimes");

install(runtimes, "the runtimes");

execFileSync(process.execPath, ["scripts/build/build.js"], { cwd: root, stdio: "inherit" });
const folder = mkdtempSync(join(tmpdir(), "fingerpost-"));
try {
  const { filename } = await packInto(folder);
  // For a package without dependencies, an installation does no more.
  const target = join(runtimes, "node_modules/fingerpost");
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  execFileSync("tar", ["-xzf", join(folder, filename), "-C", target, "--strip-components=1"]);
} finally {
  rmSync(folder, { recursive: true });
}

const { bundle } = await import(pathToFileURL(join(runtimes, "bundle.js")).href);
await bundle();
const { main } = await import(pathToFileURL(join(runtimes, "dist/driver.main.js")).href);
process.exitCode = (await main()) ? 0 : 1;
