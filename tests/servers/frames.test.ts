// Each frame that a client may send, and that it may not, on our server of Node.
import type { AddressInfo } from "node:net";
import { Application, Resource } from "fingerpost/modules/http.native.js";
import { upgrade, type Peer } from "fingerpost/native/content";
import { serve } from "fingerpost/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { frameCases } from "../cases/frames.ts";
import { goodbye, largeFrameCases } from "../cases/large-frames.ts";
import { converse, frame, opcodes, shaken } from "../support/frames.ts";
import { sampled } from "../support/sampled.ts";

class Echo extends Resource {
  paths = ["/echo"];
  GET(request: Request): Response {
    return upgrade(
      request,
      { message: (peer, message) => peer.send(message) },
      { maxBytes: 100_000, maxMessagesPerSecond: 10_000 },
    );
  }
}

class Large extends Resource {
  paths = ["/large"];
  GET(request: Request): Response {
    // A client that reads late is waited for.
    const message = (peer: Peer<unknown>, sent: unknown): Promise<void> | undefined =>
      peer.send(sent as string) ? undefined : peer.drained();
    return upgrade(request, { message }, { maxBytes: 2 ** 24, maxMessagesPerSecond: 10_000 });
  }
}

let port = 0;
const errors: unknown[] = [];
const stop = new AbortController();
beforeAll(async () => {
  const app = Application.builder()
    .resources(Echo, Large)
    .onError((error) => void errors.push(error))
    .build();
  port = ((await serve(app, { port: 0, signal: stop.signal })).address() as AddressInfo).port;
});
afterAll(() => stop.abort());

describe("frames of a client", () => {
  it.each(frameCases)("C20.2 $name", async ({ sent, messages, pongs, closes }) => {
    for (const pieceLength of [sent.length, sent.length > 10_000 ? 1_000 : 1]) {
      const heard = await converse(port, "/echo", sent, { pieceLength });
      expect({ ...heard, isRight: closes.includes(heard.close) }).toEqual({
        messages,
        pongs,
        close: heard.close,
        isRight: true,
      });
    }
    expect(errors).toEqual([]);
  });

  it.each(sampled(largeFrameCases, 3))(
    "C20.2 $name",
    async ({ framesOf, content, count, closes, echoLength, pieceLength }) => {
      const sent = framesOf();
      const after = { length: echoLength, sent: goodbye };
      const heard = await converse(port, "/large", sent, { pieceLength: pieceLength ?? sent.length, after });
      expect(closes).toContain(heard.close);
      expect(heard.messages.length).toBe(count);
      // Vitest would print both.
      const expected = Buffer.from(content as string);
      for (const [at, message] of heard.messages.entries()) {
        expect(typeof message, `message ${at}`).toBe(typeof content);
        expect(expected.equals(Buffer.from(message as string)), `message ${at}`).toBe(true);
      }
      expect(errors).toEqual([]);
    },
  );

  it("C20.2 that pings and reads nothing ends its connection: pongs do not pile up", { timeout: 60_000 }, async () => {
    const socket = await shaken(port, "/echo");
    socket.pause();
    const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    const pings = Buffer.concat(Array.from({ length: 500 }, () => frame(opcodes.ping, "x".repeat(125))));
    // The kernel takes some megabytes of pongs. What a server held beyond them, before `ws` had a limit, was all of it.
    let sent = 0;
    for (; !socket.destroyed && sent < 40e6; sent += pings.length) {
      if (!socket.write(pings)) await Promise.race([ended, new Promise((resolve) => socket.once("drain", resolve))]);
    }
    // A connection that is paused tells of its end when it is read.
    if (sent < 40e6) socket.resume();
    else socket.destroy();
    await ended;
    expect(sent).toBeLessThan(40e6);
  });
});
