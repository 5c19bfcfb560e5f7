// What docs/recipes/rolling-deploys.md says: two versions of one program run at once, and share their stores.
import { once } from "node:events";
import {
  Application,
  Attribute,
  events,
  page,
  reply,
  Resource,
  ResourceGroup,
  socket,
  text,
  type Answer,
  type Call,
} from "fingerpost";
import { after } from "fingerpost/after";
import { Inbox, lastEventIdOf } from "fingerpost/events";
import { CookieSigner } from "fingerpost/middleware/cookies";
import { health, serve } from "fingerpost/node";
import { sessions, signedIn, type Session } from "fingerpost/sessions";
import { shareTopics } from "fingerpost/sockets";
import { memoryRecords, memorySessions, type RecordStore } from "fingerpost/stores";
import { sendWebhook, verifyWebhook, Webhook } from "fingerpost/webhooks";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { gate, portOf } from "../support/sockets.ts";

interface App {
  request(path: string, options?: object): Promise<Response>;
}

const cookieOf = ({ headers }: Response): string => headers.get("Set-Cookie")!.split(";")[0]!;

describe("sessions during a rolling deploy", () => {
  type User = Record<string, unknown>;

  /** PUT begins a session, PATCH changes it, and GET shows it to those who have one. */
  function versionOf(schema: z.ZodType<User>, options: object): App {
    const session = new Attribute<Session<User>>("session");
    class Account extends Resource {
      paths = ["/account"] as const;
      static GET = { 200: z.unknown() };
      GET(call: Call<typeof Account, "GET">): unknown {
        return session.get(call).data;
      }
      static PATCH = { content: z.record(z.string(), z.unknown()), 200: z.unknown() };
      PATCH(call: Call<typeof Account, "PATCH">): unknown {
        return session.get(call).update((data) => ({ ...data, ...call.content }));
      }
    }
    class SignIn extends Resource {
      paths = ["/session"] as const;
      static PUT = { content: z.record(z.string(), z.unknown()), 204: "Signed in" };
      async PUT(call: Call<typeof SignIn, "PUT">) {
        await session.get(call).start(call.content);
        return reply(204);
      }
    }
    const members = ResourceGroup.builder().resources(Account).middleware(signedIn({ session })).build();
    return Application.builder()
      .resources(SignIn, members)
      .middleware(sessions({ session: session as Attribute<never>, schema, ...options } as never))
      .build() as App;
  }

  const signIn = async (app: App, json: User) => cookieOf(await app.request("/session", { method: "PUT", json }));
  const shown = async (app: App, Cookie: string) => {
    const response = await app.request("/account", { headers: { Cookie } });
    return response.ok ? ((await response.json()) as unknown) : response.status;
  };

  it("keeps an optional member of the new version when the old one changes the session", async () => {
    const store = memorySessions();
    const one = versionOf(z.object({ user: z.string() }), { store });
    const two = versionOf(z.object({ user: z.string(), theme: z.string().default("light") }), { store });
    const old = await signIn(one, { user: "ada" });
    expect(await shown(two, old)).toEqual({ user: "ada", theme: "light" });
    const Cookie = await signIn(two, { user: "ada", theme: "dark" });
    expect(await shown(one, Cookie)).toEqual({ user: "ada" });
    await one.request("/account", { method: "PATCH", json: { user: "bo" }, headers: { Cookie } });
    expect(await shown(two, Cookie)).toEqual({ user: "bo", theme: "dark" });
  });

  it("answers 401 at the version whose schema rejects a session, and keeps it for the other one", async () => {
    const store = memorySessions();
    const one = versionOf(z.object({ user: z.string() }), { store });
    const two = versionOf(z.object({ user: z.string(), role: z.string() }), { store });
    const Cookie = await signIn(one, { user: "ada" });
    expect(await shown(two, Cookie)).toBe(401);
    expect(await shown(one, Cookie)).toEqual({ user: "ada" });
  });

  it("finds no session where the cookie has another name", async () => {
    const store = memorySessions();
    const schema = z.object({ user: z.string() });
    const Cookie = await signIn(versionOf(schema, { store }), { user: "ada" });
    expect(await shown(versionOf(schema, { store, cookie: "login" }), Cookie)).toBe(401);
  });

  it("reads sealed cookies of both versions only if both know the secret that seals", async () => {
    const schema = z.object({ user: z.string() });
    const [older, newer] = ["older-secret", "newer-secret"].map((name) => name.padEnd(32, "."));
    const version = (...secrets: (string | undefined)[]) => versionOf(schema, { secrets });
    // In one deploy.
    const sealed = await signIn(version(newer, older), { user: "ada" });
    expect(await shown(version(older), sealed)).toBe(401);
    // In two.
    for (const [now, next] of [
      [version(older), version(older, newer)],
      [version(older, newer), version(newer, older)],
      [version(newer, older), version(newer)],
    ] as const) {
      for (const [from, to] of [
        [now, next],
        [next, now],
      ] as const) {
        expect(await shown(to, await signIn(from, { user: "ada" }))).toEqual({ user: "ada" });
      }
    }
  });
});

