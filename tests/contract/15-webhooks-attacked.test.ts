// Attacks on webhooks that come in and go out, by somebody who did not build them. What 15-webhooks.test.ts has is not
// here again: cut, changed and missing fields, Ed25519, windows, and the forms of private addresses.
import { memoryRecords, type RecordStore } from "fingerpost/stores";
import * as native from "fingerpost/modules/http.native.js";
import * as semantics from "fingerpost";
import {
  sendWebhook,
  Webhook,
  verifyWebhook,
  type NamedWebhookOptions,
  type OwnWebhookOptions,
} from "fingerpost/webhooks";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { githubFields, standardFields, stripeFields } from "../support/webhooks.ts";

const key = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const newKey = "whsec_YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4";
const secret = "a secret of more than sixteen bytes";
const now = (): number => Math.floor(Date.now() / 1000);

afterEach(() => vi.restoreAllMocks());

/** A guarded receiver that counts what reaches its handler. */
function receiving(options: Partial<NamedWebhookOptions> | OwnWebhookOptions = {}) {
  const ran: string[] = [];
  class Hooks extends native.Resource {
    paths = ["/hooks"];

    async POST(request: Request): Promise<Response> {
      ran.push(await request.text());
      return new Response(`done ${ran.length}`, { status: 202 });
    }
  }
  const named = typeof options.scheme === "function" ? {} : { scheme: "standard", secrets: [key] };
  const guard = verifyWebhook({ store: memoryRecords(), ...named, ...options } as NamedWebhookOptions);
  const group = native.ResourceGroup.builder().resources(Hooks).middleware(guard).build();
  const app = native.Application.builder().resources(group).build();
  return {
    ran,
    async post(content: BodyInit | null, fields: Record<string, string> | Headers = {}): Promise<[number, string]> {
      const init = { method: "POST", body: content, headers: fields, duplex: "half" } as RequestInit;
      const response = await app.fetch(new Request("https://a.example/hooks", init));
      return [response.status, await response.text()];
    },
  };
}

/** Has the clock of the system say something else, until the test ends. */
function clockAt(ms: number): void {
  vi.spyOn(Date, "now").mockReturnValue(ms);
}

describe("a webhook that somebody else sends again", () => {
  it("C15.1 runs nothing: within the window it is the first answer, outside of it 403", async () => {
    const { post, ran } = receiving();
    const fields = await standardFields(key, "a");
    expect(await post("a", fields)).toEqual([202, "done 1"]);
    expect(await post("a", fields)).toEqual([202, "done 1"]);
    const sent = Number(fields["webhook-timestamp"]) * 1000;
    for (const [ms, status] of [
      [299_000, 202],
      [301_000, 403],
      [86_400_000, 403],
      [-299_000, 202],
      [-301_000, 403],
    ] as const) {
      clockAt(sent + ms);
      expect((await post("a", fields))[0], String(ms)).toBe(status);
    }
    expect(ran).toEqual(["a"]);
  });

  it("C15.1 runs nothing where the clock was set back to its time", async () => {
    const { post, ran } = receiving();
    const old = await standardFields(key, "a");
    await post("a", old);
    clockAt(Date.now() + 3_600_000);
    expect((await post("a", old))[0]).toBe(403);
    clockAt(Number(old["webhook-timestamp"]) * 1000);
    expect(await post("a", old)).toEqual([202, "done 1"]);
    expect(ran).toEqual(["a"]);
  });

  it("C15.1 has its id say another content, and runs nothing: the id is the webhook", async () => {
    const { post, ran } = receiving();
    await post("a", await standardFields(key, "a"));
    expect(await post("b", await standardFields(key, "b"))).toEqual([202, "done 1"]);
    expect(ran).toEqual(["a"]);
  });

  it("C15.1 runs nothing while keys rotate", async () => {
    const store = memoryRecords();
    const before = receiving({ store });
    const both = receiving({ store, secrets: [key, newKey] });
    const after = receiving({ store, secrets: [newKey] });
    const [byOld, byNew] = [await standardFields(key, "a"), await standardFields(newKey, "a")];
    expect((await before.post("a", byNew))[0]).toBe(403);
    expect((await before.post("a", byOld))[0]).toBe(202);
    for (const fields of [byOld, byNew]) expect(await both.post("a", fields)).toEqual([202, "done 1"]);
    expect(await after.post("a", byNew)).toEqual([202, "done 1"]);
    expect((await after.post("a", byOld))[0]).toBe(403);
    expect([before.ran, both.ran, after.ran]).toEqual([["a"], [], []]);
  });
});

