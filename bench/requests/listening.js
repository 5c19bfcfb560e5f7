import { Server } from "node:http";
import net from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { candidateOf } from "./candidates.js";

/** Starts a candidate on Node, and returns the server of `node:http` that it listens with. */
export async function listening(name, port) {
  const { listen } = net.Server.prototype;
  let found;
  net.Server.prototype.listen = function (...args) {
    if (this instanceof Server) found = this;
    return listen.apply(this, args);
  };
  const { file, args } = candidateOf(name);
  const { start } = await import(new URL(`servers/${file}.js`, import.meta.url).href);
  await start(port, ...args);
  await wait(100);
  net.Server.prototype.listen = listen;
  return found;
}
