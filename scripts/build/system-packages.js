// Installs what CI needs of Debian's packages, where they are not there yet and may be installed: `redis-server` for
// the tests of limits and events over processes, `chromium` for the tests of pages, `haproxy` for the test of several
// machines, and with `nginx` and `caddy` for the page of proxies. Without them, those tests are skipped, and say so.
// With `--clients`, it installs the clients of protocols that are tried at night.
import { spawnSync } from "node:child_process";

const has = (command, ...args) => spawnSync(command, args, { stdio: "ignore" }).status === 0;
const ofTests = { "redis-server": "--version", chromium: "--version", haproxy: "-v", nginx: "-v", caddy: "version" };
const ofClients = { buildah: "--version", rclone: "--version", s3cmd: "--version", skopeo: "--version" };
const packages = process.argv.includes("--clients") ? ofClients : ofTests;
const missing = () => Object.keys(packages).filter((name) => !has(name, packages[name]));

const isRoot = process.getuid?.() === 0;
const run = (...args) => (isRoot ? has(...args) : has("sudo", "-n", ...args));
const wanted = missing();
if (wanted.length > 0 && has("apt-get", "--version") && run("apt-get", "update", "-qq")) {
  for (const name of wanted) run("apt-get", "install", "-y", "-qq", "--no-install-recommends", name);
}
const left = missing();
console.log(left.length === 0 ? "system packages: all are there" : `system packages: not there: ${left.join(", ")}`);
