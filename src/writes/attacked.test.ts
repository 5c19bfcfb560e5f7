// Attacks on writes that happen once: by clients, by stores that are slow or lie, by clocks, and by leases that end.
import { idempotency, type RecordStore } from "fingerpost/idempotency";
import { memoryRecords, type KeyLease } from "fingerpost/stores";
import * as native from "fingerpost/modules/http.native.js";
import { Application, bytes, reply, Resource, text, type Answer, type Call } from "fingerpost";
import { describe, expect, it, onTestFinished, vi } from "vitest";

type Act = (call: Call<typeof Payments, "POST">) => unknown;

class Payments extends Resource {
  static act: Act = () => "paid";
  static ran = 0;
  paths = ["/payments", "/others/:id"] as const;

  static POST = { idempotency: true, content: text(), 200: text(), 402: "No money" };
  POST(call: Call<typeof Payments, "POST">): Promise<Answer<typeof Payments, "POST">> {
    Payments.ran += 1;
    return Payments.act(call) as Promise<Answer<typeof Payments, "POST">>;
  }

  static PUT = { idempotency: true, content: bytes("text/plain"), 200: text() };
  PUT(): string {
    Payments.ran += 1;
    return "put";
  }
}

interface Given {
  readonly store?: RecordStore;
  readonly act?: Act;
  readonly leaseMs?: number;
}

const whose = ({ request }: { readonly request: Request }): string => request.headers.get("x-user") ?? "ada";

function applicationOf({ store = memoryRecords(), act = () => "paid", leaseMs }: Given = {}) {
  Payments.act = act;
  Payments.ran = 0;
  const told: unknown[] = [];
  const app = Application.builder()
    .resources(Payments)
    .idempotency({ store, ownerOf: whose, leaseMs })
    .onError((error) => void told.push(error))
    .build();
  return { app, told };
}

type App = ReturnType<typeof applicationOf>["app"];

function send(
  app: App,
  headers: Record<string, string> = {},
  path = "/payments",
  method = "POST",
  body: BodyInit = "7",
) {
  const request = new Request(`http://localhost${path}`, {
    method,
    body,
    headers: { "content-type": "text/plain", "idempotency-key": "k", ...headers },
    duplex: "half",
  } as RequestInit);
  return app.fetch(request);
}

/** A store of which some methods are others. */
function changed(methods: Partial<Record<keyof RecordStore, unknown>>): RecordStore {
  const store = memoryRecords();
  return {
    find: (key: string) => store.find(key),
    begin: (...args: Parameters<RecordStore["begin"]>) => store.begin(...args),
    extend: (...args: Parameters<RecordStore["extend"]>) => store.extend(...args),
    finish: (...args: Parameters<RecordStore["finish"]>) => store.finish(...args),
    release: (...args: Parameters<RecordStore["release"]>) => store.release(...args),
    ...methods,
  } as RecordStore;
}

const turn = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe("a key", () => {
  it("C12.1 of another user opens nothing, whatever the names of both are", async () => {
    const { app } = applicationOf({ act: ({ request }) => whose({ request }) });
    const names = ["ada", "eve", 'ada","POST', "__proto__", "constructor", "ada "];
    for (const name of names) expect(await (await send(app, { "x-user": name })).text()).toBe(name.trim());
    for (const name of names) expect(await (await send(app, { "x-user": name })).text()).toBe(name.trim());
    // A field has no spaces at its end: the first user and the last one are one.
    expect(Payments.ran).toBe(names.length - 1);
  });

  it("C12.2 that is used for another operation or path is another write, or refused", async () => {
    const { app } = applicationOf();
    expect(await (await send(app)).text()).toBe("paid");
    expect(await (await send(app, {}, "/payments", "PUT")).text()).toBe("put");
    expect((await send(app, {}, "/others/1")).headers.has("idempotent-replayed")).toBe(false);
    expect((await send(app, {}, "/others/2")).status).toBe(422);
    expect(Payments.ran).toBe(3);
  });

  it("C12.2 that was guessed shows nothing without the same content", async () => {
    const { app } = applicationOf({ act: () => "secret" });
    await send(app);
    const guess = await send(app, {}, "/payments", "POST", "8");
    expect([guess.status, /secret/.test(await guess.text())]).toEqual([422, false]);
  });

  it.each(["__proto__", "constructor", "toString", '"\\\\"', "a".repeat(255)])("C12.3 may be %s", async (key) => {
    const { app } = applicationOf();
    for (const _ of "12") expect((await send(app, { "idempotency-key": key })).status).toBe(200);
    expect(Payments.ran).toBe(1);
  });

  it("C12.2 with 1 GB of content is 413, first and as a repeat, after at most 1 MiB and a part", async () => {
    const { app } = applicationOf();
    const part = new Uint8Array(65_536);
    const counted = async (): Promise<readonly [status: number, bytes: number]> => {
      let bytesRead = 0;
      const body = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            bytesRead += part.length;
            if (bytesRead > 1_000_000_000) controller.close();
            else controller.enqueue(part);
          },
        },
        { highWaterMark: 0 },
      );
      return [(await send(app, {}, "/payments", "POST", body)).status, bytesRead];
    };
    for (const _ of "12") {
      const [status, bytesRead] = await counted();
      expect([status, bytesRead <= 1_048_576 + 2 * part.length]).toEqual([413, true]);
      // The key is free, and then taken.
      expect((await send(app)).status).toBe(200);
    }
    expect((await send(app, { "content-length": "1000000000" })).status).toBe(413);
    expect(Payments.ran).toBe(1);
  });
});

