// Every name under which something is kept, or by which processes know it: whose it is, where, which one, and its
// version. A change of the code must not change one of them, and processes of the release before must know it.
import { commit, idempotency, type RecordStore } from "fingerpost/idempotency";
import { memoryRecords, memorySessions, type KeyLease } from "fingerpost/stores";
import { rateLimit } from "fingerpost/middleware/rate-limit";
import { pagesBy } from "fingerpost/native/content";
import * as native from "fingerpost/modules/http.native.js";
import * as semantics from "fingerpost";
import { sessions, type Session, type SessionStore } from "fingerpost/sessions";
import { verifyWebhook, type NamedWebhookOptions, type OwnWebhookOptions } from "fingerpost/webhooks";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { githubFields, standardFields } from "../../tests/support/webhooks.ts";
import { sha256 } from "../http/javascript/digest.ts";
import { namelessOf } from "../routing/pattern/nameless-pattern.ts";

const digestOf = async (...parts: readonly unknown[]): Promise<string> => sha256(JSON.stringify(parts));

/** A store, and the names that it was asked for, each once. */
function noted<Store extends object>(store: Store): [store: Store, names: Set<string>] {
  const names = new Set<string>();
  const asked = new Proxy(store, {
    get: (target, member) => {
      const value = Reflect.get(target, member) as unknown;
      if (typeof value !== "function") return value;
      return (name: string, ...rest: unknown[]) => {
        names.add(name);
        return (value as (...args: unknown[]) => unknown).call(target, name, ...rest);
      };
    },
  });
  return [asked, names];
}

/** An account whose payments are counted, with its param called as a release calls it. */
function paying(store: RecordStore, pattern: string, isDeclared: boolean) {
  const ran: string[] = [];
  if (isDeclared) {
    class Payments extends semantics.Resource {
      paths = [pattern];
      static POST = { idempotency: true, content: semantics.text(), 201: semantics.text() };
      POST({ request }: { request: Request }) {
        ran.push(new URL(request.url).pathname);
        return semantics.reply(201, `paid ${ran.length}`);
      }
    }
    const app = semantics.Application.builder()
      .resources(Payments as never)
      .idempotency({ store, ownerOf: () => "ada" })
      .build();
    return { app, ran };
  }
  class Payments extends native.Resource {
    paths = [pattern];
    POST({ url }: Request): Response {
      ran.push(new URL(url).pathname);
      return new Response(`paid ${ran.length}`, { status: 201 });
    }
  }
  const group = native.ResourceGroup.builder()
    .resources(Payments)
    .middleware(idempotency({ store, ownerOf: () => "ada" }));
  return { app: native.Application.builder().resources(group.build()).build(), ran };
}

type Paying = ReturnType<typeof paying>;

async function pay({ app }: Pick<Paying, "app">, path = "/accounts/7/payments"): Promise<[number, string]> {
  const headers = { "idempotency-key": "k", "content-type": "text/plain" };
  const response = await app.request(path, { method: "POST", headers, body: "5" });
  return [response.status, await response.text()];
}

/** What the release before does with a write: it knows the first version of its name. */
async function earlier(store: RecordStore, pattern: string) {
  const name = await digestOf("ada", "POST", pattern, "k");
  const parts = new TextEncoder().encode(`${JSON.stringify(["POST", "/accounts/7/payments", "text/plain"])}5`);
  const fingerprint = await sha256(parts);
  const text = JSON.stringify({ status: 201, statusText: "", fields: [["x-release", "1"]], content: "paid before" });
  return {
    begin: async () => store.begin(name, fingerprint, 60_000, 86_400_000),
    finish: async (fence: string) => store.finish(name, fence, text, 86_400_000),
    find: async () => store.find(name),
  };
}

