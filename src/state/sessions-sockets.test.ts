import type { AddressInfo } from "node:net";
import { Inbox } from "fingerpost/events";
import { eventStream, upgrade } from "fingerpost/native/content";
import * as native from "fingerpost/modules/http.native.js";
import * as semantics from "fingerpost";
import { serve } from "fingerpost/node";
import { sessions, type Session, type ProcessFeed, type SessionStore } from "fingerpost/sessions";
import { memorySessions } from "fingerpost/stores";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";

const schema = z.object({ user: z.string() });

async function started(app: Parameters<typeof serve>[0]): Promise<number> {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const server = await serve(app, { port: 0, signal: stop.signal, graceMs: 100 });
  return (server.address() as AddressInfo).port;
}

/** An application with a WebSocket, and what signs in and out. */
async function serving(
  store: SessionStore = memorySessions(),
  gate: Promise<void> = Promise.resolve(),
  feed?: ProcessFeed,
) {
  const session = new native.Attribute<Session<z.output<typeof schema>>>("session");
  const Sessions = sessions({ session, schema, store, feed, ownerOf: ({ user }) => user });
  class Live extends semantics.Resource {
    paths = ["/live"] as const;
    static GET = { 101: semantics.socket({ receives: semantics.text(), sends: semantics.text() }) };
    async GET(): Promise<semantics.Answer<typeof Live, "GET">> {
      await gate;
      return semantics.reply(101, {});
    }
  }
  class SignIn extends semantics.Resource {
    paths = ["/session/:user"] as const;
    static POST = { 204: "Signed in" };
    async POST(call: semantics.Call<typeof SignIn, "POST">): Promise<semantics.Answer<typeof SignIn, "POST">> {
      await session.get(call).start({ user: call.path.user });
      return semantics.reply(204);
    }
    static DELETE = { 204: "Signed out" };
    async DELETE(call: semantics.Call<typeof SignIn, "DELETE">): Promise<semantics.Answer<typeof SignIn, "DELETE">> {
      await session.get(call).end();
      return semantics.reply(204);
    }
  }
  const app = semantics.Application.builder()
    .resources(Live, SignIn)
    .middleware(Sessions)
    .onError(() => {})
    .build();
  const port = await started(app);
  const ask = async (method: string, user: string, cookie = ""): Promise<string> => {
    const response = await app.fetch(new Request(`https://a.example/session/${user}`, { method, headers: { cookie } }));
    if (response.status !== 204) return String(response.status);
    return response.headers.getSetCookie()[0]!.split(";")[0]!;
  };
  const connect = async (cookie: string | null) => {
    const client = new WebSocket(`ws://127.0.0.1:${port}/live`, { headers: cookie === null ? {} : { cookie } });
    onTestFinished(() => client.terminate());
    const ended = vi.fn<(code: number, reason: string) => void>();
    client.on("close", (code, reason) => ended(code, String(reason)));
    await new Promise((resolve, reject) => client.once("open", resolve).once("error", reject));
    return ended;
  };
  return { Sessions, ask, connect };
}

const over = [[1008, "The session is over"]];

const closed = (ended: { readonly mock: { readonly calls: unknown[][] } }): Promise<void> =>
  vi.waitFor(() => expect(ended.mock.calls).toEqual(over));

describe("a handshake", () => {
  it("C20.1 C13.5 sends fields of middleware with its 101, and the cookie of a session that begins", async () => {
    const session = new native.Attribute<Session<z.output<typeof schema>>>("session");
    class Own extends native.Middleware {
      override async ALL(request: Request): Promise<Response> {
        const response = await this.next(request);
        response.headers.set("x-own", "a");
        response.headers.append("set-cookie", "other=b");
        return response;
      }
    }
    class Live extends native.Resource {
      paths = ["/live"] as const;
      async GET(request: Request): Promise<Response> {
        await session.get(request).start({ user: "ann" });
        return upgrade(request, {}) as Response;
      }
      override POST(request: Request): Response {
        return new Response(session.get(request).data?.user);
      }
    }
    const app = native.Application.builder()
      .resources(Live)
      .middleware(Own, sessions({ session, schema, store: memorySessions() }))
      .build();
    const client = new WebSocket(`ws://127.0.0.1:${await started(app)}/live`);
    onTestFinished(() => client.terminate());
    const headers = await new Promise<Record<string, unknown>>((resolve, reject) => {
      client.once("upgrade", (response) => resolve(response.headers)).once("error", reject);
    });
    const [begun, other] = headers["set-cookie"] as [string, string];
    expect([headers["x-own"], other]).toEqual(["a", "other=b"]);
    const cookie = begun.split(";")[0]!;
    expect(await (await app.request("/live", { method: "POST", headers: { cookie } })).text()).toBe("ann");
  });
});

