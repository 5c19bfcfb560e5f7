import { memoryRecords, type RecordStore } from "fingerpost/stores";
import { cors } from "fingerpost/middleware/cors";
import * as native from "fingerpost/modules/http.native.js";
import {
  Application,
  bytes,
  events,
  HTTPError,
  reply,
  Resource,
  Status,
  text,
  written,
  type Answer,
  type Call,
} from "fingerpost";
import { client, around, retries } from "fingerpost/client";
import { document } from "fingerpost/openapi";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { clientTypes } from "../../src/openapi/client-types.ts";

/** What the handler of an order does, besides counting. */
type Act = (call: Call<typeof Order, "POST">) => unknown;

class Order extends Resource {
  static act: Act = () => reply(201, { id: 1 }, { location: "/orders/1" });
  static ran = 0;
  static weighed = 0;
  paths = ["/orders/:list"] as const;

  static POST = {
    idempotency: true,
    content: z.object({ n: z.int() }),
    200: text(),
    201: { content: z.object({ id: z.int() }), headers: { location: z.string() } },
    202: z.array(z.int()),
    204: "Nothing to say",
    206: bytes("image/png"),
    402: "No money",
    503: "Come back",
  };
  POST(call: Call<typeof Order, "POST">): Promise<Answer<typeof Order, "POST">> {
    Order.ran += 1;
    return Order.act(call) as Promise<Answer<typeof Order, "POST">>;
  }

  static PUT = { idempotency: { optional: true }, content: text(), 204: "Stored" };
  PUT(): undefined {
    Order.ran += 1;
  }

  static GET = { 200: text() };
  GET(): string {
    return "Order";
  }

  validator(): { etag: string } {
    Order.weighed += 1;
    return { etag: `"${Order.ran}"` };
  }
}

interface Given {
  readonly store?: RecordStore;
  readonly act?: Act;
  readonly docs?: string;
  readonly ownerOf?: (call: { readonly request: Request }) => string;
}

const noErrors = (_error: unknown): void => {};

function applicationOf(
  { store = memoryRecords(), act, docs, ownerOf = () => "everyone" }: Given = {},
  onError = noErrors,
) {
  Order.act = act ?? (() => reply(201, { id: 1 }, { location: "/orders/1" }));
  Order.ran = 0;
  Order.weighed = 0;
  return Application.builder().resources(Order).idempotency({ store, ownerOf, docs }).onError(onError).build();
}

type App = ReturnType<typeof applicationOf>;

function post(
  app: App,
  key: string | null,
  json: unknown = { n: 1 },
  headers: Record<string, string> = {},
  path = "/orders/a",
) {
  return app.request(path, {
    method: "POST",
    json,
    headers: { ...(key === null ? {} : { "idempotency-key": key }), ...headers },
  });
}

async function partsOf(response: Response) {
  const { status, headers } = response;
  const fields = [...headers].filter(([name]) => name !== "idempotent-replayed");
  return { status, fields, content: [...new Uint8Array(await response.arrayBuffer())] };
}

/** A store of which some methods are others. */
function changed(methods: Partial<RecordStore>): RecordStore {
  const store = memoryRecords();
  return {
    find: (key) => store.find(key),
    begin: (...args) => store.begin(...args),
    extend: (...args) => store.extend(...args),
    finish: (...args) => store.finish(...args),
    release: (...args) => store.release(...args),
    ...methods,
  };
}

/** A memory store whose transactions are objects: they take answers when they end well. */
function committing(): RecordStore {
  const store = memoryRecords();
  return changed({
    find: (key) => store.find(key),
    begin: (...args) => store.begin(...args),
    finish: (...args) => store.finish(...args),
    release: (...args) => store.release(...args),
    async commit(transaction, leases, answer, ttlMs) {
      for (const { key, fence } of leases)
        (transaction as (() => unknown)[]).push(() => store.finish(key, fence, answer, ttlMs));
    },
  });
}

