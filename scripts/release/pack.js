// Makes what a release gives, of the commit that is checked out: the package, a list of its files with their digests,
// and an SBOM. The package is made twice, from clones at two paths, in two time zones and languages, with one digest.
//
//   node scripts/release/pack.js --into=release            # what .github/workflows/release.yml publishes
//   node scripts/release/pack.js --into=release --of-npm   # compares with what the registry has, too
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { packInto } from "../check/lib/packed.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const given = process.argv.find((argument) => argument.startsWith("--into="))?.slice("--into=".length);
const scratch = mkdtempSync(join(tmpdir(), "fingerpost-"));
// What is packed has the modes of its files.
process.umask(0o022);

/** Returns what a command prints. What it complains of is shown. */
const run = (command, args, options) =>
  execFileSync(command, args, {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    stdio: ["ignore", "pipe", "inherit"],
    ...options,
  });

/** Packs a fresh clone of the commit. */
async function packClone(place, settings) {
  const folder = join(scratch, place);
  // An SBOM calls the package as its folder is called.
  const clone = join(folder, name);
  const options = { cwd: clone, env: { ...process.env, ...settings } };
  run("git", ["clone", "--quiet", "--no-hardlinks", root, clone]);
  run("npm", ["ci", "--prefer-offline", "--ignore-scripts", "--loglevel=error"], options);
  run("npm", ["run", "--silent", "build"], options);
  return { clone, folder, ...(await packInto(folder, clone)) };
}

/** Writes the package, its list and its SBOM into a folder. */
function keep({ clone, folder, filename, files }, into) {
  mkdirSync(into, { recursive: true });
  copyFileSync(join(folder, filename), join(into, filename));
  const digestOf = (path) =>
    createHash("sha256")
      .update(readFileSync(join(clone, path)))
      .digest("hex");
  const lines = files.map(({ path }) => `${digestOf(path)}  ${path}\n`);
  writeFileSync(join(into, `${name}-${version}.sha256`), lines.join(""));
  const options = ["--omit=dev", "--omit=optional", "--sbom-format=cyclonedx", "--sbom-type=library"];
  writeFileSync(join(into, `${name}-${version}.cdx.json`), run("npm", ["sbom", ...options], { cwd: clone }));
}

try {
  const released = await packClone("here", {});
  const { files, size, integrity } = released;
  console.log(`release: ${name} ${version}, ${files.length} files, ${size} bytes, ${integrity}`);
  if (given !== undefined) keep(released, resolve(given));
  const others = [["another clone", (await packClone("else where", { TZ: "Asia/Kathmandu", LC_ALL: "C" })).integrity]];
  if (process.argv.includes("--of-npm"))
    others.push(["the registry", run("npm", ["view", `${name}@${version}`, "dist.integrity"]).trim()]);
  for (const [place, other] of others)
    if (other !== integrity) throw new Error(`The package of ${place} has another digest: ${other}`);
  console.log(`release: the same digest of ${others.map(([place]) => place).join(" and ")}`);
  run("npm", ["publish", join(released.folder, released.filename), "--dry-run", "--tag=rehearsal", "--loglevel=error"]);
  console.log("release: npm would publish it");
} finally {
  rmSync(scratch, { recursive: true });
}
