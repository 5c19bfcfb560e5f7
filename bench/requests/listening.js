import { Server } from "node:http";
import net from "node:net";
import { candidateOf } from "./candidates.js";

/** Starts a candidate on Node, and returns the server of `node:http` that listens for it. */
export async function listening(name, port) {
  const { listen } = net.Server.prototype;
  const found = new Promise((resolve) => {
    net.Server.prototype.listen = function (...args) {
      if (this instanceof Server) this.once("listening", () => resolve(this));
      return listen.apply(this, args);
    };
  });
  const { file, args } = candidateOf(name);
  const { start } = await import(new URL(`servers/${file}.js`, import.meta.url).href);
  await start(port, ...args);
  // Some listen only after start() has fulfilled.
  const server = await found;
  net.Server.prototype.listen = listen;
  return server;
}
