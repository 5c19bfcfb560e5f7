import { commit, idempotency, type IdempotencyOptions, type RecordStore } from "fingerpost/idempotency";
import { memoryRecords } from "fingerpost/stores";
import { Application, HTTPError, Response as OwnResponse, Status } from "fingerpost/modules/http.native.js";
import { describe, expect, it, vi } from "vitest";
import { measured } from "../../tests/support/measured.ts";
import { ask, gate, started } from "../../tests/support/sockets.ts";
import {
  nativeAround,
  polyfillAround,
  refusalOf,
  requestFor,
  type NativeInput,
} from "../../tests/middleware/around.ts";

type Handler = (request: NativeInput) => unknown;

/** An application whose handler is counted. */
function counted(handler: Handler, options: Partial<IdempotencyOptions> = {}, onError?: (error: unknown) => void) {
  const ran = vi.fn(handler);
  const once = idempotency({ store: memoryRecords(), ownerOf: () => "everyone", ...options });
  return { app: nativeAround(once, ran as Handler, onError), ran };
}

const post = (key: string | null, body: BodyInit | null = "a", headers: Record<string, string> = {}, path = "/items") =>
  requestFor(
    { method: "POST", body, headers: { ...(key !== null && { "idempotency-key": key }), ...headers }, duplex: "half" },
    path,
  );

/** A response that comes when it is told to. */
function held(): [promise: Promise<Response>, resolve: (response: Response) => void] {
  let resolve!: (response: Response) => void;
  return [new Promise((told) => (resolve = told)), (response) => resolve(response)];
}

async function partsOf(response: Response) {
  const { status, statusText, headers } = response;
  const content = new Uint8Array(await response.arrayBuffer());
  return { status, statusText, headers: [...headers], content };
}

/** A store of which some methods are others. */
function changed(methods: Partial<RecordStore>): RecordStore {
  const store = memoryRecords();
  const own = Object.fromEntries(
    (["find", "begin", "extend", "finish", "release"] as const).map((name) => [
      name,
      (store[name] as (...args: unknown[]) => unknown).bind(store),
    ]),
  );
  return { ...own, ...methods } as unknown as RecordStore;
}

