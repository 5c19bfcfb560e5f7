// Runs programs for `scripts/check/programs-under-fire.js`, and tells where they listen. Applications that a program
// builds and does not serve are served here.
import { Server } from "node:net";
import { pathToFileURL } from "node:url";
import * as native from "../../../dist/modules/http.native.js";
import * as polyfill from "../../../dist/modules/http.polyfill.js";
import * as semantics from "../../../dist/modules/http.semantics.js";
import { serve } from "../../../dist/servers/node.js";

let applications = [];
let servers = [];

for (const { Application } of [native, polyfill, semantics]) {
  const prototype = Object.getPrototypeOf(Application.builder());
  const { build } = prototype;
  if (build.isWatched) continue;
  prototype.build = function () {
    const application = build.call(this);
    applications.push(application);
    return application;
  };
  prototype.build.isWatched = true;
}

const { listen } = Server.prototype;
Server.prototype.listen = function (...args) {
  servers.push(this);
  return listen.apply(this, args);
};

const addressOf = (server) => {
  const address = server.address();
  if (address === null || typeof address === "string") return address;
  return { port: address.port, host: address.family === "IPv6" ? "::1" : "127.0.0.1" };
};
const pathsOf = (application) => application.resources.flatMap(({ patterns }) => patterns.map(({ source }) => source));

process.on("message", async ({ file }) => {
  applications = [];
  servers = [];
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    process.send({ failed: String(error?.stack ?? error) });
    return;
  }
  const own = servers.filter((server) => server.listening);
  const built = [...new Set(applications)];
  const paths = [...new Set(built.flatMap(pathsOf))];
  const more = own.length > 0 ? [] : built.slice(0, 2);
  for (const application of more) {
    own.push(await serve(application, { port: 0, hostname: "127.0.0.1" }));
  }
  process.send({ addresses: own.map(addressOf).filter((address) => address !== null), paths });
});
