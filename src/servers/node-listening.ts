import { once } from "node:events";
import type { Server } from "node:http";
import type { ListenOptions } from "node:net";

/**
 * Has a server listen, with listeners that a function adds before the first connection can come in.
 *
 * Where it cannot listen they are taken back, as it may be given again with another port, or be somebody else's.
 */
export async function listenWith(add: () => void, server: Server, options: ListenOptions): Promise<void> {
  const added = addedBy(add, server);
  const settled = new AbortController();
  try {
    const listens = once(server, "listening", { signal: settled.signal });
    // Where listen() throws, nobody waits for it.
    listens.catch(() => {});
    server.listen(options);
    await listens;
  } catch (error) {
    for (const [event, listener] of added) server.off(event, listener);
    throw error;
  } finally {
    settled.abort();
  }
}

type Listening = Parameters<Server["off"]>;

function addedBy(add: () => void, server: Server): readonly Listening[] {
  const added: Listening[] = [];
  const note = (...one: Listening): void => void added.push(one);
  server.on("newListener", note);
  add();
  server.off("newListener", note);
  return added;
}
