import { once } from "node:events";
import type { Server } from "node:http";
import type { ListenOptions } from "node:net";
import { ownOf } from "../../http/given.ts";

/**
 * Has a server listen, with listeners that a function adds before the first connection can come in, and gives what that returned.
 *
 * Where it cannot listen they are taken back, as it may be given again with another port, or be somebody else's.
 */
export async function listenWith<Added>(add: () => Added, server: Server, options: ListenOptions): Promise<Added> {
  const listeners: Listening[] = [];
  const note = (...one: Listening): void => void listeners.push(one);
  server.on("newListener", note);
  const added = add();
  server.off("newListener", note);
  const settled = new AbortController();
  try {
    const listens = once(server, "listening", { signal: settled.signal });
    // Where listen() throws, nobody waits for it.
    listens.catch(() => {});
    server.listen(ownOf(options));
    await listens;
    return added;
  } catch (error) {
    for (const [event, listener] of listeners) server.off(event, listener);
    throw error;
  } finally {
    settled.abort();
  }
}

type Listening = Parameters<Server["off"]>;
