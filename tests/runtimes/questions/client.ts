import { once } from "node:events";
import { WebSocket } from "ws";
import type { Asker } from "./question.ts";

/** A client of a WebSocket, with what it got. */
export interface Client {
  readonly socket: WebSocket;
  readonly got: (string | number[])[];
  readonly closed: Promise<readonly [code: number, reason: string]>;
}

/** Connects by the package ws. */
export async function connected(
  { server }: Asker,
  path: string,
  protocols: string[],
  headers: Readonly<Record<string, string>>,
): Promise<Client> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, protocols, { headers });
  const got: (string | number[])[] = [];
  socket.on("message", (data: Buffer, isBinary: boolean) => got.push(isBinary ? [...data] : data.toString()));
  const closed = new Promise<readonly [number, string]>((resolve) => {
    socket.once("close", (code, reason) => resolve([code, String(reason)]));
  });
  await once(socket, "open");
  socket.on("error", () => {});
  return { socket, got, closed };
}
