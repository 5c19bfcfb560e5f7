import { idempotency, type RecordStore } from "fingerpost/idempotency";
import { memoryRecords, memorySessions } from "fingerpost/stores";
import { rateLimit } from "fingerpost/middleware/rate-limit";
import * as native from "fingerpost/modules/http.native.js";
import * as semantics from "fingerpost";
import { sessions, type Session, type SessionsOfOwners, type SessionStore } from "fingerpost/sessions";
import { verifyWebhook } from "fingerpost/webhooks";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { postgresRecords } from "./postgres-records.ts";
import { postgresSessions } from "./postgres-sessions.ts";
import { redisRecords } from "./redis-records.ts";
import { redisSessions } from "./redis-sessions.ts";
import { sqliteRecords } from "./sqlite-records.ts";
import { sqliteSessions } from "./sqlite-sessions.ts";

// A store falls silent when its connection stays open and nobody answers: a stopped process, a network that drops.
const storeTimeoutMs = 20;
const silent = (): Promise<never> => new Promise(() => {});

type Data = { readonly user: string };
const session = new native.Attribute<Session<Data>>("session");
const schema = z.object({ user: z.string() });
const errors: unknown[] = [];
afterEach(() => void errors.splice(0));

/** A store whose named function is another one. */
function changed<Store extends object>(store: Store, name: string, question: unknown): Store {
  const names = new Set(methodsOf(store));
  const own = [...names].map((one) => [one, (store[one as never] as () => unknown).bind(store)]);
  return { ...Object.fromEntries(own), [name]: question } as Store;
}

/** The functions of a store that requests ask. */
function methodsOf(store: object): string[] {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(store) as object);
  return names.filter((name) => !["constructor", "create"].includes(name));
}

class Orders extends native.Resource {
  paths = ["/"];
  async POST(request: Request): Promise<Response> {
    await new Promise((resolve) => setTimeout(resolve, 30));
    return new Response(await request.text(), { status: 201 });
  }
}
const post = { method: "POST", headers: { "idempotency-key": "k" }, body: "a" };

function nativeOf(middleware: native.MiddlewareClass, resource: new () => native.Resource = Orders) {
  const group = native.ResourceGroup.builder().resources(resource).middleware(middleware).build();
  const builder = native.Application.builder().resources(group);
  return builder.onError((error: unknown) => void errors.push(error)).build();
}

const writes = (store: RecordStore) =>
  nativeOf(idempotency({ store, ownerOf: () => "all", storeTimeoutMs, leaseMs: 30 })).request("/", post);

/** Writes on the line. */
const declared = (store: RecordStore) => {
  class Declared extends semantics.Resource {
    paths = ["/"] as const;
    static POST = { idempotency: true, content: semantics.text(), 201: semantics.text() };
    async POST() {
      await new Promise((resolve) => setTimeout(resolve, 30));
      return semantics.reply(201, "done");
    }
  }
  const once = { store, ownerOf: () => "all", storeTimeoutMs, leaseMs: 30 };
  const builder = semantics.Application.builder().resources(Declared).idempotency(once);
  const app = builder.onError((error: unknown) => void errors.push(error)).build();
  return app.request("/", { ...post, headers: { ...post.headers, "content-type": "text/plain" } });
};

const delivery = (store: RecordStore) =>
  nativeOf(verifyWebhook({ scheme: () => "id", store, storeTimeoutMs, leaseMs: 30 })).request("/", post);

/** What a handler does with its session, after a sign-in if there is to be one. */
async function inSession(store: SessionStore, act: (one: Session<Data>) => unknown, signsIn = true) {
  const real = memorySessions();
  const cookie = signsIn ? await signedInBy(real) : "";
  const [name] = Object.keys(store);
  const guard = sessions({ session, schema, store: changed(real, name!, store[name as never]), storeTimeoutMs });
  class Act extends native.Resource {
    paths = ["/"];
    async POST(request: Request): Promise<Response> {
      await act(session.get(request));
      return new Response(null, { status: 204 });
    }
  }
  return nativeOf(guard, Act).request("/", { method: "POST", headers: { cookie } });
}