describe("a webhook that nobody signed", () => {
  it("C15.1 leaves nothing in the store, so that the real one is not a repeat", async () => {
    const asked: string[] = [];
    const memory = memoryRecords();
    const store = new Proxy(memory, {
      get(target, name) {
        asked.push(String(name));
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    const { post, ran } = receiving({ store });
    asked.length = 0;
    const fields = await standardFields(key, "a");
    for (const forged of ["b", "", "a "]) expect((await post(forged, fields))[0]).toBe(403);
    expect((await post("a", await standardFields(newKey, "a")))[0]).toBe(403);
    expect(asked).toEqual([]);
    expect((await post("a", fields))[0]).toBe(202);
    expect(ran).toEqual(["a"]);
  });

  it("C15.1 is refused where a field comes twice, with the right one first or last", async () => {
    const [standard, other] = [await standardFields(key, "{}"), await standardFields(newKey, "{}")];
    const stripe = await stripeFields(secret, '{"id":"1"}');
    const github = await githubFields(secret, "{}");
    const twice = (fields: Record<string, string>, name: string, value: string, isFirst: boolean): Headers => {
      const headers = new Headers(fields);
      headers.delete(name);
      for (const one of isFirst ? [value, fields[name]!] : [fields[name]!, value]) headers.append(name, one);
      return headers;
    };
    for (const isFirst of [true, false]) {
      const { post } = receiving();
      for (const [name, value] of [
        ["webhook-id", "msg_2"],
        ["webhook-id", "msg_1"],
        ["webhook-timestamp", standard["webhook-timestamp"]!],
        ["webhook-timestamp", "0"],
      ] as const)
        expect((await post("{}", twice(standard, name, value, isFirst)))[0], name).toBe(403);
      // The last one of a list that was joined by commas fits as it is; the others have a comma more.
      const both = twice(standard, "webhook-signature", other["webhook-signature"]!, isFirst);
      expect((await post("{}", both))[0]).toBe(isFirst ? 202 : 403);
      const byStripe = receiving({ scheme: "stripe", secrets: [secret] });
      const field = stripe["stripe-signature"]!;
      for (const value of [field, `t=${now()},v1=${"0".repeat(64)}`])
        expect((await byStripe.post('{"id":"1"}', twice(stripe, "stripe-signature", value, isFirst)))[0]).toBe(403);
      const byGithub = receiving({ scheme: "github", secrets: [secret] });
      for (const value of [github["x-hub-signature-256"]!, `sha256=${"0".repeat(64)}`])
        expect((await byGithub.post("{}", twice(github, "x-hub-signature-256", value, isFirst)))[0]).toBe(403);
      for (const { ran } of [byStripe, byGithub]) expect(ran).toEqual([]);
    }
  });

  it("C15.1 is refused where its content was written anew, though it says the same", async () => {
    const said = '{"name":"Zo\u00eb","n":1.0}';
    const utf16 = new Uint8Array([...said].flatMap((character) => [character.charCodeAt(0) & 255, 0]));
    const others: BodyInit[] = [
      JSON.stringify(JSON.parse(said)),
      JSON.stringify(JSON.parse(said), null, 1),
      said.normalize("NFD"),
      said.replace("\u00eb", "\\u00eb"),
      `\uFEFF${said}`,
      `${said}\n`,
      said.replaceAll('"', "'"),
      utf16,
      new Uint8Array([...said].map((character) => character.charCodeAt(0))),
      new URLSearchParams({ payload: said }),
    ];
    for (const [scheme, fields] of [
      ["standard", await standardFields(key, said)],
      ["github", await githubFields(secret, said)],
    ] as const) {
      const { post, ran } = receiving({ scheme, secrets: [scheme === "github" ? secret : key] });
      for (const content of others) expect((await post(content, fields))[0]).toBe(403);
      expect((await post(said, fields))[0]).toBe(202);
      expect(ran).toEqual([said]);
    }
  });

  it("C15.1 is 413 after at most 1 MiB and a part, whatever it has", async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 65_536;
        controller.enqueue(new Uint8Array(65_536));
      },
    });
    const { post, ran } = receiving();
    expect((await post(endless, await standardFields(key, "a")))[0]).toBe(413);
    expect(pulled).toBeLessThanOrEqual(1_048_576 + 4 * 65_536);
    expect(ran).toEqual([]);
  });

  it("C15.1 is 400 where its content breaks off", async () => {
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array([97])),
      pull: (controller) => controller.error(new Error("reset")),
    });
    const { post, ran } = receiving();
    expect((await post(broken, await standardFields(key, "a")))[0]).toBe(400);
    expect(ran).toEqual([]);
  });
});

