import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startProgram, startServer } from "../lib/load.js";
import { commandOf } from "../lib/runtimes.js";

const script = (file, runtime, ...args) => ({
  isThere: () => runtime === "node" || isProgram(commandOf(runtime)[0]),
  start(name, port, root) {
    const url = new URL(`servers/${file}.js`, import.meta.url);
    return startServer(name, url, port, { runtime: commandOf(runtime), args: [root, ...args] });
  },
});

const program = (binary, versionArg, commandOfServer, env) => ({
  isThere: () => isProgram(binary, versionArg),
  start: (name, port, root, scratch) =>
    startProgram(name, [binary, ...commandOfServer(port, root, scratch)], port, {
      ...env,
      HOME: scratch,
    }),
});

const isProgram = (binary, arg = "--version") => spawnSync(binary, [arg], { stdio: "ignore" }).status === 0;

/** The servers of files, by name. Those of the system, and Bun, are left out where they are not installed. */
export const servers = {
  "fingerpost snapshot": script("fingerpost", "node", "snapshot"),
  "fingerpost folder": script("fingerpost", "node", "folder"),
  sirv: script("sirv", "node"),
  send: script("send", "node"),
  "@fastify/static": script("fastify", "node"),
  "Hono serveStatic": script("hono", "node"),
  "h3 serveStatic": script("h3", "node"),
  "fingerpost snapshot on Bun": script("fingerpost", "bun", "snapshot"),
  "fingerpost folder on Bun": script("fingerpost", "bun", "folder"),
  "Bun routes of bytes": script("bun", "bun", "bytes"),
  "Bun routes of files": script("bun", "bun", "file"),
  nginx: program("nginx", "-v", nginx),
  // One worker, as nginx has: each server has one core.
  Caddy: program("caddy", "version", caddy, { GOMAXPROCS: "1" }),
};

function nginx(port, root, scratch) {
  const file = join(scratch, "nginx.conf");
  writeFileSync(
    file,
    `daemon off;
${process.getuid() === 0 ? "user root;" : ""}
worker_processes 1;
pid ${scratch}/nginx.pid;
error_log stderr crit;
events {}
http {
  types { text/javascript js; }
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  client_body_temp_path ${scratch}/body;
  proxy_temp_path ${scratch}/proxy;
  fastcgi_temp_path ${scratch}/fastcgi;
  uwsgi_temp_path ${scratch}/uwsgi;
  scgi_temp_path ${scratch}/scgi;
  server { listen ${port}; listen [::]:${port}; root ${root}; }
}
`,
  );
  return ["-c", file, "-p", scratch];
}

function caddy(port, root, scratch) {
  const file = join(scratch, "Caddyfile");
  writeFileSync(
    file,
    `{
  admin off
  auto_https off
  log {
    output discard
  }
}
http://:${port} {
  root * ${root}
  file_server
}
`,
  );
  return ["run", "--config", file, "--adapter", "caddyfile"];
}