async function signedInBy(store: SessionStore): Promise<string> {
  class SignIn extends native.Resource {
    paths = ["/"];
    async POST(request: Request): Promise<Response> {
      await session.get(request).start({ user: "ada" });
      return new Response(null, { status: 204 });
    }
  }
  const { headers } = await nativeOf(sessions({ session, schema, store }), SignIn).request("/", { method: "POST" });
  return headers.get("set-cookie")!.split(";")[0]!;
}

const ownerOf = (data: Data): string => data.user;
const listed = async (store: SessionStore) => {
  const owners = sessions({ session, schema, store, ownerOf, storeTimeoutMs }) as unknown as SessionsOfOwners;
  return owners.list("ada").then(
    () => new Response(),
    ({ status, headers }: { status: number; headers: Headers }) => new Response(null, { status, headers }),
  );
};

/** Every question to a store, and how a request ends where nobody answers it. */
const ofRecords = { find: 503, begin: 503, extend: 201, finish: 201, release: 500 } as const;
const ofSessions = {
  find: (store: SessionStore) => inSession(store, ({ data }) => data),
  begin: (store: SessionStore) => inSession(store, (one) => one.start({ user: "bob" }), false),
  replace: (store: SessionStore) => inSession(store, (one) => one.update((data) => data)),
  delete: (store: SessionStore) => inSession(store, (one) => one.end()),
  list: (store: SessionStore) => listed(changed(memorySessions(), "list", store.list)),
} as const;