describe("a webhook with coded content", () => {
  const coded = async (text: string): Promise<Uint8Array<ArrayBuffer>> => {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };

  it("C15.1 is checked over the bytes that came, and content is not decoded behind the signature", async () => {
    const ran = vi.fn<() => void>();
    class Hooks extends semantics.Resource {
      paths = ["/hooks"] as const;
      static POST = { content: z.object({ a: z.int() }), 204: "Taken" };
      POST(): semantics.Answer<typeof Hooks, "POST"> {
        ran();
        return undefined;
      }
    }
    const guard = verifyWebhook({ scheme: "standard", secrets: [key], store: memoryRecords() });
    const app = semantics.Application.builder().resources(Hooks).middleware(guard).build();
    const bytes = await coded('{"a":1}');
    const ask = async (fields: Record<string, string>): Promise<number> => {
      const headers = { ...fields, "content-type": "application/json", "content-encoding": "gzip" };
      const init = { method: "POST", body: bytes, headers };
      return (await app.fetch(new Request("https://a.example/hooks", init))).status;
    };
    expect(await ask(await standardFields(key, '{"a":1}'))).toBe(403);
    expect(await ask(await standardFields(key, bytes))).toBe(415);
    expect(ran).not.toHaveBeenCalled();
  });
});

describe("an id", () => {
  /** Keeps texts as a database does: in UTF-8, and without NUL. */
  function database(): RecordStore & { readonly longest: number } {
    const store = memoryRecords();
    let longest = 0;
    return {
      get longest() {
        return longest;
      },
      find: (one) => store.find(one),
      begin(id, fingerprint, leaseMs, ttlMs) {
        if (`${id}${fingerprint}`.includes("\0")) throw new Error("invalid byte sequence for encoding UTF8: 0x00");
        longest = Math.max(longest, id.length, fingerprint.length);
        const kept = new TextDecoder().decode(new TextEncoder().encode(fingerprint));
        return store.begin(id, kept, leaseMs, ttlMs);
      },
      extend: (...args) => store.extend(...args),
      finish: (...args) => store.finish(...args),
      release: (...args) => store.release(...args),
    };
  }

  it.each(["\\u0000", "\\ud800", "\\ud801", "\u00e9", "e\u0301", "x".repeat(100_000), "__proto__"])(
    "C15.1 of any text is one that a database can keep: %s",
    async (id) => {
      const store = database();
      const { post, ran } = receiving({ scheme: "stripe", secrets: [secret], store });
      const content = `{"id":"${id}"}`;
      for (const _ of "12") expect(await post(content, await stripeFields(secret, content))).toEqual([202, "done 1"]);
      expect(ran).toHaveLength(1);
      expect(store.longest).toBeLessThan(100);
    },
  );

  it("C15.1 is another one where its characters are others, though they look the same", async () => {
    const store = database();
    const { post, ran } = receiving({ scheme: "stripe", secrets: [secret], store });
    for (const id of ["\\ud800", "\\ud801", "\ufffd", "\u00e9", "e\u0301", "\\u00e9", "a", "A", "a ", " a"]) {
      const content = `{"id":"${id}"}`;
      await post(content, await stripeFields(secret, content));
    }
    expect(ran).toHaveLength(9);
  });

  it("C15.1 that is not ASCII is refused, though it is signed", async () => {
    for (const id of ["\u00e9", "msg\u00a01", "\u00ff"]) {
      const { post, ran } = receiving();
      expect((await post("a", await standardFields(key, "a", { id })))[0]).toBe(403);
      expect(ran).toEqual([]);
    }
  });
});