it("reads a signed cookie of the other version only if it knows the secret that signs", async () => {
  const [older, newer] = ["o".repeat(32), "n".repeat(32)] as const;
  const signed = await new CookieSigner(newer, older).sign("user", "ada");
  expect(await new CookieSigner(older).verify("user", signed)).toBeNull();
  expect(await new CookieSigner(older, newer).verify("user", signed)).toBe("ada");
});

describe("idempotency keys during a rolling deploy", () => {
  interface Version {
    readonly paths?: readonly string[];
    readonly content?: z.ZodType;
    readonly status?: 200 | 201;
    readonly ownerOf?: () => string;
    readonly declared?: object;
  }

  function versionOf(store: RecordStore, name: string, version: Version = {}): App {
    const { paths = ["/accounts/:id/payments"], content = z.object({ amount: z.int() }), status = 201 } = version;
    class Payments extends Resource {
      paths = paths;
      static POST = { content, [status]: z.object({ by: z.string() }), ...(version.declared ?? { idempotency: true }) };
      POST(): unknown {
        return (reply as (status: number, content: unknown) => unknown)(status, { by: name });
      }
    }
    const { ownerOf = () => "ada" } = version;
    return Application.builder()
      .resources(Payments as never)
      .idempotency({ store, ownerOf })
      .build() as App;
  }

  const pay = async (app: App, path = "/accounts/7/payments") => {
    const response = await app.request(path, {
      method: "POST",
      json: { amount: 7 },
      headers: { "Idempotency-Key": "a1" },
    });
    const isReplayed = response.headers.has("Idempotent-Replayed");
    return [response.status, ((await response.json()) as { by?: string }).by, isReplayed];
  };

  it("sends the response of one version from the other as it is, whatever that declares", async () => {
    const store = memoryRecords();
    expect(await pay(versionOf(store, "one"))).toEqual([201, "one", false]);
    expect(await pay(versionOf(store, "two", { status: 200 }))).toEqual([201, "one", true]);
  });

  it("sends it though the other version has more rules for the body, or other names of path params", async () => {
    const store = memoryRecords();
    await pay(versionOf(store, "one"));
    const content = z.object({ amount: z.int(), currency: z.string() });
    expect(await pay(versionOf(store, "two", { content }))).toEqual([201, "one", true]);
    for (const paths of [["/accounts/:account/payments"], ["/accounts/:id/charges", "/accounts/:id/payments"]])
      expect(await pay(versionOf(store, "two", { paths }))).toEqual([201, "one", true]);
  });

  it("answers 409 while the other version runs the handler", async () => {
    const store = memoryRecords();
    const [started, end] = [gate(), gate()];
    class Slow extends Resource {
      paths = ["/accounts/:id/payments"] as const;
      static POST = { content: z.object({ amount: z.int() }), 201: z.object({ by: z.string() }), idempotency: true };
      async POST(_call: Call<typeof Slow, "POST">): Promise<Answer<typeof Slow, "POST">> {
        started.open();
        await end.opened;
        return reply(201, { by: "one" });
      }
    }
    const one = Application.builder()
      .resources(Slow)
      .idempotency({ store, ownerOf: () => "ada" })
      .build();
    const two = versionOf(store, "two");
    const first = pay(one as App);
    await started.opened;
    expect(await pay(two)).toEqual([409, undefined, false]);
    end.open();
    expect(await first).toEqual([201, "one", false]);
    expect(await pay(two)).toEqual([201, "one", true]);
  });

  it("runs the handler again under another pattern, for another owner, and where no key is declared", async () => {
    for (const version of [
      { paths: ["/accounts/:id/charges"] },
      { ownerOf: () => "1" },
      { declared: {} },
    ] satisfies Version[]) {
      const store = memoryRecords();
      await pay(versionOf(store, "one"));
      const path = (version as Version).paths === undefined ? undefined : "/accounts/7/charges";
      expect(await pay(versionOf(store, "two", version), path)).toEqual([201, "two", false]);
    }
  });
});