async function inTransaction<Result>(
  act: (transaction: (() => Promise<unknown>)[]) => Promise<Result>,
): Promise<Result> {
  const transaction: (() => Promise<unknown>)[] = [];
  const result = await act(transaction);
  for (const step of transaction) await step();
  return result;
}

function thrownBy(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return String(error);
  }
  return "nothing";
}

describe("idempotency of an operation", () => {
  const answers: Record<string, Act> = {
    "201 with fields": () =>
      reply(201, { id: 1, secret: "x" } as never, { location: "/orders/1", "set-cookie": ["a=1", "b=2"] }),
    "200 of text": () => "\uFEFF text é 𝄞",
    "202 of a list": () => reply(202, [1, 2]),
    "204": () => undefined,
    "206 of bytes": () => reply(206, Uint8Array.from([0xef, 0xbb, 0xbf, 0, 255, 254])),
    "206 of a stream": () => reply(206, new Blob([Uint8Array.from([1, 255])]).stream()),
    "206 of a Blob": () => reply(206, new Blob([Uint8Array.from([1, 255])])),
    "402, declared": () => reply(402, { detail: "Poor", balance: 3 }),
    "409, thrown": () => {
      throw new HTTPError(Status.Conflict, "Taken", { headers: { "x-why": "taken" } });
    },
  };
  for (const [name, act] of Object.entries(answers)) {
    it(`C12.3 answers a repeat by the first answer, byte for byte: ${name}`, async () => {
      const app = applicationOf({ act });
      const first = await post(app, "k");
      const repeat = await post(app, '"k"');
      expect([first.headers.has("idempotent-replayed"), repeat.headers.get("idempotent-replayed")]).toEqual([
        false,
        "true",
      ]);
      const parts = await partsOf(first);
      expect(parts).toEqual(await partsOf(repeat));
      expect(parts.status).toBe(Number(name.slice(0, 3)));
      expect(first.statusText).toBe(name.endsWith("thrown") ? "Conflict" : "");
      expect(repeat.statusText).toBe(first.statusText);
      const hasLength = !/204|stream|thrown/.test(name);
      expect(first.headers.get("content-length")).toBe(hasLength ? String(parts.content.length) : null);
      expect(Order.ran).toBe(1);
    });
  }

  it("C12.3 keeps what a client preferred", async () => {
    const app = applicationOf({ act: () => "text" });
    const first = await post(app, "k", { n: 1 }, { prefer: "return=minimal" });
    const repeat = await post(app, "k");
    expect([first.status, repeat.status, repeat.headers.get("preference-applied")]).toEqual([
      204,
      204,
      "return=minimal",
    ]);
  });

  it("C12.1 refuses a request without a key where it is required, and lets it pass where it is optional", async () => {
    const app = applicationOf({ docs: "https://example.com/keys" });
    for (const key of [null, "", "a b", "x".repeat(256)]) {
      const { status, headers } = await post(app, key);
      expect([status, headers.get("link")]).toEqual([400, '<https://example.com/keys>; rel="describedby"']);
    }
    expect(Order.ran).toBe(0);
    const put = { method: "PUT", body: "a", headers: { "content-type": "text/plain" } };
    for (const _ of "12") expect((await app.request("/orders/a", put)).status).toBe(204);
    expect(Order.ran).toBe(2);
  });

  it("C12.2 uses up no key by what a step refuses", async () => {
    const app = applicationOf();
    const refused = [
      post(app, "k", { n: "x" }),
      post(app, "k", { n: 1 }, { "content-type": "text/html" }),
      post(app, "k", { n: 1 }, { accept: "image/gif" }),
      post(app, "k", { n: 1 }, { "if-match": '"9"' }),
    ];
    const statuses = (await Promise.all(refused)).map(({ status }) => status);
    expect(statuses).toEqual([422, 415, 406, 412]);
    expect([(await post(app, "k")).status, Order.ran]).toEqual([201, 1]);
  });

  it("C12.2 looks for the key before preconditions: a repeat whose tag has changed gets its answer", async () => {
    const app = applicationOf();
    const match = { "if-match": '"0"' };
    expect((await post(app, "k", { n: 1 }, match)).status).toBe(201);
    Order.weighed = 0;
    const repeat = await post(app, "k", { n: 1 }, match);
    expect([repeat.status, Order.weighed, Order.ran]).toEqual([201, 0, 1]);
  });

  it("C12.2 is 422 for another request with the key, and knows scope, method and pattern apart", async () => {
    const app = applicationOf({ ownerOf: ({ request }) => request.headers.get("x-user") ?? "nobody" });
    await post(app, "k");
    expect((await post(app, "k", { n: 2 })).status).toBe(422);
    expect((await post(app, "k", { n: 1 }, {}, "/orders/b")).status).toBe(422);
    expect((await post(app, "k", { n: 1 }, {}, "/orders/a?x=1")).status).toBe(422);
    expect(Order.ran).toBe(1);
    expect((await post(app, "k", { n: 1 }, { "x-user": "eve" })).headers.has("idempotent-replayed")).toBe(false);
    const put = { method: "PUT", body: "a", headers: { "content-type": "text/plain", "idempotency-key": "k" } };
    expect((await app.request("/orders/a", put)).status).toBe(204);
    expect(Order.ran).toBe(3);
  });

  it("C12.3 is 409 while the first request is under way, and answers those who began at once by one run", async () => {
    let end!: () => void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const app = applicationOf({
      async act() {
        await ended;
        return "done";
      },
    });
    const all = Array.from({ length: 50 }, () => post(app, "k"));
    const first = Promise.race(all);
    const { status, headers } = await first;
    expect([status, headers.get("retry-after")]).toEqual([409, "1"]);
    end();
    const responses = await Promise.all(all);
    // Where a runtime begins one after the other, those who begin late get the first answer again.
    const own = responses.filter((one) => one.status === 200 && !one.headers.has("idempotent-replayed"));
    expect(own).toHaveLength(1);
    expect(new Set(responses.map((one) => one.status))).toEqual(new Set([200, 409]));
    expect([await (await post(app, "k")).text(), Order.ran]).toEqual(["done", 1]);
  });

  it("C12.3 is the first answer for a request that had looked for the key before it began", async () => {
    // Each finds nothing: the other has not begun.
    const store = changed({ find: async () => null });
    const app = applicationOf({ store });
    expect((await post(app, "k")).headers.has("idempotent-replayed")).toBe(false);
    expect((await post(app, "k")).headers.has("idempotent-replayed")).toBe(true);
    expect(Order.ran).toBe(1);
  });

  it("C12.4 keeps no answer that another try may change", async () => {
    const acts: Act[] = [
      () => reply(503),
      () => {
        throw new Error("Broken");
      },
      () => reply(402, undefined, { "retry-after": "1" }),
      () => reply(299 as never),
      () => ({ n: 1 }),
    ];
    for (const act of acts) {
      const app = applicationOf({ act });
      await post(app, "k");
      const again = await post(app, "k");
      expect([again.headers.has("idempotent-replayed"), Order.ran]).toEqual([false, 2]);
    }
  });

  it("C12.4 is 409 for a repeat whose answer was longer than 1 MiB", async () => {
    for (const length of [1_048_577, 400_000]) {
      const app = applicationOf({ act: () => "x".repeat(length) });
      expect(await (await post(app, "k")).text()).toHaveLength(length);
      const { status, headers } = await post(app, "k");
      expect([status, headers.has("retry-after")]).toEqual(length > 1_048_576 ? [409, false] : [200, false]);
      expect(Order.ran).toBe(1);
    }
  });

  it("C12.5 commits the answer with the transaction of the handler, as it is sent", async () => {
    const acts: Act[] = [
      () => reply(201, { id: 1, secret: "x" } as never, { location: "/orders/1" }),
      () => reply(202, [1]),
      () => "text",
      () => undefined,
      () => reply(402, { detail: "Poor" }),
    ];
    for (const act of acts) {
      const app = applicationOf({
        store: committing(),
        act: (call) => inTransaction(async (tx) => call.idempotency.commit(tx, (await act(call)) as never)),
      });
      const first = await post(app, "k");
      const repeat = await post(app, "k");
      expect(repeat.headers.get("idempotent-replayed")).toBe("true");
      expect(await partsOf(first)).toEqual(await partsOf(repeat));
      expect(Order.ran).toBe(1);
    }
  });

  it("C12.5 takes the answer that was given to commit() for the one that it returned", async () => {
    const app = applicationOf({
      store: committing(),
      act: (call) =>
        inTransaction(async (tx) => {
          await call.idempotency.commit(tx, "text");
          return "text";
        }),
    });
    expect([(await post(app, "k")).status, (await post(app, "k")).status, Order.ran]).toEqual([200, 200, 1]);
  });

  it("C12.5 fails where the handler returns another answer than it committed", async () => {
    const told: unknown[] = [];
    const act: Act = (call) =>
      inTransaction(async (tx) => {
        await call.idempotency.commit(tx, "text");
        return reply(402);
      });
    const app = applicationOf({ store: committing(), act }, (error) => void told.push(error));
    expect((await post(app, "k")).status).toBe(500);
    expect(String(told[0])).toContain(
      "Cannot answer POST of Order: the handler returned another answer than it committed; return what commit() " +
        "returns",
    );
    expect([await (await post(app, "k")).text(), Order.ran]).toEqual(["text", 1]);
  });

  it("C12.5 throws inside the transaction what does not fit or is not kept, so that nothing happens", async () => {
    const unfit: [unknown, RegExp][] = [
      [reply(201, { id: "1" } as never, { location: "/" }), /does not fit/],
      [reply(299 as never), /299 is not declared/],
      [reply(503), /one of status 503 or with Retry-After is not kept/],
      ["x".repeat(1_048_577), /longer than 1 MiB/],
    ];
    for (const [answer, message] of unfit) {
      const told: unknown[] = [];
      let isCommitted = false;
      const act: Act = (call) =>
        inTransaction(async (tx) => {
          const result = await call.idempotency.commit(tx, answer as never);
          isCommitted = true;
          return result;
        });
      const app = applicationOf({ store: committing(), act }, (error) => void told.push(error));
      expect([(await post(app, "k")).status, isCommitted]).toEqual([500, false]);
      expect(String(told[0])).toMatch(message);
      await post(app, "k");
      expect(Order.ran).toBe(2);
    }
  });

  it("C12.5 says that a store has no transactions, and commits nothing without a key", async () => {
    const told: unknown[] = [];
    const app = applicationOf({ act: (call) => call.idempotency.commit({}, "text") }, (error) => void told.push(error));
    expect((await post(app, "k")).status).toBe(500);
    expect(String(told[0])).toContain("the store has no transactions; use one with commit()");
    class Free extends Resource {
      paths = ["/"] as const;
      static POST = { idempotency: { optional: true }, 200: text() };
      POST(call: Call<typeof Free, "POST">): Promise<Answer<typeof Free, "POST">> {
        return call.idempotency.commit(null, "free");
      }
    }
    const rules = { store: memoryRecords(), ownerOf: () => "everyone" };
    const free = Application.builder().resources(Free).idempotency(rules).build();
    expect(await (await free.request("/", { method: "POST" })).text()).toBe("free");
  });

  it("C12.5 is 503 where the store fails before the handler, and answers where it fails afterwards", async () => {
    const fail = (): never => {
      throw new Error("gone");
    };
    for (const methods of [{ find: fail }, { begin: fail }]) {
      const { status, headers } = await post(applicationOf({ store: changed(methods) }), "k");
      expect([status, headers.get("retry-after"), Order.ran]).toEqual([503, "5", 0]);
    }
    for (const [methods, act] of [
      [{ finish: fail }, () => "text"],
      [{ finish: async () => false }, () => "text"],
      [{ release: fail }, () => reply(503)],
    ] as const) {
      const told: unknown[] = [];
      const app = applicationOf({ store: changed(methods), act }, (error) => void told.push(error));
      expect((await post(app, "k")).status).toBe(act() === "text" ? 200 : 503);
      expect(told).toHaveLength(1);
    }
  });

  it("C12.1 fails where the scope is not a string", async () => {
    for (const owner of ["", undefined, 7]) {
      const told: unknown[] = [];
      const app = applicationOf({ ownerOf: () => owner as string }, (error) => void told.push(error));
      expect((await post(app, "k")).status).toBe(500);
      expect(String(told[0])).toContain('Cannot begin a write: expected a string from "ownerOf"');
    }
  });

  it("C12.2 does not compare content that the operation does not declare", async () => {
    let ran = 0;
    class Bare extends Resource {
      paths = ["/"] as const;
      static DELETE = { idempotency: true, 204: "Gone" };
      DELETE(): undefined {
        ran += 1;
      }
      static PUT = { idempotency: true, content: z.object({ n: z.int() }).optional(), 204: "Stored" };
      PUT(): undefined {
        ran += 1;
      }
      static POST = {
        idempotency: true,
        content: { "application/json": z.string(), "text/plain": text() },
        204: "Stored",
      };
      POST(): undefined {
        ran += 1;
      }
      static PATCH = { content: text(), 204: "Changed" };
      PATCH(): undefined {
        ran += 1;
      }
    }
    const app = Application.builder()
      .resources(Bare)
      .idempotency({ store: memoryRecords(), ownerOf: () => "all" })
      .build();
    for (const body of ["a", new Blob(["b"], { type: "text/plain" })]) {
      expect((await app.request("/", { method: "DELETE", body, headers: { "idempotency-key": "k" } })).status).toBe(
        204,
      );
      expect((await app.request("/", { method: "PUT", headers: { "idempotency-key": "k" } })).status).toBe(204);
    }
    expect(ran).toBe(2);
    for (const [type, status] of [
      ["text/plain", 204],
      ["application/json", 422],
    ] as const) {
      const headers = { "idempotency-key": "k", "content-type": type };
      expect((await app.request("/", { method: "POST", body: '"a"', headers })).status).toBe(status);
    }
    // An operation without `idempotency` takes no keys.
    const headers = { "idempotency-key": "k", "content-type": "text/plain" };
    for (const body of ["a", "b"])
      expect((await app.request("/", { method: "PATCH", body, headers })).status).toBe(204);
    expect(ran).toBe(5);
  });

  it("C12.1 is refused by build() where it cannot work", () => {
    const rules = { store: memoryRecords(), ownerOf: () => "everyone" };
    const built = (operation: object, method = "POST", builder = Application.builder().idempotency(rules)): string => {
      class Wrong extends Resource {
        paths = ["/"];
      }
      Object.assign(Wrong, { [method]: { idempotency: true, 200: text(), ...operation } });
      Object.assign(Wrong.prototype, { [method]: () => "" });
      return thrownBy(() => builder.resources(Wrong as never).build());
    };
    expect(built({})).toBe("nothing");
    expect(built({ 201: written("text/csv", String) })).toBe("nothing");
    expect(built({ idempotency: { optional: true } })).toBe("nothing");
    for (const [idempotency, told] of [
      ["required", '"required"'],
      [false, "false"],
      [{}, "an object"],
      [{ optional: false }, "an object"],
    ] as const) {
      expect(built({ idempotency })).toContain(`has ${told} for idempotency; write true, or { optional: true }`);
    }
    expect(built({ 202: events(z.int()) })).toContain("static POST has idempotency beside events(), which is a stream");
    for (const method of ["GET", "HEAD", "OPTIONS", "QUERY"]) {
      expect(built({}, method)).toContain(
        `static ${method} has idempotency, and ${method} changes nothing; leave it out`,
      );
    }
    expect(built({}, "POST", Application.builder())).toContain(
      "static POST has idempotency, and the application has no store; write .idempotency({ store, ownerOf }) on its " +
        "builder",
    );
    expect(thrownBy(() => Application.builder().idempotency({ store: memoryRecords() } as never))).toContain(
      '"ownerOf"',
    );
    class Other extends native.Resource {
      override paths = ["/"];
      static POST = { idempotency: true, 204: "Done" };
      override POST(): Response {
        return new Response();
      }
    }
    const app = native.Application.builder().resources(Other).build();
    expect(thrownBy(() => document(app, { title: "Orders", version: "1" }))).toContain(
      "static POST has idempotency, which its module does not read; use the middleware idempotency()",
    );
  });

  it("C12.2 is a question of explain(), which asks no store unless it runs the request", async () => {
    const app = applicationOf();
    const asked = async (key: string | null, run: boolean, json: unknown = { n: 1 }) => {
      const headers = { "content-type": "application/json", ...(key === null ? {} : { "idempotency-key": key }) };
      const request = new Request("http://localhost/orders/a", { method: "POST", headers, body: JSON.stringify(json) });
      const { status, questions } = await app.explain(request, { run });
      return [status, questions.find(({ step }) => step === 7)?.finding, questions.at(-1)!.finding];
    };
    expect((await asked(null, false)).slice(0, 2)).toEqual([400, "no: Idempotency-Key is required"]);
    const unasked = "not asked: the store is not called";
    expect((await asked("k", false)).slice(0, 2)).toEqual([null, unasked]);
    expect(await asked("k", false, { n: "x" })).toEqual([
      null,
      unasked,
      expect.stringMatching(/; 422 if the key is new$/),
    ]);
    expect(Order.ran).toBe(0);
    expect((await asked("k", true)).slice(0, 2)).toEqual([201, "no: the key is new"]);
    expect(await asked("k", true)).toEqual([
      201,
      "yes: the first answer is sent again",
      "yes: the first answer is sent again",
    ]);
    const put = new Request("http://localhost/orders/a", {
      method: "PUT",
      // Bun names no type by itself.
      headers: { "content-type": "text/plain;charset=UTF-8" },
      body: "a",
    });
    const { questions } = await app.explain(put);
    expect(questions.find(({ step }) => step === 7)?.finding).toBe("no: there is no Idempotency-Key");
    expect(Order.ran).toBe(1);
  });

  it("C12.6 is in the document: the field, and 400, 409 and 422", () => {
    const app = applicationOf();
    const {
      post: shown,
      put,
      get,
    } = document(app, { title: "Orders", version: "1" }).paths["/orders/{list}"]! as never as Record<
      string,
      { parameters: { name: string; required?: boolean }[]; responses: Record<string, { description: string }> }
    >;
    const field = { name: "Idempotency-Key", in: "header", schema: { type: "string", minLength: 1, maxLength: 255 } };
    const keyOf = (one: typeof shown) => one!.parameters.find(({ name }) => name === "Idempotency-Key");
    expect(keyOf(shown)).toMatchObject({ ...field, required: true });
    expect(keyOf(put)).toMatchObject(field);
    expect(keyOf(put)!.required).toBeUndefined();
    expect(keyOf(get)).toBeUndefined();
    expect(shown!.responses["409"]!.description).toMatch(/under way/);
    expect(shown!.responses["422"]!.description).toBe(
      "The content does not fit; or: Idempotency-Key was used for another request",
    );
    expect(clientTypes(app.dispatcher)).toMatch(
      /POST\(.*\{ readonly idempotencyKey: string \} & CallOptions\).*Refused<Problem, 409>/,
    );
  });

  it("C12.6 has the document say once what an operation declares itself, and no content where there is none", () => {
    class Own extends Resource {
      paths = ["/"] as const;
      static DELETE = {
        idempotency: true,
        headers: z.object({ "idempotency-key": z.uuid() }),
        204: "Gone",
      };
      DELETE(): undefined {}
    }
    const app = Application.builder()
      .resources(Own)
      .idempotency({ store: memoryRecords(), ownerOf: () => "all" })
      .build();
    const { delete: shown } = document(app, { title: "Own", version: "1" }).paths["/"]! as never as Record<
      string,
      { parameters: { name: string }[]; responses: Record<string, { description: string }> }
    >;
    const named = shown!.parameters.filter(({ name }) => /^idempotency-key$/i.test(name));
    expect(named).toHaveLength(1);
    expect(shown!.responses["422"]!.description).toBe("Idempotency-Key was used for another request");
  });

  it("C12.6 has the client send a key, and retries() repeat the call, also after 409", async () => {
    const app = applicationOf({ act: () => reply(201, { id: 1 }, { location: "/" }) });
    const sent: (string | null)[] = [];
    const refusals = [
      new Response(null, { status: 503 }),
      new Response(null, { status: 409, headers: { "retry-after": "0" } }),
    ];
    const fetch = around(retries({ firstDelayMs: 0 }), async (request) => {
      sent.push(request.headers.get("idempotency-key"));
      return refusals.shift() ?? app.fetch(request);
    });
    const api = client<typeof app>("http://localhost", { fetch });
    const key = String.raw`a"b\c`;
    const call = { path: { list: "a" }, content: { n: 1 }, idempotencyKey: key };
    expect((await api["/orders/:list"].POST(call)).status).toBe(201);
    expect(sent).toEqual(Array.from({ length: 3 }, () => String.raw`"a\"b\\c"`));
    // Without a key, and without Retry-After, 409 is the answer.
    refusals.push(
      new Response(null, { status: 409, headers: { "retry-after": "0" } }),
      new Response(null, { status: 409 }),
    );
    const plain = new Request("http://localhost/orders/a", { method: "PUT" });
    expect((await fetch(plain)).status).toBe(409);
    expect((await api["/orders/:list"].POST(call)).status).toBe(409);
    const repeat = await api["/orders/:list"].POST(call);
    expect(repeat.headers.get("idempotent-replayed")).toBe("true");
  });

  it("C12.6 has cors() allow the key, and show what its answers say", async () => {
    const origin = "https://shop.example";
    const fieldsOf = async (given: object, method: string, path = "/orders/a") => {
      const app = Application.builder()
        .middleware(cors({ origins: [origin], ...given }))
        .resources(Order)
        .idempotency({ store: memoryRecords(), ownerOf: () => "all" })
        .build();
      const preflight = { method: "OPTIONS", headers: { origin, "access-control-request-method": method } };
      const allowed = (await app.request(path, preflight)).headers.get("access-control-allow-headers");
      const { headers } = await app.request(path, { method, headers: { origin } });
      return [allowed, headers.get("access-control-expose-headers")];
    };
    const shown = "ETag, Idempotent-Replayed, Retry-After, Link, location";
    expect(await fieldsOf({}, "POST")).toEqual([null, shown]);
    const lists = { allowHeaders: ["x-a"], exposeHeaders: ["link", "x-b"] };
    expect(await fieldsOf(lists, "POST")).toEqual([
      "x-a, Idempotency-Key",
      "link, x-b, Idempotent-Replayed, Retry-After, location",
    ]);
    expect(await fieldsOf(lists, "GET")).toEqual(["x-a", "link, x-b"]);
    expect(await fieldsOf(lists, "POST", "/nowhere")).toEqual(["x-a", "link, x-b"]);
    expect(await fieldsOf({ allowHeaders: ["*"], exposeHeaders: ["*"] }, "POST")).toEqual(["*", "*"]);
  });
});
