// Installs what folders apart from the root need, by the one lock file of all of them, tools/package-lock.json: each
// folder that tools/package.json names as a workspace gets a node_modules of its own, with what its package.json names.
// `npm run tools -- tests/openapi` installs one. After a change of such a package.json, `npm run tools -- --write`
// writes the lock file.
import { execSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const tools = join(root, "tools");
const lock = join(tools, "package-lock.json");
const { workspaces } = JSON.parse(readFileSync(join(tools, "package.json"), "utf8"));

/** Installs what the package.json of a folder names, unless its node_modules holds that. Only one process does so. */
export function install(folder, what) {
  const lockFolder = join(tools, "node_modules", `${relative(root, folder).replaceAll("/", "-")}.lock`);
  mkdirSync(dirname(lockFolder), { recursive: true });
  while (!isMade(lockFolder)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  try {
    installAlone(folder, what);
  } finally {
    rmSync(lockFolder, { recursive: true });
  }
}

/** Makes a folder that says who works here. What a process left behind that was killed counts for nothing. */
function isMade(lockFolder) {
  try {
    mkdirSync(lockFolder);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    if (Date.now() - changed(lockFolder) > 300_000) rmSync(lockFolder, { recursive: true, force: true });
    return false;
  }
}

function installAlone(folder, what) {
  const room = relative(root, folder);
  const isRoom = workspaces.includes(room);
  const installed = join(folder, "node_modules");
  const sources = [isRoom ? lock : join(folder, "package-lock.json"), join(folder, "package.json")];
  if (changed(join(installed, ".package-lock.json")) >= Math.max(...sources.map(changed))) return;
  console.log(`Installing ${what} …`);
  if (isRoom) installRoom(room, installed);
  else npm("ci", folder);
}

const changed = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * npm finds its workspaces below the folder that has the lock file. So it gets a copy of the manifests, and its work is
 * moved.
 */
function installRoom(room, installed) {
  const { folder, links } = stageOf(room);
  npm(`ci --workspace=${room}`, folder);
  const made = join(folder, "node_modules");
  const { name } = JSON.parse(readFileSync(join(root, room, "package.json"), "utf8"));
  rmSync(join(made, name), { recursive: true, force: true });
  moveInto(made, join(folder, room, "node_modules"), room);
  for (const [link, target] of links.get(room)) symlinkSync(target, join(made, link), "junction");
  rmSync(installed, { recursive: true, force: true });
  renameSync(made, installed);
  const now = join(installed, ".package-lock.json");
  writeFileSync(now, readFileSync(now));
  rmSync(folder, { recursive: true });
}

/** A copy of all manifests beside the lock file, without links to the package itself, which has no place in it. */
function stageOf(name) {
  const folder = join(tools, "node_modules", name.replaceAll("/", "-"));
  rmSync(folder, { recursive: true, force: true });
  const links = new Map();
  for (const room of workspaces) {
    const manifest = JSON.parse(readFileSync(join(root, room, "package.json"), "utf8"));
    const local = Object.entries(manifest.dependencies).filter(([, version]) => version.startsWith("file:"));
    for (const [link] of local) delete manifest.dependencies[link];
    links.set(
      room,
      local.map(([link, version]) => [link, join(root, room, version.slice("file:".length))]),
    );
    mkdirSync(join(folder, room), { recursive: true });
    writeFileSync(join(folder, room, "package.json"), JSON.stringify(manifest));
  }
  for (const file of ["package.json", "package-lock.json", ".npmrc"])
    copyFileSync(join(tools, file), join(folder, file));
  return { folder, links };
}

/**
 * Moves the copy of a package that npm put into a folder itself, because there are two versions, to the others, if the
 * room has no other version.
 */
function moveInto(made, nested, room) {
  if (!existsSync(nested)) return;
  for (const name of readdirSync(nested)) {
    const packages = name.startsWith("@") ? readdirSync(join(nested, name)).map((one) => `${name}/${one}`) : [name];
    for (const one of packages) {
      if (name !== ".bin" && existsSync(join(made, one)))
        throw new Error(`${one} is there in two versions for ${room}; write one version in each package.json`);
      mkdirSync(dirname(join(made, one)), { recursive: true });
      cpSync(join(nested, one), join(made, one), { recursive: true, verbatimSymlinks: true });
    }
  }
}

/**
 * Resolves anew what changed, and keeps of each package what an installation needs: licenses and engines are in the
 * packages.
 */
function writeLock() {
  const { folder } = stageOf("lock");
  npm("install --package-lock-only", folder);
  const text = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  for (const one of Object.values(text.packages)) for (const key of ["license", "engines", "funding"]) delete one[key];
  writeFileSync(lock, `${JSON.stringify(text, null, 2)}\n`);
  rmSync(folder, { recursive: true });
  console.log(`tools: ${Object.keys(text.packages).length} packages in the lock file`);
}

function npm(command, cwd) {
  const stdio = ["ignore", "ignore", "inherit"];
  execSync(`npm ${command} --no-progress --loglevel=error`, { cwd, stdio });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rooms = process.argv.slice(2);
  if (rooms.includes("--write")) writeLock();
  else for (const room of rooms) install(join(root, room), `what ${room} needs`);
}
