import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { upgrade } from "../content/upgrade.ts";
import * as native from "../modules/http.native.ts";
import {
  Application,
  bytes,
  reply,
  Resource,
  socket,
  text,
  type Answer,
  type Call,
} from "../modules/http.semantics.ts";
import { bearer } from "../middleware/bearer.ts";
import type { ClientSocket } from "./client-socket.ts";

class Room extends Resource {
  override paths = ["/rooms/:room"] as const;
  static GET = {
    101: socket({ receives: z.object({ text: z.string() }), sends: z.object({ text: z.string() }), protocols: ["v1"] }),
    404: "No such room",
  };
  override GET({ path: { room } }: Call<typeof Room, "GET">): Answer<typeof Room, "GET"> {
    if (room === "none") return reply(404);
    return reply(101, {
      open: (peer) => peer.subscribe(room),
      message(peer, { text: said }) {
        if (said === "bye") return peer.close();
        if (said === "leave") return peer.close(4000, "left");
        if (said === "wrong") throw new Error("wrong");
        peer.publish(room, { text: said });
        return peer.send({ text: `${said}?` });
      },
    });
  }
}

class Raw extends Resource {
  override paths = ["/raw"] as const;
  static GET = { 101: socket({ receives: text(), sends: bytes() }) };
  override GET(): Answer<typeof Raw, "GET"> {
    return reply(101, { message: (peer, message) => peer.send(new TextEncoder().encode(message)) });
  }
}

const app = Application.builder()
  .resources(Room, Raw)
  .onError(() => {})
  .build();

describe("app.connect()", () => {
  it("C20.10 connects to an application without a server, typed by its class", async () => {
    const [one, two] = [await app.connect<typeof Room>("/rooms/a"), await app.connect<typeof Room>("/rooms/a")];
    expectTypeOf(one).toEqualTypeOf<ClientSocket<{ text: string }, { text: string }>>();
    expect(one.send({ text: "Hello" })).toBe(true);
    expect([(await one.next()).value, (await two.next()).value]).toEqual([{ text: "Hello?" }, { text: "Hello" }]);
    one.send({ text: "leave" });
    await expect(one.next()).rejects.toMatchObject({
      code: 4000,
      reason: "left",
      message: "/rooms/a was closed with 4000: left",
    });
    expect(await one.closed).toEqual({ code: 4000, reason: "left" });
    app.publish(Room, "a", { text: "all" });
    expect((await two.next()).value).toEqual({ text: "all" });
    two.send({ text: "wrong" });
    await expect(two.next()).rejects.toMatchObject({ code: 1011 });
    const bye = await app.connect<typeof Room>("/rooms/b");
    const last = bye.next();
    bye.send({ text: "bye" });
    expect(await last).toEqual({ value: undefined, done: true });
    // Client and handler close at once.
    const both = await app.connect<typeof Room>("/rooms/b");
    both.send({ text: "leave" });
    both.close(4001, "own");
    expect(await both.closed).toEqual({ code: 4001, reason: "own" });
    const raw = await app.connect<typeof Raw>("/raw");
    raw.send("AB");
    expect((await raw.next()).value).toEqual(new Uint8Array([65, 66]));
    raw.close();
    raw.close();
    expect(await raw.closed).toEqual({ code: 1000, reason: "" });
  });

  it("C20.10 agrees on a subprotocol, and rejects with the status of a refusal", async () => {
    const headers = { "sec-websocket-protocol": "v2, v1" };
    expect((await app.connect<typeof Room>("/rooms/a", { headers })).protocol).toBe("v1");
    const error = await app.connect("/rooms/none").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(native.HTTPError);
    expect(error).toMatchObject({ status: 404, message: "Cannot connect to /rooms/none: it was answered by 404" });
    expect(((error as Error).cause as Response).status).toBe(404);
    await expect(app.connect("/none")).rejects.toMatchObject({ status: 404 });
    const guarded = Application.builder()
      .resources(Room)
      .middleware(bearer({ tokens: { k7: "Ada" } }))
      .build();
    await expect(guarded.connect("/rooms/a")).rejects.toMatchObject({ status: 401 });
    const open = await guarded.connect("/rooms/a", { headers: { authorization: "Bearer k7" } });
    await open.return!();
  });

  it("C20.10 connects to upgrade() of the native module", async () => {
    class Echo extends native.Resource {
      override paths = ["/echo"] as const;
      override GET(request: Request): native.Response {
        return upgrade(request, { message: (peer, message) => peer.send(message) });
      }
    }
    const echo = await native.Application.builder()
      .resources(Echo)
      .build()
      .connect("/echo", { query: { a: 1 } });
    const given = new Uint8Array([1, 2]);
    echo.send(given);
    given[0] = 9;
    echo.send("x");
    expect([(await echo.next()).value, (await echo.next()).value]).toEqual([new Uint8Array([1, 2]), "x"]);
    await echo.drained();
    echo.close();
  });
});
