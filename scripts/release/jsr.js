// Keeps jsr.json in step with package.json, and has Deno rehearse publishing to JSR. `--write` writes jsr.json only;
// `--publish` publishes, by the Deno of the lock file.
import { execSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { install } from "../build/install.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const runtimes = join(root, "tests/runtimes");
const {
  version,
  license,
  exports,
  peerDependencies = {},
} = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const entries = Object.entries(exports).filter(([, target]) => typeof target !== "string");
const manifest = {
  name: "@fingerpost/fingerpost",
  version,
  license,
  exports: Object.fromEntries(
    entries.map(([key, { default: file }]) => [key, file.replace("./dist/", "./src/").replace(/\.js$/, ".ts")]),
  ),
  imports: Object.fromEntries(Object.entries(peerDependencies).map(([name, range]) => [name, `npm:${name}@${range}`])),
  publish: {
    include: ["src", "LICENSE", "README.md", "CHANGELOG.md", "SECURITY.md"],
    exclude: ["src/**/*.test.ts", "src/cli"],
  },
};
const text = `${JSON.stringify(manifest, null, 2)}\n`;
const file = join(root, "jsr.json");

if (process.argv.includes("--write")) {
  writeFileSync(file, text);
  // `npm version` commits it, and what is committed is formatted.
  execSync("npx --no-install oxfmt --write jsr.json", { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
} else if (!existsSync(file) || JSON.stringify(JSON.parse(readFileSync(file, "utf8"))) !== JSON.stringify(manifest)) {
  console.error("jsr.json differs from package.json: run `node scripts/release/jsr.js --write`");
  process.exitCode = 1;
} else {
  // Deno comes with the other runtimes that the package is tested on.
  install(runtimes, "the runtimes");
  const deno = join(runtimes, "node_modules/deno/bin.cjs");
  const isPublished = process.argv.includes("--publish");
  const options = isPublished ? [] : ["--dry-run", "--allow-dirty"];
  const { status, stderr } = spawnSync(process.execPath, [deno, "publish", ...options, "--quiet"], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) console.error(stderr);
  else console.log(`jsr: ${entries.length} entries ${isPublished ? "are" : "would be"} published`);
  process.exitCode = status === 0 ? 0 : 1;
}
