// Ports for processes that take a number, and when they listen on it.
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

/** A port that nobody listens on: outside of those that systems give away, one of which may be gone a moment later. */
export async function freePort() {
  const server = createServer().listen(12_000 + Math.floor(Math.random() * 18_000));
  const isFree = await once(server, "listening").then(
    () => true,
    () => false,
  );
  if (!isFree) return freePort();
  const { port } = server.address();
  await once(server.close(), "close");
  return port;
}

/** Waits until a process takes connections on a port; fails where it ends before. */
export async function listening(port, child) {
  while (!(await takesConnections(port))) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${child.spawnargs.join(" ")} ended before it listened on ${port}`);
    await wait(50);
  }
}

async function takesConnections(port) {
  const socket = connect({ port, host: "localhost" });
  const isOpen = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}