describe("cursors during a rolling deploy", () => {
  const columns = { title: z.string(), id: z.int() };

  interface Version {
    readonly path?: string;
    readonly secrets?: readonly string[];
    readonly isDescending?: boolean;
  }

  function versionOf(by: z.ZodType, { path = "/shelves/:id", secrets, isDescending = false }: Version = {}): App {
    const book = z.object({ title: z.string(), id: z.int(), year: z.int() });
    const ids = isDescending ? [3, 2, 1] : [1, 2, 3];
    const rows = ids.map((id) => ({ title: `Book ${id}`, id, year: 2000 + id }));
    class Books extends Resource {
      paths = [path];
      static GET = { 200: page(book, { by: by as never, limit: 1, ...(secrets && { secrets }) }) };
      GET({ page: asked }: { page: { after?: { id: number }; limit: number; of(rows: unknown[]): unknown } }): unknown {
        const place = asked.after?.id;
        const rest = rows.filter(({ id }) => place === undefined || (isDescending ? id < place : id > place));
        return asked.of(rest.slice(0, asked.limit + 1));
      }
    }
    return Application.builder()
      .resources(Books as never)
      .build() as App;
  }

  const next = async (app: App, query = "") =>
    ((await (await app.request(`/shelves/7${query}`)).json()) as { next: string }).next;
  const read = async (app: App, cursor: string) => {
    const response = await app.request(`/shelves/7?cursor=${cursor}`);
    const { items } = (await response.json()) as { items?: { id: number }[] };
    return items?.map(({ id }) => id) ?? response.status;
  };

  it("goes on at the other version while the members of the place are the same", async () => {
    const one = versionOf(z.object(columns));
    const two = versionOf(z.object({ id: z.int(), title: z.string().max(200) }));
    expect(await read(two, await next(one))).toEqual([2]);
    expect(await read(one, await next(two))).toEqual([2]);
  });

  it("answers 400 to a cursor of other members, of other names of path params, and of a secret it lacks", async () => {
    const one = versionOf(z.object(columns));
    for (const two of [
      versionOf(z.object({ ...columns, year: z.int() })),
      versionOf(z.object({ ...columns, year: z.int().optional() })),
      versionOf(z.object(columns), { path: "/shelves/:shelf" }),
      versionOf(z.object(columns), { secrets: ["s".repeat(32)] }),
    ]) {
      expect(await read(two, await next(one))).toBe(400);
      expect(await read(one, await next(two))).toBe(400);
    }
  });

  it("repeats and skips items where the other version has another order by the same members", async () => {
    const one = versionOf(z.object(columns));
    const two = versionOf(z.object(columns), { isDescending: true });
    // One has sent 1 and 2, and 3 would follow.
    const cursor = await next(one, "?limit=2");
    expect([await read(one, cursor), await read(two, cursor)]).toEqual([[3], [1]]);
  });

  it("goes on at both versions while a secret changes in two deploys", async () => {
    const [older, newer] = ["o".repeat(32), "n".repeat(32)];
    const version = (...secrets: string[]) => versionOf(z.object(columns), { secrets });
    expect(await read(version(older!), await next(version(newer!, older!)))).toBe(400);
    expect(await read(version(older!), await next(version(older!, newer!)))).toEqual([2]);
    expect(await read(version(older!, newer!), await next(version(newer!, older!)))).toEqual([2]);
  });
});