describe("sendWebhook() to a receiver that means harm", () => {
  class Pinged extends Webhook {
    static override event = "pinged";
    static override POST = { content: z.object({ n: z.int() }) };
  }
  const sending = (url: string, fetch: () => Response | Promise<Response>, timeoutMs?: number) =>
    sendWebhook(Pinged, { url, secrets: [key], content: { n: 1 }, id: "msg_1", fetch, timeoutMs });
  const taken = (): Response => new Response(null, { status: 204 });

  it.each([
    ...["http://\uff11\uff12\uff17.0.0.1/", "http://127\u30020\u30020\u30021/", "http://017700000001/"],
    ...[
      "http://0x7f000001/",
      "http://127.0.0.1../",
      "http://localhost../",
      "http://loc%61lhost/",
      "http://\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3/",
    ],
    ...["http://[::127.0.0.1]/", "http://[0:0:0:0:0:ffff:a00:1]/", "http://[64:ff9b:1::a00:1]/", "http://[fec0::1]/"],
    ...["http://@127.0.0.1/", "http:127.0.0.1", "http:\\\\127.0.0.1\\", "http://127.0.0.1:80#@a.example/"],
    ...["http://redis/", "http://redis.:6379/", "http://kubernetes.default.svc/", "http://localhost.localdomain/"],
    ...["http://printer.lan/", "http://wiki.corp./", "http://router.home/"],
  ])("C15.2 refuses %s", async (url) => {
    const fetch = vi.fn<() => Response>(taken);
    await expect(sending(url, fetch)).rejects.toThrow(/^Cannot send pinged: ".+" is in a private network/);
    expect(fetch).not.toHaveBeenCalled();
  });

  it.each([
    ...["http://a.example@127.0.0.1/", "http://127.0.0.1:80@a.example/", "http://:p@a.example/", "http://256.1.1.1/"],
    ...["http://127.0.0.1%0d%0aHost:x/", "http://a.example%00.b.example/", "http://[::1", "javascript:alert(1)"],
    ...["data:,x", "blob:https://a.example/1", "ws://a.example/", "http://"],
  ])("C15.2 takes %s for no URL of a receiver", async (url) => {
    const fetch = vi.fn<() => Response>(taken);
    await expect(sending(url, fetch)).rejects.toThrow(/its option "url" must be/);
    expect(fetch).not.toHaveBeenCalled();
  });

  it.each(["https://local.example/", "https://a.example./", "https://internal.example/", "https://svc.example:8443/a"])(
    "C15.2 sends to %s",
    async (url) => expect((await sending(url, taken)).outcome).toBe("delivered"),
  );

  it("C15.2 waits for nobody when the time was up before it asked", async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout");
    timeout.mockReturnValue(AbortSignal.abort(new DOMException("The time is up", "TimeoutError")));
    const { outcome, cause } = await sending("https://a.example/", () => new Promise(() => {}));
    expect([outcome, (cause as Error).name]).toEqual(["retry", "TimeoutError"]);
  });

  it.each([
    ["-1", null],
    ["1e9", null],
    ["0x10", null],
    ["1.5", null],
    ["soon", null],
    ["1, 2", null],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
    ["60", 60_000],
  ])("C15.2 takes Retry-After: %s for %s ms", async (value, expected) => {
    const busy = (): Response => new Response("x", { status: 503, headers: { "retry-after": value } });
    expect((await sending("https://a.example/", busy)).retryAfterMs).toBe(expected);
  });

  it("C15.2 takes no answer of a broken network, nor what is no answer, for one", async () => {
    for (const answer of [undefined, null, {}, "ok"]) {
      const result = await sending("https://a.example/", () => answer as unknown as Response);
      expect([result.outcome, result.status, result.cause instanceof TypeError]).toEqual(["retry", null, true]);
    }
  });

  it("C15.2 reads at most a part of an answer without an end", async () => {
    let parts = 0;
    let isCanceled = false;
    const bomb = new ReadableStream<Uint8Array>({
      pull(controller) {
        parts += 1;
        controller.enqueue(new Uint8Array(65_536));
      },
      cancel: () => void (isCanceled = true),
    });
    expect((await sending("https://a.example/", () => new Response(bomb))).outcome).toBe("delivered");
    expect([parts <= 2, isCanceled]).toEqual([true, true]);
  });
});