describe.each([
  ["on the line", true],
  ["in middleware", false],
] as const)("the name of a write %s", (_, isDeclared) => {
  it("C12.2 says whose it is, where and which one, in two versions", async () => {
    const [store, names] = noted(memoryRecords());
    await pay(paying(store, "/accounts/:id/payments", isDeclared));
    expect([...names]).toEqual([
      await digestOf("ada", "POST", "/accounts/:id/payments", "k"),
      `v2-${await digestOf("key", "ada", "POST", "/accounts/:/payments", "k")}`,
    ]);
  });

  it("C12.2 is the same after a param has another name or expression: a payment happens once", async () => {
    const store = memoryRecords();
    const before = paying(store, "/accounts/:id/payments", isDeclared);
    expect(await pay(before)).toEqual([201, "paid 1"]);
    for (const pattern of ["/accounts/:account/payments", "/accounts/:id(\\d+)/payments", "/%61ccounts/:a/payments/"]) {
      const after = paying(store, pattern, isDeclared);
      expect(await pay(after)).toEqual([201, "paid 1"]);
      expect(after.ran).toEqual([]);
    }
    // Another account is another request with the key. Another resource has keys of its own.
    expect((await pay(paying(store, "/accounts/:account/payments", isDeclared), "/accounts/8/payments"))[0]).toBe(422);
    expect((await pay(paying(store, "/refunds/:id", isDeclared), "/refunds/7"))[0]).toBe(201);
  });

  it("C12.8 is known by the release before: each gets the first answer of the other", async () => {
    const pattern = "/accounts/:id/payments";
    const store = memoryRecords();
    const old = await earlier(store, pattern);
    const now = paying(store, pattern, isDeclared);
    const begun = (await old.begin()) as { fence: string };
    expect((await pay(now))[0]).toBe(409);
    await old.finish(begun.fence);
    expect(await pay(now)).toEqual([201, "paid before"]);
    expect(now.ran).toEqual([]);
    const other = memoryRecords();
    expect(await pay(paying(other, pattern, isDeclared))).toEqual([201, "paid 1"]);
    const record = await (await earlier(other, pattern)).begin();
    const answer = JSON.parse((record as { answer: string }).answer) as Record<string, unknown>;
    expect(answer).toMatchObject({ status: 201, content: "paid 1" });
  });

  it("C12.8 is under way for the release before as long as it runs, and free when it is let go", async () => {
    const store = memoryRecords();
    const pattern = "/accounts/:id/payments";
    const old = await earlier(store, pattern);
    let seen: unknown;
    class Payments extends native.Resource {
      paths = [pattern];
      async POST(): Promise<Response> {
        seen = await old.begin();
        return new Response(null, { status: 503 });
      }
    }
    const group = native.ResourceGroup.builder()
      .resources(Payments)
      .middleware(idempotency({ store, ownerOf: () => "ada" }));
    const app = native.Application.builder().resources(group.build()).build();
    expect((await pay({ app }))[0]).toBe(503);
    expect(seen).toMatchObject({ answer: null });
    expect(await old.begin()).toMatchObject({ fence: expect.any(String) as string });
  });

  it("C12.8 lets the first name go where the second is under way", async () => {
    const store = memoryRecords();
    const current = `v2-${await digestOf("key", "ada", "POST", "/accounts/:/payments", "k")}`;
    await store.begin(current, "another", 60_000, 86_400_000);
    const one = paying(store, "/accounts/:id/payments", isDeclared);
    expect((await pay(one))[0]).toBe(422);
    expect(await (await earlier(store, "/accounts/:id/payments")).find()).toBeNull();
  });
});

it("C12.5 commits the answer under each name of a write", async () => {
  const memory = memoryRecords();
  const committed: string[] = [];
  const store: RecordStore = {
    ...Object.fromEntries(
      (["find", "begin", "extend", "finish", "release"] as const).map((name) => [
        name,
        (memory[name] as (...args: unknown[]) => unknown).bind(memory),
      ]),
    ),
    commit: async (_: unknown, leases: readonly KeyLease[], answer: string, ttlMs: number) => {
      for (const { key, fence } of leases) {
        committed.push(key);
        await memory.finish(key, fence, answer, ttlMs);
      }
    },
  } as unknown as RecordStore;
  class Payments extends native.Resource {
    paths = ["/accounts/:id/payments"];
    POST(request: Request): Promise<Response> {
      return commit(request, {}, new Response("paid", { status: 201 }));
    }
  }
  const group = native.ResourceGroup.builder()
    .resources(Payments)
    .middleware(idempotency({ store, ownerOf: () => "ada" }));
  const app = native.Application.builder().resources(group.build()).build();
  for (const _ of "12") expect(await pay({ app })).toEqual([201, "paid"]);
  expect(committed.map((name) => name.slice(0, 3))).toEqual([expect.stringMatching(/^[\da-f]{3}$/), "v2-"]);
});

const key = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const other = "whsec_YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4";

function receiving(options: Partial<NamedWebhookOptions> | OwnWebhookOptions, pattern = "/hooks/:tenant") {
  const ran: string[] = [];
  class Hooks extends native.Resource {
    paths = [pattern];
    async POST(request: Request): Promise<Response> {
      ran.push(`${new URL(request.url).pathname} ${await request.text()}`);
      return new Response(`done ${ran.length}`);
    }
  }
  const guard = verifyWebhook({ store: memoryRecords(), ...options } as NamedWebhookOptions);
  const group = native.ResourceGroup.builder().resources(Hooks).middleware(guard).build();
  const app = native.Application.builder().resources(group).build();
  const post = async (
    path: string,
    content: string,
    headers: Record<string, string> = {},
  ): Promise<[number, string]> => {
    const response = await app.request(path, { method: "POST", body: content, headers });
    return [response.status, await response.text()];
  };
  return { ran, post };
}