describe("a store that falls silent", () => {
  const tag = Object.assign(async () => [], { sql: async () => [] });
  const sqlite = { prepare: () => ({ all: () => [] }), exec: () => {} };
  const redis = { eval: async () => [] } as never;

  it("has no question but those of this table, and commit(), which the transaction ends", () => {
    for (const store of [memoryRecords(), redisRecords(redis), postgresRecords(tag), sqliteRecords(sqlite)]) {
      const names = methodsOf(store).filter((name) => name !== "commit");
      expect(names.toSorted()).toEqual(Object.keys(ofRecords).toSorted());
    }
    for (const store of [memorySessions(), redisSessions(redis), postgresSessions(tag), sqliteSessions(sqlite)]) {
      expect(methodsOf(store).toSorted()).toEqual(Object.keys(ofSessions).toSorted());
    }
  });

  for (const [way, ask] of Object.entries({ writes, declared, delivery })) {
    for (const [name, status] of Object.entries(ofRecords)) {
      // Middleware takes both moments at once: begin() finds, too.
      if (name === "release" || (name === "find" && way !== "declared")) continue;
      it(`ends ${name}() of ${way} by ${status}`, async () => {
        const { status: given, headers } = await ask(changed(memoryRecords(), name, silent));
        expect([given, headers.get("retry-after")]).toEqual([status, status === 503 ? "5" : null]);
        if (name === "extend") return;
        expect(String(errors[0] instanceof native.HTTPError ? errors[0].cause : errors[0])).toContain(
          `${name}() has not answered within 20 ms`,
        );
      });
    }
  }

  it("ends release(): an error of the handler is told all the same", async () => {
    class Broken extends native.Resource {
      paths = ["/"];
      POST(): never {
        throw new Error("broken");
      }
    }
    const store = changed(memoryRecords(), "release", silent);
    const once = idempotency({ store, ownerOf: () => "all", storeTimeoutMs });
    expect((await nativeOf(once, Broken).request("/", post)).status).toBe(500);
    expect(errors.map(String)).toEqual([expect.stringContaining("release() has not"), "Error: broken"]);
  });

  for (const [name, ask] of Object.entries(ofSessions)) {
    it(`ends ${name}() of sessions by 503`, async () => {
      const { status, headers } = await ask({ [name]: silent } as unknown as SessionStore);
      expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
    });
  }

  it("ends send() of a feed of sessions by 503", async () => {
    const store = memorySessions();
    const cookie = await signedInBy(store);
    const feed = { inbox: { async *listen() {} }, send: silent };
    class End extends native.Resource {
      paths = ["/"];
      async POST(request: Request): Promise<Response> {
        await session.get(request).end();
        return new Response(null, { status: 204 });
      }
    }
    const app = nativeOf(sessions({ session, schema, store, feed, storeTimeoutMs }), End);
    expect((await app.request("/", { method: "POST", headers: { cookie } })).status).toBe(503);
  });

  for (const [kind, consume] of Object.entries({
    silent,
    failing: async () => {
      throw new Error("away");
    },
  })) {
    it(`refuses by 503 where the store of a limit is ${kind}, or goes on without`, async () => {
      const limiter = { consume, points: 1, duration: 1 };
      const keyOf = () => "all";
      const { status, headers } = await nativeOf(rateLimit({ limiter, keyOf, storeTimeoutMs })).request("/", post);
      expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
      errors.splice(0);
      const going = nativeOf(rateLimit({ limiter, keyOf, storeTimeoutMs, passWithoutStore: true }));
      const passed = await going.request("/", post);
      expect([passed.status, passed.headers.has("ratelimit"), errors.length]).toEqual([201, false, 1]);
    });
  }

  it("lets a begin() that comes late go, so that the key is free", async () => {
    const store = memoryRecords();
    let answer!: () => void;
    const late = (...args: Parameters<RecordStore["begin"]>) =>
      new Promise<Awaited<ReturnType<RecordStore["begin"]>>>((resolve) => {
        answer = () => resolve(store.begin(...args));
      });
    expect((await writes(changed(store, "begin", late))).status).toBe(503);
    answer();
    await vi.waitFor(async () => expect((await writes(store)).status).toBe(201));
  });

  it("ends a session that comes late: nobody has its id", async () => {
    const store = memorySessions();
    let answer!: () => void;
    const deleted = vi.spyOn(store, "delete");
    const late = (...args: Parameters<SessionStore["begin"]>) =>
      new Promise<void>((resolve) => (answer = () => resolve(store.begin(...args))));
    const own = changed(store, "begin", late);
    const guard = sessions({ session, schema, store: { ...own, delete: (key) => store.delete(key) }, storeTimeoutMs });
    class SignIn extends native.Resource {
      paths = ["/"];
      async POST(request: Request): Promise<Response> {
        await session.get(request).start({ user: "ada" });
        return new Response();
      }
    }
    expect((await nativeOf(guard, SignIn).request("/", { method: "POST" })).status).toBe(503);
    answer();
    await vi.waitFor(() => expect(deleted).toHaveBeenCalledTimes(1));
  });

  it("sets no timer where a store answers at once", async () => {
    const timers = vi.spyOn(globalThis, "setTimeout");
    class Quick extends native.Resource {
      paths = ["/"];
      POST(): Response {
        return new Response();
      }
    }
    const store = memorySessions();
    const limit = { consume: async () => ({ remainingPoints: 1, msBeforeNext: 1 }), points: 1, duration: 1 };
    expect(limit.points).toBe(1);
    try {
      await nativeOf(sessions({ session, schema, store }), Quick).request("/", { method: "POST" });
      await nativeOf(idempotency({ store: memoryRecords(), ownerOf: () => "all" }), Quick).request("/", post);
      // Timers of this package have a time.
      expect(timers.mock.calls.filter(([, ms]) => ms !== undefined)).toEqual([]);
    } finally {
      timers.mockRestore();
    }
  });

  const refuse = async (): Promise<never> => {
    throw Object.assign(new AggregateError([new Error("connect ECONNREFUSED\n127.0.0.1:6379")]), {
      code: "ECONNREFUSED",
    });
  };
  /** What the console would print: it may have no `format()` of Node. */
  const printed = ([text, ...values]: unknown[]): string =>
    [...values.splice(0, 1).map((value) => String(text).replace(/%[sd]/, () => String(value))), ...values].join(" ");
  const kinds = {
    silent: [silent, /^SilentStoreError: Cannot ask the store: begin\(\) has not answered within 20 ms; [^\n]+$/],
    refusing: [refuse, /^ECONNREFUSED: connect ECONNREFUSED; more of it is counted$/],
  } as const;

  for (const [kind, [fails, line]] of Object.entries(kinds)) {
    it(`is told by one line where it is ${kind}, and counted, until it answers again`, async () => {
      const told = vi.spyOn(console, "error").mockReturnValue();
      const lines = (): string[] => told.mock.calls.splice(0).map(printed);
      let question: () => unknown = fails;
      const store = changed(memoryRecords(), "begin", () => question());
      const once = idempotency({ store, ownerOf: () => "all", storeTimeoutMs });
      const group = native.ResourceGroup.builder().resources(Orders).middleware(once).build();
      const app = native.Application.builder().resources(group).build();
      const statuses = async (count: number): Promise<number[]> =>
        (await Promise.all(Array.from({ length: count }, () => app.request("/", post)))).map(({ status }) => status);
      try {
        expect(await statuses(1)).toEqual([503]);
        const [first, ...more] = lines();
        expect([first!.slice(0, 10), more]).toEqual(['POST "/" a', []]);
        expect(first!.replace(/^[^:]*: /, "")).toMatch(line);
        expect(await statuses(98)).toEqual(Array(98).fill(503));
        expect(lines()).toEqual(["The store still fails: 10 requests so far"]);
        expect(await statuses(2)).toEqual([503, 503]);
        expect(lines()).toEqual(["The store still fails: 100 requests so far"]);
        question = () => Promise.resolve({ fence: "1" });
        expect(await statuses(1)).toEqual([201]);
        expect(lines()[0]).toBe("The store answers again: 101 requests had failed");
        question = fails;
        expect(await statuses(1)).toEqual([503]);
        expect(lines().length).toBe(1);
      } finally {
        told.mockRestore();
      }
    });
  }

  it("is told as a whole where it fails without a code, and each kind of error for itself", async () => {
    const told = vi.spyOn(console, "error").mockReturnValue();
    const wrong = [new TypeError("of the program"), new TypeError("again"), new RangeError("another")];
    const left = wrong.slice();
    const store = changed(memoryRecords(), "begin", () => Promise.reject(left.shift()!));
    const once = idempotency({ store, ownerOf: () => "all" });
    const group = native.ResourceGroup.builder().resources(Orders).middleware(once).build();
    const app = native.Application.builder().resources(group).build();
    try {
      for (const _ of wrong) expect((await app.request("/", post)).status).toBe(503);
      expect(told.mock.calls.map((values) => (values.at(-1) as Error).cause)).toEqual([wrong[0], wrong[2]]);
    } finally {
      told.mockRestore();
    }
  });

  it("is refused a limit that is none", () => {
    const limiter = { consume: silent, points: 1, duration: 1 };
    const made = [
      () => idempotency({ store: memoryRecords(), ownerOf: () => "all", storeTimeoutMs: 0 }),
      () => verifyWebhook({ scheme: () => "id", store: memoryRecords(), storeTimeoutMs: 1.5 }),
      () => sessions({ session, schema, store: memorySessions(), storeTimeoutMs: 2 ** 31 }),
      () => rateLimit({ limiter, storeTimeoutMs: Number.NaN }),
      () => sessions({ session: session as never, schema, secrets: ["x".repeat(32)], storeTimeoutMs: 5 } as never),
    ];
    for (const make of made) expect(make).toThrow(/its option "storeTimeoutMs" must be /);
  });
});