describe("a clock", () => {
  it("C12.5 that is set back or forth by years ends no lease and no record of the memory store", async () => {
    const { app } = applicationOf();
    await send(app);
    const now = Date.now();
    const spy = vi.spyOn(Date, "now");
    onTestFinished(() => spy.mockRestore());
    for (const shift of [-1e12, 1e12, 0]) {
      spy.mockReturnValue(now + shift);
      expect((await send(app)).headers.get("idempotent-replayed")).toBe("true");
    }
    expect(Payments.ran).toBe(1);
  });
});

describe("a store that lies", () => {
  const same = async (_key: string, fingerprint: string) => fingerprint;
  const answers: unknown[] = [
    "",
    "null",
    "7",
    "[]",
    "{}",
    '{"status":200}',
    '{"status":503,"statusText":"","fields":[],"content":""}',
    '{"status":99,"statusText":"","fields":[],"content":""}',
    '{"status":101,"statusText":"","fields":[],"content":""}',
    '{"status":700,"statusText":"","fields":[],"content":""}',
    '{"status":200,"statusText":"","fields":[["a b","c"]],"content":""}',
    '{"status":200,"statusText":"","fields":[["a","c\\nd: e"]],"content":""}',
    '{"status":200,"statusText":"","fields":[],"content":7}',
    '{"status":200,"statusText":"","fields":[],"content":{"a":1}}',
    '{"status":204,"statusText":"","fields":[],"content":"text"}',
    '{"status":200,"statusText":"a\\nb","fields":[],"content":""}',
    '{"status":200,"statusText":"","fields":[],"bytes":"%%%"}',
    '{"error":{"status":999,"message":"x"},"fields":[]}',
    '{"error":{"status":404,"message":7},"fields":[]}',
    '{"error":{"status":404,"message":"x","errors":7},"fields":[]}',
    '{"error":null,"fields":[]}',
    7,
    {},
  ];
  it.each(answers)("is 503, and runs nothing, for the answer %j", async (answer) => {
    const store = changed({
      find: async () => null,
      begin: async (key: string, fingerprint: string) => ({ fingerprint: await same(key, fingerprint), answer }),
    });
    const { app, told } = applicationOf({ store });
    expect([(await send(app)).status, Payments.ran]).toEqual([503, 0]);
    expect(String((told[0] as Error).cause)).toContain("the store returned something else than it was given");
  });

  it.each([undefined, 7, "", true, {}, { fence: 7 }, { fingerprint: 7, answer: null }])(
    "is 503, and runs nothing, where begin() returns %j",
    async (begun) => {
      const { app } = applicationOf({ store: changed({ begin: async () => begun }) });
      expect([(await send(app)).status, Payments.ran]).toEqual([503, 0]);
    },
  );

  it.each([7, "", true, {}, { fingerprint: 7, answer: null }])(
    "is 503, and runs nothing, where find() returns %j",
    async (found) => {
      const { app } = applicationOf({ store: changed({ find: async () => found }) });
      expect([(await send(app)).status, Payments.ran]).toEqual([503, 0]);
    },
  );

  it("may find nothing by undefined", async () => {
    const { app } = applicationOf({ store: changed({ find: async () => undefined }) });
    expect([(await send(app)).status, Payments.ran]).toEqual([200, 1]);
  });
});