describe("topics during a rolling deploy", () => {
  function versionOf(inbox: Inbox<unknown>, receives: z.ZodType, sends: z.ZodType, ...paths: string[]) {
    class Rooms extends Resource {
      paths = paths.length === 0 ? ["/rooms/:room"] : paths;
      static GET = { 101: socket({ receives, sends }) };
      GET(): unknown {
        return reply(101, {
          open: (peer: { subscribe(topic: string): void }) => peer.subscribe("all"),
          message: (peer: { publish(topic: string, message: unknown): void }, said: unknown) =>
            peer.publish("all", said),
        } as never);
      }
    }
    const app = Application.builder()
      .resources(Rooms as never)
      .build();
    const onError = vi.fn<(error: unknown) => void>();
    shareTopics(app, { feed: { inbox, send: (data) => inbox.send(data) }, onError });
    return { app, onError, say: (message: unknown) => app.publish(Rooms as never, "all" as never, message as never) };
  }
  const older = z.object({ text: z.string() });
  const newer = z.object({ text: z.string(), at: z.int() });

  it("delivers messages of the other version as that has written them", async () => {
    const inbox = new Inbox<unknown>();
    const one = versionOf(inbox, older, older);
    const two = versionOf(inbox, newer, newer, "/rooms/:name");
    const [peerOne, peerTwo] = [await one.app.connect("/rooms/a"), await two.app.connect("/rooms/a")];
    one.say({ text: "old" });
    expect((await peerTwo.next()).value).toEqual({ text: "old" });
    two.say({ text: "new", at: 1 });
    await peerOne.next();
    expect((await peerOne.next()).value).toEqual({ text: "new", at: 1 });
    expect(two.onError).not.toHaveBeenCalled();
  });
  it("delivers to a version with the same first path alone", async () => {
    const inbox = new Inbox<unknown>();
    const one = versionOf(inbox, older, older);
    const two = versionOf(inbox, older, older, "/chats/:room");
    const both = versionOf(inbox, older, older, "/rooms/:room", "/chats/:room");
    const [lost, kept] = [await two.app.connect("/chats/a"), await both.app.connect("/chats/a")];
    one.say({ text: "first" });
    expect((await kept.next()).value).toEqual({ text: "first" });
    two.say({ text: "own" });
    expect((await lost.next()).value).toEqual({ text: "own" });
  });

  it("closes with 1008 when a client sends what the version of its connection does not read", async () => {
    const { app } = versionOf(new Inbox(), newer, newer);
    const peer = await app.connect("/rooms/a");
    peer.send({ text: "old" });
    expect((await peer.closed).code).toBe(1008);
  });
});

describe("events during a rolling deploy", () => {
  function versionOf(inbox: Inbox<never>, schema: z.ZodType) {
    class News extends Resource {
      paths = ["/news"] as const;
      static GET = { 200: events(schema) };
      GET({ request, signal }: { request: Request; signal: AbortSignal }): unknown {
        return inbox.listen(signal, { after: lastEventIdOf(request) });
      }
    }
    const app = Application.builder()
      .resources(News as never)
      .build();
    /** The events after the first one, until the inbox ends. Rejects where the stream breaks off. */
    return async (): Promise<unknown[]> => {
      const response = await app.request("/news", { headers: { "Last-Event-ID": "0" } });
      const body = response.text();
      inbox.end();
      return [...(await body).matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!) as unknown);
    };
  }

  function filled(...sent: unknown[]): Inbox<never> {
    const inbox = new Inbox<unknown>();
    sent.forEach((data, at) => inbox.send(data, { id: `${at}` }));
    return inbox as Inbox<never>;
  }
  const older = z.object({ text: z.string() });
  const newer = z.object({ text: z.string(), at: z.int() });

  it("leaves out members that a version does not declare", async () => {
    const heard = versionOf(filled("first", { text: "a", at: 1 }), older);
    expect(await heard()).toEqual([{ text: "a" }]);
  });

  it("ends the stream at an event that its schema rejects, each time that the client comes back to it", async () => {
    for (let time = 0; time < 2; time++) {
      const heard = versionOf(filled("first", { text: "old" }, { text: "new", at: 1 }), newer);
      await expect(heard()).rejects.toThrow("an event of 200 does not fit at #/at");
    }
  });

  it("sends older events by a schema that has a default", async () => {
    const heard = versionOf(filled("first", { text: "old" }), newer.extend({ at: z.int().default(0) }));
    expect(await heard()).toEqual([{ text: "old", at: 0 }]);
  });
});

