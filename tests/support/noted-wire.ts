import type { Wire } from "../../src/sockets/wire.ts";

/** Makes a connection that sends nothing, and notes in a list how it was ended. */
export function notedWire(log: unknown[]): Wire {
  const wire = {
    waiting: 0,
    send: () => {},
    close: (...end: unknown[]) => log.push(end),
    cut: () => log.push("cut"),
  };
  return wire as Wire;
}