describe("sockets of sessions", () => {
  it("C20.11 are closed by revokeAll(), but for those of others and of the session that stays", async () => {
    const { Sessions, ask, connect } = await serving();
    const [phone, laptop, eve] = [await ask("POST", "ada"), await ask("POST", "ada"), await ask("POST", "eve")];
    const all = [];
    for (const cookie of [phone, phone, laptop, eve, null]) all.push(await connect(cookie));
    const [one, two, stays, others, nobody] = all as [never, never, never, never, never];
    const [, { id }] = (await Sessions.list("ada")) as unknown as [unknown, { id: string }];
    await Sessions.revokeAll("ada", { except: id });
    await closed(one);
    await closed(two);
    await Sessions.revokeAll("ada");
    await closed(stays);
    for (const ended of [others, nobody]) expect(ended).not.toHaveBeenCalled();
  });

  it("C20.11 are closed by revoke(), by end() and by a new start()", async () => {
    const { Sessions, ask, connect } = await serving();
    const cookie = await ask("POST", "ada");
    const first = await connect(cookie);
    await Sessions.revoke("ada", "another");
    const [{ id }] = (await Sessions.list("ada")) as unknown as [{ id: string }];
    await Sessions.revoke("ada", id);
    await closed(first);
    const again = await ask("POST", "ada");
    const second = await connect(again);
    const newest = await ask("POST", "ada", again);
    await closed(second);
    const third = await connect(newest);
    await ask("DELETE", "ada", newest);
    await closed(third);
  });

  it("C20.11 are closed where another process has ended the session", async () => {
    const store = memorySessions();
    const here = await serving(store);
    const there = await serving(store);
    const ended = await here.connect(await there.ask("POST", "ada"));
    await there.Sessions.revokeAll("ada");
    expect(await here.Sessions.list("ada")).toEqual([]);
    // As when a message says so.
    await here.Sessions.revokeAll("ada");
    await closed(ended);
  });

  it("C20.11 are closed in all processes that share a feed, by each way to end a session", async () => {
    const store = memorySessions();
    const inbox = new Inbox<unknown>();
    const feed = { inbox, send: async (data: unknown) => inbox.send(JSON.parse(JSON.stringify(data))) };
    const none = Promise.resolve();
    const [here, there] = [await serving(store, none, feed), await serving(store, none, feed)];
    const [phone, laptop, eve] = [
      await here.ask("POST", "ada"),
      await here.ask("POST", "ada"),
      await here.ask("POST", "eve"),
    ];
    const [ofPhone, ofLaptop, ofEve] = [await here.connect(phone), await here.connect(laptop), await here.connect(eve)];
    const [, { id }] = (await there.Sessions.list("ada")) as unknown as [unknown, { id: string }];
    await there.Sessions.revokeAll("ada", { except: id });
    await closed(ofPhone);
    expect(ofLaptop).not.toHaveBeenCalled();
    await there.Sessions.revoke("ada", id);
    await closed(ofLaptop);
    const newest = await there.ask("POST", "eve", eve);
    await closed(ofEve);
    const last = await here.connect(newest);
    await there.ask("DELETE", "eve", newest);
    await closed(last);
  });

  it("C20.11 that nobody could tell of are 503, so that the client tries again", async () => {
    const inbox = new Inbox<unknown>();
    const send = vi.fn<ProcessFeed["send"]>().mockRejectedValueOnce(new Error("down"));
    const { ask, Sessions } = await serving(memorySessions(), Promise.resolve(), { inbox, send });
    const cookie = await ask("POST", "ada");
    expect(await ask("DELETE", "ada", cookie)).toBe("503");
    expect(await ask("DELETE", "ada", cookie)).toMatch(/^__Host-session=$/);
    expect(send.mock.calls).toHaveLength(2);
    expect(send.mock.calls[1]).toEqual(send.mock.calls[0]);
    send.mockRejectedValueOnce(new Error("down"));
    await expect(Sessions.revokeAll("ada")).rejects.toMatchObject({ status: 503 });
  });

  it("C20.11 are closed if the session ended during the handshake, and stay if the store fails", async () => {
    let open!: () => void;
    const memory = memorySessions();
    let isDown = false;
    const find = vi.fn<SessionStore["find"]>((...args) =>
      isDown ? Promise.reject(new Error("down")) : memory.find(...args),
    );
    const bound = Object.fromEntries(
      (["begin", "replace", "delete", "list"] as const).map((name) => [
        name,
        (memory[name] as (...args: unknown[]) => unknown).bind(memory),
      ]),
    );
    const store = { ...bound, find } as unknown as SessionStore;
    const { Sessions, ask, connect } = await serving(store, new Promise((resolve) => (open = resolve)));
    const connecting = connect(await ask("POST", "ada"));
    await vi.waitFor(() => expect(find).toHaveBeenCalled());
    await Sessions.revokeAll("ada");
    open();
    await closed(await connecting);
    const cookie = await ask("POST", "ada");
    const calls = find.mock.calls.length;
    // The request reads the session, and the store fails afterwards.
    find.mockImplementationOnce((...args) => {
      isDown = true;
      return memory.find(...args);
    });
    const ended = await connect(cookie);
    await vi.waitFor(() => expect(find.mock.calls.length).toBe(calls + 2));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(ended).not.toHaveBeenCalled();
  });

  it("C20.11 of the native module are closed, too", async () => {
    const session = new native.Attribute<Session<z.output<typeof schema>>>("session");
    const Sessions = sessions({ session, schema, store: memorySessions(), ownerOf: ({ user }) => user });
    class Live extends native.Resource {
      paths = ["/live"];
      async POST(request: Request): Promise<Response> {
        await session.get(request).start({ user: "ada" });
        return new Response(null, { status: 204 });
      }
      GET(request: Request): Response {
        return upgrade(request, {});
      }
    }
    const app = native.Application.builder().resources(Live).middleware(Sessions).build();
    const port = await started(app);
    const response = await app.fetch(new Request("https://a.example/live", { method: "POST" }));
    const cookie = response.headers.getSetCookie()[0]!.split(";")[0]!;
    const client = new WebSocket(`ws://127.0.0.1:${port}/live`, { headers: { cookie } });
    const ended = vi.fn<(code: number, reason: string) => void>();
    client.on("close", (code, reason) => ended(code, String(reason)));
    await new Promise((resolve) => client.once("open", resolve));
    await Sessions.revokeAll("ada");
    await closed(ended);
  });
});

