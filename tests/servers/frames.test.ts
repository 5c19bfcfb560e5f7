// Each frame that a client may send, and that it may not, on our server of Node.
import type { AddressInfo } from "node:net";
import { upgrade } from "fingerpost/content/sockets.js";
import { Application, Resource } from "fingerpost/modules/http.native.js";
import { serve } from "fingerpost/servers/node.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { frameCases } from "../cases/frames.ts";
import { converse } from "../support/frames.ts";

class Echo extends Resource {
  paths = ["/echo"];
  GET(request: Request): Response {
    return upgrade(
      request,
      { message: (peer, message) => peer.send(message) },
      { maxBytes: 100_000, perSecond: 10_000 },
    );
  }
}

let port = 0;
const errors: unknown[] = [];
const stop = new AbortController();
beforeAll(async () => {
  const app = Application.builder()
    .resources(Echo)
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
});