describe("the name of a webhook", () => {
  it("C15.1 says whose it is: a second tenant with its own secret and the same id is handled", async () => {
    const { post, ran } = receiving({ scheme: "standard", secrets: [key, other] });
    for (const content of ["{}", '{"a":1}']) {
      ran.splice(0);
      const { post: again, ran: handled } = receiving({ scheme: "standard", secrets: [key, other] });
      expect((await again("/hooks/ada", "{}", await standardFields(key, "{}")))[0]).toBe(200);
      for (const _ of "12") await again("/hooks/eve", content, await standardFields(other, content));
      expect(handled).toEqual(["/hooks/ada {}", `/hooks/eve ${content}`]);
    }
    expect([await post("/hooks/ada", "{}", {}), ran]).toEqual([[403, expect.any(String) as string], []]);
  });

  it("C15.1 says whose it is where a function knows the tenants", async () => {
    const { post, ran } = receiving({
      scheme: (request: Request) => new URL(request.url).searchParams.get("id"),
    } as never);
    for (const path of ["/hooks/ada?id=1", "/hooks/eve?id=1", "/hooks/ada?id=1&again", "/hooks/%65ve?id=1"]) {
      expect((await post(path, "{}"))[0]).toBe(200);
    }
    expect(ran).toEqual(["/hooks/ada {}", "/hooks/eve {}"]);
  });

  it("C15.1 tells two senders at one endpoint apart, whose ids are the same", async () => {
    const { post, ran } = receiving({ scheme: "standard", secrets: [key, other] });
    expect(await post("/hooks/a", "of one", await standardFields(key, "of one"))).toEqual([200, "done 1"]);
    expect(await post("/hooks/a", "of two", await standardFields(other, "of two"))).toEqual([200, "done 2"]);
    // A sender may write its content anew for each try, as Stripe does.
    expect(await post("/hooks/a", "anew", await standardFields(key, "anew"))).toEqual([200, "done 1"]);
    expect(ran).toEqual(["/hooks/a of one", "/hooks/a of two"]);
  });

  it("C15.1 knows a repeat by a new secret, and one that another path is sent to", async () => {
    const { post, ran } = receiving({ scheme: "standard", secrets: [key, other] });
    await post("/hooks/a", "x", await standardFields(key, "x"));
    expect(await post("/hooks/a", "x", await standardFields(other, "x"))).toEqual([200, "done 1"]);
    expect(await post("/hooks/b", "x", await standardFields(key, "x"))).toEqual([200, "done 1"]);
    const github = receiving({ scheme: "github", secrets: ["a secret of sixteen bytes"] });
    for (const _ of "12") await github.post("/hooks/a", "x", await githubFields("a secret of sixteen bytes", "x"));
    expect([ran.length, github.ran.length]).toEqual([1, 1]);
  });

  it("C15.1 is the same after a param has another name", async () => {
    const store = memoryRecords();
    for (const pattern of ["/hooks/:tenant", "/hooks/:customer"]) {
      const { post } = receiving({ scheme: "standard", secrets: [key], store }, pattern);
      expect(await post("/hooks/a", "x", await standardFields(key, "x"))).toEqual([200, "done 1"]);
    }
  });

  it("C15.1 is known by the release before, which did not tell tenants apart", async () => {
    const [store, names] = noted(memoryRecords());
    const { post, ran } = receiving({ scheme: "standard", secrets: [key, other], store });
    const fields = await standardFields(key, "x");
    const first = await digestOf("webhook webhook-signature", "POST", "/hooks/:tenant", fields["webhook-id"]);
    const { fence } = (await store.begin(first, first, 60_000, 86_400_000)) as { fence: string };
    expect((await post("/hooks/a", "x", fields))[0]).toBe(409);
    await store.finish(
      first,
      fence,
      JSON.stringify({ status: 204, statusText: "", fields: [], content: null }),
      86_400_000,
    );
    expect(await post("/hooks/a", "x", fields)).toEqual([204, ""]);
    expect(ran).toEqual([]);
    expect([...names]).toEqual([first]);
    // The other way: what this release has handled is a repeat for the release before.
    const handled = memoryRecords();
    const now = receiving({ scheme: "standard", secrets: [key], store: handled });
    await now.post("/hooks/a", "x", fields);
    const { fingerprint, answer } = (await handled.find(first))!;
    expect([now.ran.length, fingerprint]).toEqual([1, first]);
    expect(JSON.parse(answer!)).toMatchObject({ status: 200, content: "done 1" });
  });
});

