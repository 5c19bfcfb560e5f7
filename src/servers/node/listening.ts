import { once } from "node:events";
import type { Server } from "node:http";
import type { ListenOptions } from "node:net";
import { quoted } from "../../http/javascript/described.ts";
import { ownOf } from "../../http/javascript/property.ts";

/** The address at which a server listens. `fd` is unknown to the types of Node. */
export type ListenAddress = Pick<ListenOptions, "port" | "host" | "path" | "backlog"> & { readonly fd?: number };

/**
 * Starts a server, with listeners that a function adds before the first connection can come in. Returns the function's
 * result. If the server cannot listen, the listeners are removed: it may be used again with another port, or belong to
 * somebody else.
 */
export async function listenWith<Added>(add: () => Added, server: Server, options: ListenAddress): Promise<Added> {
  const listeners: Listening[] = [];
  const note = (...one: Listening): void => void listeners.push(one);
  server.on("newListener", note);
  const added = add();
  server.off("newListener", note);
  const settled = new AbortController();
  try {
    const listens = once(server, "listening", { signal: settled.signal });
    // If listen() throws, nobody waits for it.
    listens.catch(() => {});
    server.listen(ownOf(options));
    await listens;
    return added;
  } catch (error) {
    for (const [event, listener] of listeners) server.off(event, listener);
    throw explained(error as NodeJS.ErrnoException, options);
  } finally {
    settled.abort();
  }
}

type Listening = Parameters<Server["off"]>;

/** Explains how to fix an error of listening. Programs find the members of Node's error on it. */
function explained(error: NodeJS.ErrnoException, asked: ListenAddress): Error {
  const message = messageOf(error.code, asked);
  if (message === null) return error;
  const { code, errno, syscall, address } = error as { address?: string } & NodeJS.ErrnoException;
  const told = ownOf({ code, errno, syscall, address, port: asked.port, path: asked.path });
  return Object.assign(new Error(message, { cause: error }), told);
}

function messageOf(code: string | undefined, { port, path }: ListenAddress): string | null {
  if (code === "EADDRINUSE") {
    return path === undefined
      ? `Cannot listen on port ${port}: another server listens there; set "port" to another port, or to 0 for a free ` +
          "one"
      : `Cannot listen on ${quoted(path)}: another server listens there, or left the file; set "socketPath" to ` +
          "another path, or remove the file";
  }
  if (code !== "EACCES") return null;
  return path === undefined
    ? `Cannot listen on port ${port}: this process may not; set "port" to 1024 or more, or give the process the right`
    : `Cannot listen on ${quoted(path)}: its folder does not exist, or this process may not write there; set ` +
        '"socketPath" to another path';
}