describe("work and webhooks during a rolling deploy", () => {
  it("ends the work of a version in its process, after the last response", async () => {
    const stop = new AbortController();
    const [entered, end] = [gate(), gate()];
    const done: string[] = [];
    class Orders extends Resource {
      paths = ["/orders"] as const;
      static GET = { 200: text() };
      async GET(call: Call<typeof Orders, "GET">): Promise<string> {
        after(call, () => void done.push("work"));
        entered.open();
        await end.opened;
        return "old";
      }
    }
    const app = Application.builder()
      .resources(Orders, health({ leaving: stop.signal }))
      .build();
    const server = await serve(app, { port: 0, signal: stop.signal });
    const closed = once(server, "close");
    const response = fetch(`http://localhost:${portOf(server)}/orders`);
    await entered.opened;
    stop.abort();
    expect((await app.request("/readyz")).status).toBe(503);
    expect((await app.request("/livez")).status).toBe(200);
    expect(done).toEqual([]);
    end.open();
    expect(await (await response).text()).toBe("old");
    await closed;
    await app.settled();
    expect(done).toEqual(["work"]);
  });

  const secrets = ["older", "newer"].map((name) => `whsec_${btoa(name.padEnd(32, "."))}`);

  it("sends a repeat of a webhook the response of the other version, also when a secret changes", async () => {
    const store = memoryRecords();
    const version = (name: string, ...known: string[]) => {
      class Hooks extends Resource {
        paths = ["/hooks"] as const;
        static POST = { content: z.unknown(), 200: text() };
        POST(_call: Call<typeof Hooks, "POST">): string {
          return name;
        }
      }
      const signed = verifyWebhook({ scheme: "standard", secrets: known, store });
      const hooks = ResourceGroup.builder().resources(Hooks).middleware(signed).build();
      return Application.builder().resources(hooks).build() as App;
    };
    const send = async (app: App, secret: string) => {
      const time = new Date();
      const headers = {
        "content-type": "application/json",
        "webhook-id": "msg_1",
        "webhook-timestamp": String(Math.floor(time.getTime() / 1000)),
        "webhook-signature": new StandardWebhook(secret).sign("msg_1", time, "{}"),
      };
      const response = await app.request("/hooks", { method: "POST", body: "{}", headers });
      return response.ok ? response.text() : response.status;
    };
    const [older, newer] = secrets as [string, string];
    const one = version("one", older);
    const two = version("two", older, newer);
    expect(await send(one, older)).toBe("one");
    expect(await send(two, older)).toBe("one");
    expect(await send(two, newer)).toBe("one");
    expect(await send(one, newer)).toBe(403);
  });

  it("sends queued content as it was written, unless the schema of this version rejects it", async () => {
    class Shipped extends Webhook {
      static event = "order.shipped";
      static POST = { content: z.object({ order: z.int(), carrier: z.string() }) };
    }
    class Tolerant extends Webhook {
      static event = "order.shipped";
      static POST = { content: z.object({ order: z.int(), carrier: z.string().default("post") }) };
    }
    const sent = vi.fn<(request: Request) => Response>(() => new Response());
    const queued = { url: "https://shop.example/hooks", secrets, id: "msg_1", content: { order: 7 } as never };
    await expect(sendWebhook(Shipped, { ...queued, fetch: sent })).rejects.toThrow(
      'Cannot send order.shipped: the content does not fit its schema at "/carrier"',
    );
    expect(sent).not.toHaveBeenCalled();
    await sendWebhook(Tolerant, { ...queued, fetch: sent });
    expect(await sent.mock.calls[0]![0].json()).toEqual({ order: 7 });
  });
});

describe("clients during a rolling deploy", () => {
  class Books extends Resource {
    paths = ["/books"] as const;
    static GET = { query: z.object({ search: z.string().optional() }), 200: text() };
    GET({ query }: Call<typeof Books, "GET">): string {
      return query.search ?? "all";
    }
    static POST = { content: z.object({ title: z.string() }), 200: z.object({ title: z.string() }) };
    POST({ content }: Call<typeof Books, "POST">): Answer<typeof Books, "POST"> {
      return content;
    }
  }
  const app = Application.builder().resources(Books).build();

  it.each([
    ["a path of the other version", "/authors", {}, 404],
    ["a method of the other version", "/books", { method: "DELETE" }, 405],
    ["content without a required member", "/books", { method: "POST", json: { name: "Emma" } }, 422],
    ["a media type of the other version", "/books", { method: "POST", body: "Emma" }, 415],
    ["a query parameter that only the other version declares", "/books?sort=title", {}, 200],
    [
      "a member that only the other version declares",
      "/books",
      { method: "POST", json: { title: "Emma", year: 1815 } },
      200,
    ],
  ])("answers %s", async (_, path, init, status) => {
    expect((await app.request(path, init)).status).toBe(status);
  });
});