it("C13.1 names a session by its cookie and its id, in the first version", async () => {
  const [store, names] = noted<SessionStore>(memorySessions());
  const session = new native.Attribute<Session<{ user: string }>>("session");
  const id = "a".repeat(43);
  const name = await sha256(`__Host-session=${id}`);
  await store.begin(name, { data: `${name}{"user":"ada"}`, owner: null, label: '""' }, 60_000, 60_000);
  class Who extends native.Resource {
    paths = ["/"];
    GET(request: Request): Response {
      return new Response(session.get(request).data?.user ?? null);
    }
  }
  const guard = sessions({ session, schema: z.object({ user: z.string() }), store });
  const app = native.Application.builder().resources(Who).middleware(guard).build();
  expect(await (await app.request("/", { headers: { cookie: `__Host-session=${id}` } })).text()).toBe("ada");
  expect([...names]).toEqual([name]);
});

it("names a client of a limit by its address alone: the limiter's own prefix says which limit", async () => {
  const asked: string[] = [];
  const limiter = {
    points: 5,
    duration: 60,
    consume: async (name: string) => {
      asked.push(name);
      return { remainingPoints: 4, msBeforeNext: 1 };
    },
  };
  for (const pattern of ["/a/:id", "/a/:account"]) {
    class Limited extends native.Resource {
      paths = [pattern];
      GET(): Response {
        return new Response();
      }
    }
    const app = native.Application.builder()
      .resources(Limited)
      .middleware(rateLimit({ limiter, address: () => "192.0.2.1" }));
    await app.build().request("/a/1");
  }
  expect(asked).toEqual(["192.0.2.1", "192.0.2.1"]);
});

describe("the mark of a cursor", () => {
  const secrets = ["a secret of 32 bytes and of some more"];

  async function readBy(pattern: string, cursor: string, isSigned: boolean) {
    const pages = pagesBy(z.object({ id: z.int() }), { limit: 1, ...(isSigned && { secrets }) });
    class Items extends native.Resource {
      paths = [pattern];
      async GET(request: Request): Promise<Response> {
        const { after } = await pages.read(request as never);
        return Response.json((await pages.write(request as never, { items: [after], next: { id: 7 } })).content);
      }
    }
    const app = native.Application.builder().resources(Items).build();
    const response = await app.request(`/accounts/a/items?cursor=${cursor}`);
    return response.ok ? ((await response.json()) as unknown) : response.status;
  }

  // The first two are of the release before. The others are of the one after this.
  it.each([
    ["1.4zyw5l.eyJpZCI6N30", false, true],
    ["1.4zyw5l.eyJpZCI6N30.esWse_Y7CrXIAXYjtKtRb6NtKUc8jNObGtHA1emcd2k", true, true],
    ["2.kkxqhe.eyJpZCI6N30", false, false],
    ["2.kkxqhe.eyJpZCI6N30.gIgHdfJupj5qPAsgNChCBRexYwRwwZ5LI_La6dkwzhg", true, false],
  ])("C19.2 is read in both versions, and written in the first: %s", async (cursor, isSigned, isFirst) => {
    const read = await readBy("/accounts/:id/items", cursor, isSigned);
    expect(read).toMatchObject({ items: [{ id: 7 }], next: expect.stringMatching(/^1\./) as string });
    // The second version does not have the names of params.
    expect(await readBy("/accounts/:account/items", cursor, isSigned)).toEqual(
      isFirst ? 400 : expect.objectContaining({ items: [{ id: 7 }] }),
    );
    expect(await readBy("/customers/:id/items", cursor, isSigned)).toBe(404);
  });
});

describe("namelessOf()", () => {
  it.each([
    ["/", "/"],
    ["/accounts/:id/payments", "/accounts/:/payments"],
    ["/accounts/:account(\\d+(?:a|b))/payments/", "/accounts/:/payments"],
    ["/a-:b.:c", "/a-:.:"],
    ["/a/:b?", "/a/:?"],
    ["/a/:rest*", "/a/:*"],
    ["/a/:rest+", "/a/:+"],
    ["/a/(.*)", "/a/:"],
    ["/a/*", "/a/:*"],
    ["/%61/\\:b", "/a/:b"],
  ])("C4.1 makes of %s %s", (pattern, shape) => {
    expect(namelessOf(pattern)).toBe(shape);
  });
});
