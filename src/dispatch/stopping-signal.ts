import { originalOf } from "./input-exchange.ts";

/** Finds the signal of a server that is stopping by an input that came from it. */
export type FindStopping = (original: object) => AbortSignal | null;

/** The functions of the servers of this process. Code that answers a request need not know the servers. */
const servers = new Set<FindStopping>();

export function findStoppingBy(find: FindStopping): void {
  servers.add(find);
}

/**
 * The signal that aborts when the server of an input begins to stop; null where no server of ours is known to have one.
 */
export function stoppingSignalFor(input: object): AbortSignal | null {
  const original = originalOf(input);
  for (const find of servers) {
    const signal = find(original);
    if (signal !== null) return signal;
  }
  return null;
}
