// A client that sends the head of a handshake as it is.
import { connect } from "node:net";
import { once } from "node:events";
import { acceptOfCase, type HandshakeCase } from "../cases/handshakes.ts";

/** The answer to a handshake, as far as it concerns one; `status` is NaN where there was none. */
export interface Answered {
  readonly status: number;
  readonly protocol: string | null;
}

/**
 * Sends a handshake and reads the head of the answer.
 *
 * @throws {Error} when an answer of 101 is not one of a WebSocket, or another one misses what it must have.
 */
export async function shakeHands(
  port: number,
  path: string,
  { method, version, lines, content }: HandshakeCase,
  more: readonly string[] = [],
): Promise<Answered> {
  const socket = connect({ port, host: "127.0.0.1" });
  let received = "";
  socket.on("data", (chunk) => (received += chunk.toString("latin1"))).on("error", () => {});
  const closed = new Promise((resolve) => socket.on("close", resolve));
  socket.write([`${method} ${path} HTTP/${version}`, "Host: h", ...more, ...lines, "", content].join("\r\n"));
  const patience = AbortSignal.timeout(15_000);
  while (!received.includes("\r\n\r\n") && !socket.destroyed && !patience.aborted)
    await Promise.race([once(socket, "data", { signal: patience }).catch(() => {}), closed]);
  socket.destroy();
  await closed;
  const head = received.slice(0, received.indexOf("\r\n\r\n"));
  const field = (name: string): string | null => new RegExp(`^${name}: *(.*)$`, "im").exec(head)?.[1]?.trim() ?? null;
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1]);
  if (status === 101) {
    if (field("sec-websocket-accept") !== acceptOfCase) throw new Error(`the answer to the key is wrong: ${head}`);
    if (field("upgrade")?.toLowerCase() !== "websocket") throw new Error(`the answer has no Upgrade: ${head}`);
    if (!/upgrade/i.test(field("connection") ?? "")) throw new Error(`the answer has no Connection: ${head}`);
  }
  return { status, protocol: status === 101 ? field("sec-websocket-protocol") : null };
}