describe("a store that is slow", () => {
  it("C12.5 has those who come meanwhile wait, and runs the handler once", async () => {
    const slow =
      (call: (...args: never[]) => Promise<unknown>) =>
      async (...args: never[]) => {
        await turn(10);
        return call(...args);
      };
    const store = memoryRecords();
    const slowStore = Object.fromEntries(
      (["find", "begin", "extend", "finish", "release"] as const).map((name) => [
        name,
        slow((store[name] as (...args: never[]) => Promise<unknown>).bind(store)),
      ]),
    ) as unknown as RecordStore;
    const { app } = applicationOf({ store: slowStore });
    const all = await Promise.all(Array.from({ length: 50 }, () => send(app)));
    expect([new Set(all.map(({ status }) => status)), Payments.ran]).toEqual([new Set([200, 409]), 1]);
  });
});

describe("a lease that ran out", () => {
  /** Two processes share a store. The first one no longer extends its lease, as if it had been stopped. */
  async function overtaken(act: Act, commit?: RecordStore["commit"]) {
    let go!: () => void;
    const stopped = new Promise<void>((resolve) => (go = resolve));
    const shared = memoryRecords();
    const own = changed({
      find: (key: string) => shared.find(key),
      begin: (...args: Parameters<RecordStore["begin"]>) => shared.begin(...args),
      finish: (...args: Parameters<RecordStore["finish"]>) => shared.finish(...args),
      release: (...args: Parameters<RecordStore["release"]>) => shared.release(...args),
      extend: async () => false,
      commit:
        commit ??
        (async (_: unknown, [lease]: readonly KeyLease[], answer: string, ttlMs: number) => {
          if (!(await shared.finish(lease!.key, lease!.fence, answer, ttlMs)))
            throw new Error("the lease of this write ended");
        }),
    });
    let runs = 0;
    const { app, told } = applicationOf({
      store: own,
      leaseMs: 20,
      async act(call) {
        runs += 1;
        const run = runs;
        if (run === 1) await stopped;
        return act(Object.assign(call, { run }) as never);
      },
    });
    const first = send(app);
    await vi.waitFor(() => expect(runs).toBe(1));
    await turn(40);
    const second = await send(app);
    go();
    return { app, told, first: await first, second };
  }

  it("C12.5 keeps the answer of the second run, and tells the observer of the first", async () => {
    const { app, told, first, second } = await overtaken(
      (call) => `run ${String((call as never as { run: number }).run)}`,
    );
    expect([await first.text(), await second.text()]).toEqual(["run 1", "run 2"]);
    expect(await (await send(app)).text()).toBe("run 2");
    expect(told.map(String)).toEqual([
      "Error: Cannot keep the answer of a write: its lease ended, and another run may have begun",
    ]);
  });

  it("C12.5 has only one run commit", async () => {
    const { app, first, second } = await overtaken((call) => call.idempotency.commit({}, "paid"));
    expect([first.status, second.status]).toEqual([500, 200]);
    expect((await send(app)).headers.get("idempotent-replayed")).toBe("true");
  });

  it("C12.5 releases nothing that belongs to another run", async () => {
    const { app } = await overtaken((call) => {
      if ((call as never as { run: number }).run === 1) throw new Error("late");
      return reply(402);
    });
    expect((await send(app)).status).toBe(402);
  });
});

describe("idempotency() of the native module", () => {
  it("C12.7 takes no lie of a store for an answer, either", async () => {
    class Paying extends native.Resource {
      override paths = ["/payments"];
      override POST(): Response {
        return new Response("paid");
      }
    }
    const store = changed({
      begin: async (_: string, fingerprint: string) => ({ fingerprint, answer: '{"status":700,"fields":[]}' }),
    });
    const once = idempotency({ store, ownerOf: () => "ada" });
    const group = native.ResourceGroup.builder().resources(Paying).middleware(once).build();
    const app = native.Application.builder()
      .resources(group)
      .onError(() => {})
      .build();
    const request = { method: "POST", body: "7", headers: { "idempotency-key": "k" } };
    expect((await app.request("/payments", request)).status).toBe(503);
  });
});
