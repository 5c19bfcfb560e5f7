// Each handshake that a client may send, and that it may not, on our server of Node.
import type { AddressInfo } from "node:net";
import { Application, reply, Resource, socket, text, type Answer } from "fingerpost";
import { serve } from "fingerpost/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { handshakeCases } from "../cases/handshakes.ts";
import { shakeHands } from "../support/handshakes.ts";

class Room extends Resource {
  paths = ["/room"] as const;
  static GET = { 101: socket({ receives: text(), sends: text(), protocols: ["v2", "v1"] }) };
  GET(): Answer<typeof Room, "GET"> {
    accepted++;
    return reply(101, { open: () => void opened++ });
  }
}

let accepted = 0;
let opened = 0;
let port = 0;
const stop = new AbortController();
beforeAll(async () => {
  const app = Application.builder().resources(Room).build();
  port = ((await serve(app, { port: 0, signal: stop.signal })).address() as AddressInfo).port;
});
afterAll(() => stop.abort());

describe("handshakes of a client", () => {
  it.each(handshakeCases)("C20.1 $name: $status", async (one) => {
    accepted = opened = 0;
    const { status, protocol } = one;
    expect(await shakeHands(port, "/room", one)).toEqual({ status, protocol });
    // What the handler accepts is completed, too.
    expect([accepted, opened]).toEqual(status === 101 ? [1, 1] : [0, 0]);
  });
});