describe("events of sessions", () => {
  const session = new native.Attribute<Session<z.output<typeof schema>>>("session");
  const Sessions = sessions({ session, schema, store: memorySessions(), ownerOf: ({ user }) => user });
  const left = vi.fn<() => void>();

  /** One event, and no other until the signal aborts. */
  async function* waiting(signal: AbortSignal): AsyncGenerator<{ data: string }> {
    yield { data: "first" };
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    left();
  }
  class Declared extends semantics.Resource {
    paths = ["/declared"] as const;
    static GET = { 200: semantics.events(z.string(), { graceMs: 60_000 }) };
    async *GET({ signal }: semantics.Call<typeof Declared, "GET">) {
      for await (const { data } of waiting(signal!)) yield data;
    }
  }
  class SignIn extends semantics.Resource {
    paths = ["/session"] as const;
    static POST = { 204: "Signed in" };
    async POST(call: semantics.Call<typeof SignIn, "POST">) {
      await session.get(call).start({ user: "ada" });
      return semantics.reply(204);
    }
  }
  class Native extends native.Resource {
    paths = ["/native"];
    GET(request: Request): Response {
      return eventStream(request, waiting, { graceMs: 60_000 });
    }
  }
  const app = semantics.Application.builder().resources(Declared, SignIn, Native).middleware(Sessions).build();
  const signIn = async (): Promise<string> =>
    (await app.request("/session", { method: "POST" })).headers.getSetCookie()[0]!.split(";")[0]!;

  it.each(["/declared", "/native"])("C20.11 end with them, at once and without a fault: %s", async (path) => {
    left.mockClear();
    const [own, other] = await Promise.all(
      [await signIn(), ""].map(async (cookie) => (await app.request(path, { headers: { cookie } })).body!.getReader()),
    );
    const decoder = new TextDecoder();
    for (const reader of [own!, other!]) {
      expect(decoder.decode((await reader.read()).value)).toMatch(/^retry: /);
      expect(decoder.decode((await reader.read()).value)).toContain("first");
    }
    const [ended, still] = [own!.read(), other!.read()];
    await Sessions.revokeAll("ada");
    expect(await ended).toEqual({ done: true, value: undefined });
    await vi.waitFor(() => expect(left).toHaveBeenCalledTimes(1));
    expect(await Promise.race([still, Promise.resolve("open")])).toBe("open");
    await other!.cancel();
  });

  it("C20.11 end if the session ended before they were read, and are forgotten when they end", async () => {
    const { body } = await app.request("/declared", { headers: { cookie: await signIn() } });
    await Sessions.revokeAll("ada");
    left.mockClear();
    const all = await new Response(body).text();
    expect(all).toMatch(/^retry: /);
    await Sessions.revokeAll("ada");
    expect(left.mock.calls.length).toBeLessThan(2);
  });
});