describe("idempotency()", () => {
  it("C12.3 answers a repeat by the first answer, byte for byte", async () => {
    const bytes = Uint8Array.from([0xef, 0xbb, 0xbf, 0, 255, 254, 10]);
    const contents: BodyInit[] = ["text", "\uFEFFmark", bytes, "", "x".repeat(20_000)];
    for (const content of contents) {
      const { app, ran } = counted(() => {
        const response = new Response(content, { status: 201, statusText: "Made", headers: { location: "/items/7" } });
        response.headers.append("set-cookie", "a=1");
        response.headers.append("set-cookie", "b=2");
        return response;
      });
      const first = await partsOf(await app.fetch(post("k")));
      const repeat = await partsOf(await app.fetch(post('"k"')));
      expect(repeat.headers).toContainEqual(["idempotent-replayed", "true"]);
      expect({ ...repeat, headers: repeat.headers.filter(([name]) => name !== "idempotent-replayed") }).toEqual(first);
      expect(first.headers).toContainEqual(["set-cookie", "b=2"]);
      expect(ran).toHaveBeenCalledTimes(1);
    }
  });

  it("C12.3 answers a repeat of a Response of this package byte for byte, too", async () => {
    const contents: (BodyInit | null)[] = ["text \u{1F44B}", "\ud800", "\uFEFFmark", Uint8Array.of(0, 255), "", null];
    for (const content of contents) {
      const { app, ran } = counted(() => new OwnResponse(content, { status: 201, headers: { location: "/items/7" } }));
      const server = await started(app);
      const send = () => ask(server, { method: "POST", path: "/items", headers: { "idempotency-key": "k" } }, "a");
      const [first, repeat] = [await send(), await send()];
      expect([repeat.status, repeat.text, ran.mock.calls.length]).toEqual([201, first.text, 1]);
      const { "idempotent-replayed": isRepeat, date: _, ...fields } = repeat.headers;
      const { date: __, ...others } = first.headers;
      expect([isRepeat, fields]).toEqual(["true", others]);
    }
  });

  it("C12.4 keeps no events of a Response of this package, nor more than is kept", async () => {
    for (const [content, type] of [
      ["data: 1\n\n", "text/event-stream"],
      ["x".repeat(1_048_577), "text/plain"],
    ] as const) {
      const { app } = counted(() => new OwnResponse(content, { headers: { "content-type": type } }));
      expect(await (await app.fetch(post("k"))).text()).toBe(content);
      expect((await app.fetch(post("k"))).status).toBe(409);
    }
  });

  it("C12.3 answers a repeat without content by none", async () => {
    const { app, ran } = counted(() => new Response(null, { status: 204 }));
    await app.fetch(post("k", null));
    const repeat = await app.fetch(post("k", null));
    expect([repeat.status, repeat.body, ran.mock.calls.length]).toEqual([204, null, 1]);
  });

  it("measures what came of keys that were used before, and how long the store took", async () => {
    const found = measured();
    const waiting = gate();
    const store = memoryRecords();
    const begin = store.begin.bind(store);
    const asked = vi.fn<typeof begin>(async (...args) => begin(...args));
    store.begin = asked;
    const { app } = counted(() => waiting.opened.then(() => new OwnResponse("done")), { store });
    const first = app.fetch(post("k"));
    await app.fetch(post("k"));
    waiting.open();
    await first;
    await app.fetch(post("k"));
    await app.fetch(post("k", "b"));
    const outcomes = found.filter(([name]) => name === "fingerpost.idempotency.requests");
    expect(outcomes.map(([, value, attributes]) => [value, attributes])).toEqual(
      ["under_way", "replayed", "other_request"].map((outcome) => [1, { "fingerpost.outcome": outcome }]),
    );
    const begun = found.filter(([, , attributes]) => attributes?.["db.operation.name"] === "begin");
    expect(asked).toHaveBeenCalled();
    expect(begun.map(([name, seconds]) => [name, seconds >= 0 && seconds < 10])).toEqual(
      asked.mock.calls.map(() => ["fingerpost.store.operation.duration", true]),
    );
  });

  it("passes the content on to the handler", async () => {
    const { app } = counted(async (request) => new Response(await request.text()));
    expect(await (await app.fetch(post("k", "content"))).text()).toBe("content");
  });

  it("C12.3 refuses what is not a key, and none where it is required", async () => {
    const docs = "https://example.com/keys";
    const { app, ran } = counted(() => new Response(), { required: true, docs });
    for (const key of [null, "", "a b", '"a", "b"', "x".repeat(256)]) {
      const { status, headers } = await app.fetch(post(key));
      expect([status, headers.get("link")]).toEqual([400, `<${docs}>; rel="describedby"`]);
    }
    expect(ran).not.toHaveBeenCalled();
    const optional = counted(() => new Response());
    for (const _ of "12") expect((await optional.app.fetch(post(null))).status).toBe(200);
    expect(optional.ran).toHaveBeenCalledTimes(2);
    expect((await optional.app.fetch(post(null))).headers.has("link")).toBe(false);
  });

  it("lets safe methods pass", async () => {
    const { app, ran } = counted(() => new Response("read"), { required: true });
    for (const method of ["GET", "OPTIONS"]) expect((await app.fetch(requestFor({ method }))).status).toBe(200);
    expect(ran).toHaveBeenCalledTimes(2);
  });

  it("C12.3 is 409 while the write is under way", async () => {
    const [promise, resolve] = held();
    const { app, ran } = counted(() => promise);
    const first = app.fetch(post("k"));
    await vi.waitFor(() => expect(ran).toHaveBeenCalled());
    const { status, headers } = await app.fetch(post("k"));
    expect([status, headers.get("retry-after")]).toEqual([409, "1"]);
    resolve(new Response("done"));
    expect(await (await first).text()).toBe("done");
    expect(await (await app.fetch(post("k"))).text()).toBe("done");
  });

  it("C12.2 is 422 for another request with the key: method and pattern apart, target, type, content", async () => {
    const { app, ran } = counted(() => new Response("done"));
    await app.fetch(post("k", "a", { "content-type": "text/plain" }));
    const others = [
      post("k", "b", { "content-type": "text/plain" }),
      post("k", "a", { "content-type": "text/html" }),
      post("k", null),
      post("k", "a", { "content-type": "text/plain" }, "/items?x"),
      post("k", "a", { "content-type": "text/plain" }, "/items/"),
    ];
    for (const other of others) expect((await app.fetch(other)).status).toBe(422);
    expect(ran).toHaveBeenCalledTimes(1);
    // Another method, and another pattern, have keys of their own.
    expect((await app.fetch(requestFor({ method: "PUT", headers: { "idempotency-key": "k" } }))).status).toBe(200);
  });

  it("C12.2 takes a form for the same whatever its boundary is", async () => {
    const { app, ran } = counted(() => new Response("done"));
    const form = (file = "f") => {
      const data = new FormData();
      data.append("a", "1");
      data.append("file", new File([file], "a.txt", { type: "text/plain" }));
      return data;
    };
    await app.fetch(post("k", form()));
    expect((await app.fetch(post("k", form()))).headers.get("idempotent-replayed")).toBe("true");
    expect((await app.fetch(post("k", form("g")))).status).toBe(422);
    expect(ran).toHaveBeenCalledTimes(1);
    // Content that is not what it says has a fingerprint, too.
    const broken = { "content-type": "multipart/form-data" };
    expect((await app.fetch(post("l", "x", broken))).status).toBe(200);
    expect((await app.fetch(post("l", "x", broken))).headers.get("idempotent-replayed")).toBe("true");
    expect((await app.fetch(post("l", "y", broken))).status).toBe(422);
  });

  it("C12.1 gives nobody the answer of somebody else", async () => {
    const ownerOf = (request: Request): string => request.headers.get("x-user")!;
    const { app, ran } = counted((request) => new Response(request.headers.get("x-user")), { ownerOf });
    for (const user of ["ada", "bo", 'ada","POST'] as const) {
      expect(await (await app.fetch(post("k", "a", { "x-user": user }))).text()).toBe(user);
    }
    expect(ran).toHaveBeenCalledTimes(3);
    const errors: unknown[] = [];
    for (const wrong of ["", undefined, 7]) {
      const { app: other } = counted(
        () => new Response(),
        { ownerOf: () => wrong as string },
        (e) => void errors.push(e),
      );
      expect((await other.fetch(post("k"))).status).toBe(500);
    }
    expect(String(errors[0])).toBe('TypeError: Cannot begin a write: expected a string from "ownerOf", got ""');
  });

  it("C12.4 keeps answers from 200 to 499 that another try would not change", async () => {
    for (const status of [200, 201, 303, 400, 402, 404, 409, 422, 499]) {
      const { app, ran } = counted(() => new Response("x", { status }));
      for (const _ of "12") expect((await app.fetch(post("k"))).status).toBe(status);
      expect([status, ran.mock.calls.length]).toEqual([status, 1]);
    }
    for (const status of [408, 425, 429, 500, 503]) {
      const { app, ran } = counted(() => new Response("x", { status }));
      for (const _ of "12") expect((await app.fetch(post("k"))).status).toBe(status);
      expect([status, ran.mock.calls.length]).toEqual([status, 2]);
    }
    const later = counted(() => new Response("x", { headers: { "retry-after": "1" } }));
    for (const _ of "12") await later.app.fetch(post("k"));
    expect(later.ran).toHaveBeenCalledTimes(2);
  });

  it("C12.4 keeps errors of HTTP that a handler throws, and no others", async () => {
    const errors = [{ detail: "too little", pointer: "#/amount" }];
    const { app, ran } = counted(() => {
      const error = new HTTPError(Status.PaymentRequired, "No money", { headers: { "x-balance": "3" } });
      error.errors = errors as never;
      throw error;
    });
    const first = await partsOf(await app.fetch(post("k")));
    const repeat = await partsOf(await app.fetch(post("k")));
    expect(repeat).toMatchObject({ status: 402, content: first.content });
    expect(repeat.headers).toContainEqual(["x-balance", "3"]);
    expect(repeat.headers).toContainEqual(["idempotent-replayed", "true"]);
    expect(ran).toHaveBeenCalledTimes(1);
    for (const error of [
      new Error("bug"),
      new HTTPError(Status.ServiceUnavailable),
      new HTTPError(Status.TooManyRequests),
    ]) {
      const other = counted(() => {
        throw error;
      });
      for (const _ of "12") await other.app.fetch(post("k"));
      expect(other.ran).toHaveBeenCalledTimes(2);
    }
    const plain = counted(() => {
      throw new HTTPError(Status.NotFound);
    });
    for (const _ of "12") expect((await plain.app.fetch(post("k"))).status).toBe(404);
    expect(plain.ran).toHaveBeenCalledTimes(1);
  });

  it("C12.4 keeps no content above a mebibyte, sends it, and says so to a repeat", async () => {
    const part = new Uint8Array(600_000).fill(120);
    const parts = (): ReadableStream => {
      let left = 3;
      return new ReadableStream({ pull: (to) => (left-- > 0 ? to.enqueue(part) : to.close()) });
    };
    const { app, ran } = counted(() => new Response(parts()));
    expect((await (await app.fetch(post("k"))).arrayBuffer()).byteLength).toBe(1_800_000);
    const repeat = await app.fetch(post("k"));
    expect([repeat.status, await repeat.json()]).toEqual([
      409,
      { title: "Conflict", status: 409, detail: "The request was answered, and its answer was too long to keep" },
    ]);
    expect(ran).toHaveBeenCalledTimes(1);
    const left = await app.fetch(post("l"));
    await left.body!.cancel();
  });

  it("C12.4 does not wait for a stream of events to end", async () => {
    const { app } = counted(
      () => new Response(new ReadableStream(), { headers: { "content-type": "text/event-stream" } }),
    );
    expect((await app.fetch(post("k"))).status).toBe(200);
    expect((await app.fetch(post("k"))).status).toBe(409);
  });

  it("lets a write be tried again whose content fails, or that was not answered", async () => {
    const { app, ran } = counted(
      () => new Response(new ReadableStream({ pull: (to) => to.error(new Error("broken")) })),
    );
    for (const _ of "12") expect((await app.fetch(post("k"))).status).toBe(500);
    expect(ran).toHaveBeenCalledTimes(2);
    const nothing = counted(() => "no response");
    for (const _ of "12") expect((await nothing.app.fetch(post("k"))).status).toBe(500);
    expect(nothing.ran).toHaveBeenCalledTimes(2);
  });

  it("is 503 when the store fails before the handler runs, or returns something else", async () => {
    const stores = [
      changed({ begin: () => Promise.reject(new Error("down")) }),
      changed({ begin: async () => ({ fingerprint: "f", answer: "lie" }) }),
    ];
    for (const store of stores) {
      const errors: unknown[] = [];
      const { app, ran } = counted(
        () => new Response(),
        { store },
        (error) => void errors.push(error),
      );
      const { status, headers } = await app.fetch(post("k"));
      expect([503, 422]).toContain(status);
      if (status === 503)
        expect([headers.get("retry-after"), String((errors[0] as Error).cause)]).toEqual(["5", "Error: down"]);
      expect(ran).not.toHaveBeenCalled();
    }
    for (const lie of ["lie", "{}", '{"status":"x","fields":[]}', '{"status":200,"fields":[["a b","c"]]}', "null"]) {
      let fingerprint = "";
      const store = changed({
        begin: async (_key, given) => {
          fingerprint = given;
          return { fingerprint, answer: lie };
        },
      });
      const errors: unknown[] = [];
      const { app } = counted(
        () => new Response(),
        { store },
        (error) => void errors.push(error),
      );
      expect((await app.fetch(post("k"))).status).toBe(503);
      expect(String((errors[0] as Error).cause)).toBe(
        "Error: Cannot read a kept answer: the store returned something else than it was given",
      );
    }
  });

  it("answers, and tells the observer, when the store fails afterwards", async () => {
    const down = (): Promise<never> => Promise.reject(new Error("down"));
    const errors: unknown[] = [];
    const store = changed({ finish: down, release: down });
    const { app } = counted(
      () => new Response("paid"),
      { store },
      (error) => void errors.push(error),
    );
    expect(await (await app.fetch(post("k"))).text()).toBe("paid");
    const failed = counted(
      () => new Response("x", { status: 500 }),
      { store },
      (error) => void errors.push(error),
    );
    expect((await failed.app.fetch(post("l"))).status).toBe(500);
    expect(errors.map(String)).toEqual(["Error: down", "Error: down"]);
  });

  it("C12.5 extends its lease while the handler runs, whether or not a try fails", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      let tries = 0;
      const extend = vi.fn(() => (tries++ === 0 ? Promise.reject(new Error("down")) : Promise.resolve(true)));
      const [promise, resolve] = held();
      const { app, ran } = counted(() => promise, { store: changed({ extend }), leaseMs: 3_000 });
      const first = app.fetch(post("k"));
      await vi.waitFor(() => expect(ran).toHaveBeenCalled());
      await vi.advanceTimersByTimeAsync(3_500);
      // A write has two names.
      expect(extend).toHaveBeenCalledTimes(6);
      resolve(new Response("done"));
      await first;
      await vi.advanceTimersByTimeAsync(10_000);
      expect(extend).toHaveBeenCalledTimes(6);
    } finally {
      vi.useRealTimers();
    }
  });

  it("C12.5 keeps the answer of the newest lease, and tells the observer of the older", async () => {
    const store = changed({ extend: async () => false });
    const errors: unknown[] = [];
    const waiting: ((response: Response) => void)[] = [];
    const options = { store, leaseMs: 3 };
    const { app } = counted(
      () => new Promise((resolve) => waiting.push(resolve)),
      options,
      (e) => void errors.push(e),
    );
    const first = app.fetch(post("k"));
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const second = app.fetch(post("k"));
    await vi.waitFor(() => expect(waiting).toHaveLength(2));
    waiting[0]!(new Response("first"));
    expect(await (await first).text()).toBe("first");
    expect(errors.map(String)).toEqual([
      "Error: Cannot keep the answer of a write: its lease ended, and another run may have begun",
    ]);
    waiting[1]!(new Response("second"));
    await second;
  });

  it("refuses content that is too large, whatever its length says", async () => {
    const { app, ran } = counted(() => new Response(), { maxBytes: 3 });
    expect((await app.fetch(post("k", "1234"))).status).toBe(413);
    const endless = new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(65_536)) });
    expect((await app.fetch(post("k", endless))).status).toBe(413);
    expect((await app.fetch(post("k", "1", { "content-length": "1000000000" }))).status).toBe(413);
    expect(ran).not.toHaveBeenCalled();
  });

  it("is for the native module", async () => {
    const app = polyfillAround(idempotency({ store: memoryRecords(), ownerOf: () => "everyone" }));
    const context = { url: "/items", method: "POST", request: { headers: { "idempotency-key": "k" } } };
    await expect(app.handle(context)).rejects.toThrow(
      "Cannot begin a write: expected a Request, got an object; use idempotency() with http.native.js",
    );
  });

  it("refuses options that cannot work", () => {
    const fine = { store: memoryRecords(), ownerOf: () => "everyone" };
    const refused = (options: object) => refusalOf(() => idempotency({ ...fine, ...options } as never));
    expect(refused({ store: {} })).toContain('"store" must be a store such as memoryRecords(), got an object');
    expect(refused({ store: undefined })).toContain('"store" must be');
    expect(refused({ ownerOf: "x" })).toContain('"ownerOf" must be a function');
    expect(refused({ required: "x" })).toContain('"required" must be true or false');
    expect(refused({ maxBytes: -1 })).toContain('"maxBytes" must be a whole number');
    expect(refused({ leaseMs: 2 })).toContain('"leaseMs" must be');
    expect(refused({ leaseMs: 2 ** 31 })).toContain('"leaseMs" must be');
    expect(refused({ ttlMs: 59_999 })).toContain('"ttlMs" must be at least "leaseMs"');
    for (const docs of ["", "a b", "<", 7]) expect(refused({ docs })).toContain('"docs" must be a URI');
  });

  it("says what it answers, by method", () => {
    const { answers } = idempotency({ store: memoryRecords(), ownerOf: () => "x" }) as unknown as {
      answers(method: string): object;
    };
    expect(Object.keys(answers("POST"))).toEqual(["400", "409", "413", "422"]);
    expect(answers("GET")).toEqual({});
  });

  it("uses up no key where no pattern matches", async () => {
    const store = memoryRecords();
    const begin = vi.spyOn(store, "begin");
    const app = Application.builder()
      .middleware(idempotency({ store, ownerOf: () => "x", required: true }))
      .build();
    expect((await app.fetch(post(null))).status).toBe(404);
    expect(begin).not.toHaveBeenCalled();
  });
});

