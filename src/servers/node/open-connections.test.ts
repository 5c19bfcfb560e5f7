import { once } from "node:events";
import { Agent } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { ask, native, started, turn } from "../../../tests/support/sockets.ts";
import { OpenConnection, OpenConnections } from "./open-connections.ts";

describe("OpenConnections", () => {
  it("has those that are open", async () => {
    const open = new OpenConnections();
    const sockets = [new Socket(), new Socket(), new Socket()];
    for (const socket of sockets) open.add(new OpenConnection(socket));
    await ended(sockets[1]!);
    expect([...open].map(([socket]) => socket)).toEqual([sockets[0], sockets[2]]);
  });

  it("forgets those that are over as others come", async () => {
    const open = new OpenConnections();
    const kept = new Socket();
    open.add(new OpenConnection(kept));
    let most = 0;
    for (let count = 0; count < 1000; count++) {
      const socket = new Socket();
      open.add(new OpenConnection(socket));
      await ended(socket);
      most = Math.max(most, open.size);
    }
    expect(most).toBeLessThan(10);
    expect([...open].map(([socket]) => socket)).toEqual([kept]);
  });

  it("keeps a stream of a program that does not say whether it is closed", () => {
    const open = new OpenConnections();
    const stream = {} as Socket;
    open.add(new OpenConnection(stream));
    for (let count = 0; count < 10; count++) open.add(new OpenConnection(new Socket()));
    expect([...open].map(([socket]) => socket)).toContain(stream);
  });
});

describe("serve()", () => {
  it("adds no listener of its own to a connection", async () => {
    const server = await started(native(() => new Response("ok")));
    const sockets: Socket[] = [];
    server.on("connection", (socket: Socket) => void sockets.push(socket));
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    await ask(server, { agent });
    await turn();
    // Node's own: at the end of a connection that waits for the next request.
    expect(sockets.map((socket) => socket.listenerCount("close"))).toEqual([1]);
  });
});

async function ended(socket: Socket): Promise<void> {
  const closed = once(socket, "close");
  socket.destroy();
  await closed;
}