describe("commit()", () => {
  /** A store that keeps answers by a transaction, which is a list of what happens when it ends well. */
  function withTransactions(): RecordStore {
    const store = changed({});
    return {
      ...store,
      async commit(transaction, leases, answer, ttlMs) {
        for (const { key, fence } of leases)
          (transaction as (() => unknown)[]).push(() => store.finish(key, fence, answer, ttlMs));
      },
    };
  }

  it("C12.5 keeps the answer by the transaction of the handler, and sends what it kept", async () => {
    const effects: unknown[] = [];
    let isBroken = true;
    const { app, ran } = counted(
      async (request) => {
        const transaction: (() => unknown)[] = [() => effects.push("paid")];
        const answer = await commit(request, transaction, Response.json({ paid: true }, { status: 201 }));
        if (isBroken) throw new Error("the transaction failed");
        for (const end of transaction) await end();
        return answer;
      },
      { store: withTransactions() },
    );
    expect((await app.fetch(post("k"))).status).toBe(500);
    isBroken = false;
    for (const _ of "12") expect(await partsOf(await app.fetch(post("k")))).toMatchObject({ status: 201 });
    expect([effects, ran.mock.calls.length]).toEqual([["paid"], 2]);
  });

  it("C12.5 is 500 where the handler returns another response", async () => {
    const errors: unknown[] = [];
    const { app } = counted(
      async (request) => {
        await commit(request, [], new Response("a"));
        return new Response("b");
      },
      { store: withTransactions() },
      (error) => void errors.push(error),
    );
    expect((await app.fetch(post("k"))).status).toBe(500);
    expect(String(errors[0])).toBe(
      "TypeError: Cannot answer POST of /items/:id?: the handler returned another answer than it committed; return " +
        "what commit() returns",
    );
  });

  it("returns the response where the request has no key", async () => {
    const { app } = counted((request) => commit(request, null, new Response("a")));
    expect(await (await app.fetch(post(null))).text()).toBe("a");
  });

  it.each([
    ["the store has no transactions; use one with commit()", new Response("a"), false],
    ["one of status 503 or with Retry-After is not kept", new Response("a", { status: 503 }), true],
    ["its content is longer than 1 MiB, or has no end", new Response("x".repeat(1_048_577)), true],
  ])("C12.4 throws: %s", async (message, response, hasTransactions) => {
    const errors: unknown[] = [];
    const { app } = counted(
      (request) => commit(request, [], response),
      { store: hasTransactions ? withTransactions() : memoryRecords() },
      (error) => void errors.push(error),
    );
    expect((await app.fetch(post("k"))).status).toBe(500);
    expect(String(errors[0])).toBe(`Error: Cannot commit an answer: ${message}`);
  });
});
