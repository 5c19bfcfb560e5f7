import * as native from "fingerpost/modules/http.native.js";
import * as semantics from "fingerpost";
import { memoryRecords, type RecordStore } from "fingerpost/stores";
import { document, openapi } from "fingerpost/openapi";
import {
  sendWebhook,
  Webhook,
  verifyWebhook,
  type NamedWebhookOptions,
  type OwnWebhookOptions,
  type SendWebhookOptions,
} from "fingerpost/webhooks";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { githubFields, standardFields, stripeFields } from "../support/webhooks.ts";

const key = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const otherKey = "whsec_YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4";
const text = "a secret of more than sixteen bytes";

type Handler = (request: Request) => unknown;

interface Around {
  readonly app: { fetch(request: Request): Promise<Response> };
  readonly ran: ReturnType<typeof vi.fn<Handler>>;
  post(content: BodyInit | null, headers?: Record<string, string>, path?: string): Promise<Response>;
}

/** An application whose handler is behind a guard, and counted. */
function around(
  options: Partial<NamedWebhookOptions> | OwnWebhookOptions = {},
  handler: Handler = async (request) => new Response(await request.arrayBuffer()),
): Around {
  const ran = vi.fn<Handler>(handler);
  class Hooks extends native.Resource {
    paths = ["/hooks", "/hooks/:tenant"];

    GET(): Response {
      return new Response("read");
    }

    POST(request: Request): Response {
      return ran(request) as Response;
    }
  }
  const store = memoryRecords();
  const all =
    typeof options.scheme === "function" ? { ...options } : { scheme: "standard", secrets: [key], store, ...options };
  const group = native.ResourceGroup.builder()
    .resources(Hooks)
    .middleware(verifyWebhook(all as NamedWebhookOptions))
    .build();
  const app = native.Application.builder()
    .resources(group)
    .onError(() => {})
    .build();
  return {
    app,
    ran,
    post: (content, headers = {}, path = "/hooks") =>
      app.fetch(
        new Request(`https://a.example${path}`, {
          method: "POST",
          body: content,
          headers,
          duplex: "half",
        } as RequestInit),
      ),
  };
}

const now = (): number => Math.floor(Date.now() / 1000);

async function detailOf(response: Response): Promise<[number, unknown]> {
  return [response.status, ((await response.json()) as { readonly detail?: unknown }).detail];
}

const unsigned = "The signature of the webhook does not match";

describe("webhooks that come in", () => {
  it("C15.1 lets a signed webhook reach the handler, with its bytes", async () => {
    const bytes = [
      new Uint8Array([0xef, 0xbb, 0xbf, 123, 125]),
      new TextEncoder().encode('{"a":1}\r\n'),
      new Uint8Array([0xff, 0xfe, 0x80, 0]),
      new Uint8Array(),
    ];
    for (const content of bytes) {
      const { post, ran } = around();
      const response = await post(content, await standardFields(key, content));
      expect([response.status, new Uint8Array(await response.arrayBuffer())]).toEqual([200, content]);
      expect(ran).toHaveBeenCalledTimes(1);
    }
  });

  it("C15.1 reads content that comes in one byte at a time, and in parts without any", async () => {
    const content = "\uFEFF{}\r\n";
    const left = [...new TextEncoder().encode(content)].flatMap((byte) => [new Uint8Array([byte]), new Uint8Array()]);
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        const part = left.shift();
        if (part === undefined) controller.close();
        else controller.enqueue(part);
      },
    });
    const { post } = around();
    expect((await post(stream, await standardFields(key, content))).status).toBe(200);
  });

  it("C15.1 refuses content of which one bit is another", async () => {
    const content = new TextEncoder().encode('{"paid":true}');
    const fields = await standardFields(key, content);
    for (let at = 0; at < content.length * 8; at++) {
      const other = content.slice();
      other[at >> 3]! ^= 1 << (at & 7);
      const { post, ran } = around();
      expect(await detailOf(await post(other, fields))).toEqual([403, unsigned]);
      expect(ran).not.toHaveBeenCalled();
    }
  });

  it("C15.1 takes the names of Svix, which Clerk and Resend send", async () => {
    const { post, ran } = around();
    const fields = await standardFields(key, "a");
    const renamed = Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name.replace("webhook-", "svix-"), value]),
    );
    expect((await post("a", renamed)).status).toBe((await around().post("a", fields)).status);
    expect(ran).toHaveBeenCalledOnce();
    expect((await post("b", { ...renamed, "svix-id": "msg_2" })).status).toBe(403);
  });

  it("C15.1 refuses what is missing, cut, longer or of another kind", async () => {
    const { post, ran } = around();
    const fields = await standardFields(key, "a");
    const signature = fields["webhook-signature"]!;
    const wrong: Record<string, string>[] = [
      {},
      ...Object.keys(fields).map((name) => Object.fromEntries(Object.entries(fields).filter(([one]) => one !== name))),
      ...Object.keys(fields).map((name) => ({ ...fields, [name]: "" })),
      { ...fields, "webhook-id": "msg_2" },
      { ...fields, "webhook-id": "msg.1" },
      { ...fields, "webhook-id": "msg 1" },
      { ...fields, "webhook-id": "m".repeat(256) },
      { ...fields, "webhook-timestamp": `${now() - 1}` },
      { ...fields, "webhook-timestamp": `+${now()}` },
      { ...fields, "webhook-timestamp": `${now()}.0` },
      { ...fields, "webhook-timestamp": `0x${now().toString(16)}` },
      { ...fields, "webhook-timestamp": `${now()}, ${now()}` },
      { ...fields, "webhook-timestamp": "9".repeat(13) },
      { ...fields, "webhook-signature": signature.slice(0, -1) },
      { ...fields, "webhook-signature": `${signature}=` },
      { ...fields, "webhook-signature": signature.slice(3) },
      { ...fields, "webhook-signature": `v2,${signature.slice(3)}` },
      { ...fields, "webhook-signature": `V1,${signature.slice(3)}` },
      { ...fields, "webhook-signature": `v1a,${signature.slice(3)}` },
      { ...fields, "webhook-signature": "v1," },
      { ...fields, "webhook-signature": ",".repeat(100) },
      { ...fields, "webhook-signature": `${"v1,a ".repeat(16)}${signature}` },
      { ...fields, "webhook-signature": `${"a".repeat(4_096)} ${signature}` },
    ];
    for (const one of wrong)
      expect(await detailOf(await post("a", one)), JSON.stringify(one).slice(0, 200)).toEqual([403, unsigned]);
    expect(ran).not.toHaveBeenCalled();
  });

  it("C15.1 takes the first or the last of several signatures, and by each of several secrets", async () => {
    for (const secret of [key, otherKey]) {
      for (const place of [0, 15]) {
        const { post } = around({ secrets: [otherKey, key] });
        const fields = await standardFields(secret, "a");
        const all = Array.from({ length: 16 }, (_, at) => (at === place ? fields["webhook-signature"]! : "v1,YQ=="));
        expect((await post("a", { ...fields, "webhook-signature": all.join(" ") })).status).toBe(200);
      }
    }
    const { post } = around({ secrets: [otherKey] });
    expect((await post("a", await standardFields(key, "a"))).status).toBe(403);
  });

  it("C15.1 takes a time of five minutes before or after, and tells no one else of it", async () => {
    const late = [403, "The time of the webhook is more than five minutes from now"];
    for (const [seconds, expected] of [
      [now() - 290, 200],
      [now() + 290, 200],
      [now() - 310, 403],
      [now() + 310, 403],
      [0, 403],
      ["0".repeat(12), 403],
      [999_999_999_999, 403],
    ] as const) {
      const { post } = around();
      const fields = await standardFields(key, "a", { seconds });
      const response = await post("a", fields);
      expect(response.status, String(seconds)).toBe(expected);
      if (expected === 403) expect(await detailOf(response)).toEqual(late);
      const { post: forged } = around();
      expect(await detailOf(await forged("b", fields))).toEqual([403, unsigned]);
    }
  });

  it("C15.1 checks signatures by Ed25519", async () => {
    const pair = (await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"])) as CryptoKeyPair;
    const base64 = (bytes: ArrayBuffer): string => btoa(String.fromCharCode(...new Uint8Array(bytes)));
    const publicKey = `whpk_${base64(await crypto.subtle.exportKey("raw", pair.publicKey))}`;
    const signed = new TextEncoder().encode(`msg_1.${now()}.{}`);
    const signature = base64(await crypto.subtle.sign("Ed25519", pair.privateKey, signed));
    const fields = {
      "webhook-id": "msg_1",
      "webhook-timestamp": String(now()),
      "webhook-signature": `v1a,${signature}`,
    };
    const { post } = around({ secrets: [key, publicKey] });
    expect((await post("{}", fields)).status).toBe(200);
    const { post: other } = around({ secrets: [publicKey] });
    expect((await other("{ }", fields)).status).toBe(403);
    // An HMAC by bytes that everybody knows.
    expect((await other("{}", await standardFields(`whsec_${publicKey.slice(5)}`, "{}"))).status).toBe(403);
    for (const cut of ["", "YQ==", signature.slice(4), signature.replace(/=+$/, "")])
      expect((await other("{}", { ...fields, "webhook-signature": `v1a,${cut}` })).status).toBe(403);
  });

  it("C15.1 takes the form of GitHub, whose key is its content", async () => {
    const { post, ran } = around({ scheme: "github", secrets: [text] });
    const fields = await githubFields(text, "{}");
    expect((await post("{}", { ...fields, "x-github-event": "push" })).status).toBe(200);
    // Nothing signs the event.
    const repeat = await post("{}", { ...fields, "x-github-event": "delete" });
    expect([repeat.status, repeat.headers.get("idempotent-replayed"), ran.mock.calls.length]).toEqual([200, "true", 1]);
    const signature = fields["x-hub-signature-256"]!;
    for (const one of [
      "",
      signature.slice(7),
      signature.toUpperCase(),
      signature.slice(0, -1),
      `sha1=${signature.slice(7)}`,
      `${signature}, ${signature}`,
    ])
      expect((await post("{}", { "x-hub-signature-256": one })).status).toBe(403);
    expect((await post("{}", { "x-hub-signature": signature })).status).toBe(403);
    expect((await post("{} ", fields)).status).toBe(403);
  });

  it("C15.1 takes the form of Stripe, whose key is the id in the content", async () => {
    const { post, ran } = around({ scheme: "stripe", secrets: [text] });
    const event = '{"id":"evt_1","pending_webhooks":1}';
    expect((await post(event, await stripeFields(text, event))).status).toBe(200);
    // The same event is signed again at another time, and may say something else.
    const again = '{"id":"evt_1","pending_webhooks":0}';
    expect((await post(again, await stripeFields(text, again, now() - 9))).headers.get("idempotent-replayed")).toBe(
      "true",
    );
    expect(ran).toHaveBeenCalledTimes(1);
    for (const seconds of [now() - 310, now() + 310])
      expect((await post(event, await stripeFields(text, event, seconds))).status).toBe(403);
    const { "stripe-signature": field } = (await stripeFields(text, event)) as { "stripe-signature": string };
    for (const one of [
      "",
      "t=,v1=",
      field.replace("t=", "t=1,t="),
      field.replace("v1=", "v0="),
      field.replace(/^t=\d+,/, ""),
      field.replace(/(?<=v1=.*)...(?=,)/, ""),
      `${"v1=a,".repeat(16)}${field}`,
      `${"a".repeat(4_096)},${field}`,
    ])
      expect((await post(event, { "stripe-signature": one })).status, one).toBe(403);
    const two = field.replace("v1=", `v1=${"0".repeat(64)},v1=`);
    expect((await post(event, { "stripe-signature": two })).status).toBe(200);
  });

  it("C15.1 refuses an event of Stripe without an id, once it is signed", async () => {
    for (const content of ["", "null", "1", "[]", "{}", '{"id":7}', '{"id":""}', '{"__proto__":{"id":"a"}}', "{"]) {
      const { post } = around({ scheme: "stripe", secrets: [text] });
      expect(await detailOf(await post(content, await stripeFields(text, content))), content).toEqual([
        400,
        "The content of the webhook has no id",
      ]);
    }
    const { post } = around({ scheme: "stripe", secrets: [text] });
    const fields = await stripeFields(text, "\uFFFD");
    expect((await post(new Uint8Array([0xff]), fields)).status).toBe(403);
  });

  it("C15.1 takes a function of your own", async () => {
    const store = memoryRecords();
    const scheme = vi.fn<(request: Request, content: Uint8Array) => string | null>((request, content) =>
      content.length === 1 ? request.headers.get("x-id") : null,
    );
    const { post, ran } = around({ scheme: scheme as never, store });
    expect((await post("a", { "x-id": "1" })).status).toBe(200);
    expect((await post("a", { "x-id": "1" })).headers.get("idempotent-replayed")).toBe("true");
    expect(await detailOf(await post("ab", { "x-id": "2" }))).toEqual([403, unsigned]);
    expect(ran).toHaveBeenCalledTimes(1);
    for (const wrong of ["", 7, true, {}]) {
      const errors: unknown[] = [];
      const guard = verifyWebhook({ scheme: () => wrong as string, store });
      const app = native.Application.builder()
        .middleware(guard)
        .onError((error) => void errors.push(error))
        .build();
      await app.fetch(new Request("https://a.example/", { method: "POST" }));
      expect(String(errors)).toMatch(/expected scheme\(\) of verifyWebhook\(\) to return a string or null, got/);
    }
  });

  it("C15.1 answers a repeat by the first answer, whatever its time and its path are", async () => {
    const { post, ran } = around({}, () => new Response("done", { status: 201, headers: { location: "/a" } }));
    const first = await post("a", await standardFields(key, "a"), "/hooks/ada");
    const repeat = await post("a", await standardFields(key, "a", { seconds: now() - 60 }), "/hooks/eve");
    expect([first.status, repeat.status, await repeat.text()]).toEqual([201, 201, "done"]);
    expect([repeat.headers.get("location"), repeat.headers.get("idempotent-replayed")]).toEqual(["/a", "true"]);
    expect(ran).toHaveBeenCalledTimes(1);
  });

  it("C15.1 lets the handler try again what it refused or failed", async () => {
    for (const fail of [
      () => new Response("no", { status: 422 }),
      () => new Response("no", { status: 500 }),
      () => Promise.reject(new native.HTTPError(native.Status.NotFound)),
      () => Promise.reject(new Error("no")),
    ]) {
      const answers: (() => unknown)[] = [fail, () => new Response("done")];
      const { post } = around({}, () => answers.shift()!());
      expect((await post("a", await standardFields(key, "a"))).status).toBeGreaterThanOrEqual(400);
      const second = await post("a", await standardFields(key, "a"));
      expect([second.status, await second.text()]).toEqual([200, "done"]);
    }
  });

  it("C15.1 runs one of two at once: the other is 409", async () => {
    let answer!: (response: Response) => void;
    const { post, ran } = around({}, () => new Promise((resolve) => (answer = resolve)));
    const fields = await standardFields(key, "a");
    const first = post("a", fields);
    await vi.waitFor(() => expect(ran).toHaveBeenCalledTimes(1));
    const second = await post("a", fields);
    expect([second.headers.get("retry-after"), ...(await detailOf(second))]).toEqual([
      "1",
      409,
      "A request with this delivery is under way",
    ]);
    answer(new Response("done"));
    expect((await first).status).toBe(200);
  });

  it("C15.1 knows a webhook again whose class has another name, by its pattern", async () => {
    const store = memoryRecords();
    const guard = verifyWebhook({ scheme: "standard", secrets: [key], store });
    const ran: string[] = [];
    const deployed = (path: string, name: string): native.Application => {
      // As a minifier names classes: another name with each deployment.
      const Hooks = class extends native.Resource {
        paths = [path];

        POST(): Response {
          ran.push(`${path} ${name}`);
          return new Response(name);
        }
      };
      Object.defineProperty(Hooks, "name", { value: name });
      return native.Application.builder()
        .resources(native.ResourceGroup.builder().resources(Hooks).middleware(guard).build())
        .build();
    };
    const headers = await standardFields(key, "a");
    for (const [path, name] of [
      ["/hooks", "t"],
      ["/hooks", "e"],
      ["/others", "t"],
    ] as const) {
      const sent = new Request(`https://a.example${path}`, { method: "POST", body: "a", headers });
      expect(await (await deployed(path, name).fetch(sent)).text()).toBe("t");
    }
    expect(ran).toEqual(["/hooks t", "/others t"]);
  });

  it("C15.1 knows keys by scheme, and is 503 where the store fails", async () => {
    const store = memoryRecords();
    const one = around({ store, scheme: "github", secrets: [text] });
    await one.post("a", await githubFields(text, "a"));
    const other = around({ store: { ...broken(store) } });
    expect((await other.post("a", await standardFields(key, "a"))).status).toBe(503);
    expect(other.ran).not.toHaveBeenCalled();
  });

  it("C15.1 guards all methods, and records no safe one", async () => {
    const { app } = around();
    const get = async (headers: Record<string, string>): Promise<Response> =>
      app.fetch(new Request("https://a.example/hooks", { headers }));
    expect((await get({})).status).toBe(403);
    const fields = await standardFields(key, "");
    for (let time = 0; time < 2; time++) {
      const response = await get(fields);
      expect([response.status, response.headers.has("idempotent-replayed")]).toEqual([200, false]);
    }
  });

  it("C15.1 uses up no key where nothing is found", async () => {
    const asked = vi.fn<() => void>();
    const store = { ...broken(memoryRecords(), asked) };
    const app = native.Application.builder()
      .middleware(verifyWebhook({ scheme: "standard", secrets: [key], store }))
      .build();
    const request = { method: "POST", body: "a", headers: await standardFields(key, "a") };
    expect((await app.fetch(new Request("https://a.example/none", request))).status).toBe(404);
    expect(asked).not.toHaveBeenCalled();
  });

  it("C15.1 reads no more than maxBytes", async () => {
    const { post, ran } = around({ maxBytes: 3 });
    expect((await post("abcd", await standardFields(key, "abcd"))).status).toBe(413);
    expect((await post("abc", await standardFields(key, "abc"))).status).toBe(200);
    expect(ran).toHaveBeenCalledTimes(1);
  });

  it("C15.1 is of modules with Request", async () => {
    const store = memoryRecords();
    const guard = verifyWebhook({ scheme: "standard", secrets: [key], store });
    const { Application, Resource, ResourceGroup } = await import("fingerpost/modules/http.polyfill.js");
    class Hooks extends Resource {
      paths = ["/hooks"];
      POST(): unknown {
        return {};
      }
    }
    const app = Application.builder()
      .resources(ResourceGroup.builder().resources(Hooks).middleware(guard).build())
      .build();
    await expect(app.handle({ url: "/hooks", method: "POST", request: {}, response: {} } as never)).rejects.toThrow(
      "use verifyWebhook() with http.native.js",
    );
  });

  it("C15.1 refuses secrets that cannot be right, and shows none", () => {
    const store = memoryRecords();
    const base64 = (length: number): string => btoa("a".repeat(length));
    for (const [scheme, secrets] of [
      ...[
        "",
        "whsec_",
        `whsec_${base64(23)}`,
        `whsec_${base64(65)}`,
        base64(24),
        `whsec_${base64(25).slice(0, -1)}`,
      ].map((one) => ["standard", [one]] as const),
      ...[`whpk_${base64(31)}`, `whpk_${base64(33)}`, `whsk_${base64(64)}`, `whsec_${base64(24)} `, 7, null].map(
        (one) => ["standard", [key, one]] as const,
      ),
      ["standard", key],
      ["standard", []],
      ["standard", undefined],
      ["github", ["undefined"]],
      ["github", ["short"]],
      ["stripe", [new Uint8Array(32)]],
      [() => "1", [key]],
    ] as const) {
      const options = { scheme, secrets, store } as unknown as NamedWebhookOptions;
      expect(() => verifyWebhook(options)).toThrow(/its option "secrets" must be .*, got (?:a|an|no)?\s?[\w ]+$/);
    }
    for (const scheme of ["svix", "constructor", undefined, null, {}])
      expect(() => verifyWebhook({ scheme, secrets: [key], store } as never)).toThrow('its option "scheme" must be');
    expect(() => verifyWebhook({ scheme: "standard", secrets: [key] } as never)).toThrow('its option "store" must be');
    expect(() => verifyWebhook({ scheme: "stripe", secrets: [text], store, ttlMs: 599_999 })).toThrow(
      'its option "ttlMs" must be at least ten minutes',
    );
    expect(() => verifyWebhook({ scheme: "github", secrets: [text], store, ttlMs: 60_000 })).not.toThrow();
    expect(() => verifyWebhook({ scheme: "github", secrets: [text], store, maxBytes: -1 })).toThrow(
      'its option "maxBytes"',
    );
  });

  it("C15.1 keeps secrets as they were checked", async () => {
    const secrets = [key];
    const { post } = around({ secrets });
    secrets[0] = otherKey;
    expect((await post("a", await standardFields(otherKey, "a"))).status).toBe(403);
  });
});

describe("webhooks that come in, on the line", () => {
  const shipped = z.object({ order: z.int() });

  function line(options: { readonly maxBytes?: number } = {}) {
    const ran = vi.fn<(order: number) => void>();
    class Shipments extends semantics.Resource {
      paths = ["/shipments"] as const;

      static POST = {
        content: options.maxBytes === undefined ? shipped : semantics.json(shipped, { maxBytes: options.maxBytes }),
        204: "Taken",
      };
      POST({ content }: semantics.Call<typeof Shipments, "POST">): semantics.Answer<typeof Shipments, "POST"> {
        ran(content.order);
        return semantics.reply(204);
      }
    }
    const guard = verifyWebhook({ scheme: "standard", secrets: [key], store: memoryRecords() });
    const group = semantics.ResourceGroup.builder().resources(Shipments).middleware(guard).build();
    const app = semantics.Application.builder()
      .resources(group, openapi({ title: "Shop", version: "1" }))
      .build();
    const post = (content: string, headers: Record<string, string>): Promise<Response> =>
      app.fetch(
        new Request("https://a.example/shipments", {
          method: "POST",
          body: content,
          headers: { "content-type": "application/json", ...headers },
        }),
      );
    return { app, post, ran };
  }

  it("C15.1 reads the content as declared, and answers a repeat", async () => {
    const { post, ran } = line();
    const fields = await standardFields(key, '{"order":7}');
    expect((await post('{"order":7}', fields)).status).toBe(204);
    expect((await post('{"order":7}', fields)).headers.get("idempotent-replayed")).toBe("true");
    expect(ran.mock.calls).toEqual([[7]]);
    expect((await post('{"order":8}', fields)).status).toBe(403);
  });

  it("C15.1 uses up no key for what the line refuses", async () => {
    const { post } = line();
    const fields = await standardFields(key, '{"order":"x"}');
    for (let time = 0; time < 2; time++) {
      const response = await post('{"order":"x"}', fields);
      expect([response.status, response.headers.has("idempotent-replayed")]).toEqual([422, false]);
    }
    const signed = await standardFields(key, "{}", { id: "msg_2" });
    expect((await post("{}", { ...signed, "content-encoding": "gzip" })).status).toBe(415);
    expect((await post("{}", { ...signed, "content-type": "application/json; charset=utf-16" })).status).toBe(415);
  });

  it("C15.1 holds content that was read to the limit of the operation", async () => {
    const { post } = line({ maxBytes: 10 });
    expect((await post('{"order":7}', await standardFields(key, '{"order":7}'))).status).toBe(413);
  });

  it("C15.1 is in what explain() says", async () => {
    const { app } = line();
    const request = new Request("https://a.example/shipments", { method: "POST", body: "{}" });
    const { middleware, status } = await app.explain(request, { run: true });
    expect([middleware, status]).toEqual([["SignedWebhook"], 403]);
  });

  it("C15.1 is in the document without a time where nothing signs it", () => {
    const store = memoryRecords();
    const answersOf = (guard: object): unknown =>
      (guard as { answers(method: string): Readonly<Record<number, string>> }).answers("POST")[403];
    expect(answersOf(verifyWebhook({ scheme: "github", secrets: [text], store }))).toBe("The signature does not fit");
    expect(answersOf(verifyWebhook({ scheme: "stripe", secrets: [text], store }))).toBe(
      "The signature or the time does not fit",
    );
  });

  it("C15.1 is in the document", async () => {
    const { app } = line();
    const response = await app.fetch(new Request("https://a.example/openapi.json"));
    const { paths, components } = (await response.json()) as {
      paths: Record<string, Record<string, { responses: Record<string, { description: string }>; security: unknown }>>;
      components: { securitySchemes: unknown };
    };
    const { responses, security } = paths["/shipments"]!["post"]!;
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(["204", "403", "409", "413"]));
    expect(responses["403"]!.description).toBe("The signature or the time does not fit");
    expect(security).toEqual([{ "webhook-signature": [] }]);
    expect(components.securitySchemes).toEqual({
      "webhook-signature": {
        type: "apiKey",
        in: "header",
        name: "webhook-signature",
      },
    });
  });
});

describe("webhooks that are sent", () => {
  const content = z.object({ order: z.int(), at: z.iso.datetime().optional() });

  class OrderShipped extends Webhook {
    static override event = "order.shipped";
    static override POST = {
      content,
      summary: "An order is on its way",
      description: "In full",
      examples: { one: { order: 7 } },
    };
  }

  type Given = Partial<Omit<SendWebhookOptions<z.input<typeof content>>, "content">> & { readonly content?: unknown };

  const sending = (given: Given, fetch?: SendWebhookOptions<unknown>["fetch"]) =>
    sendWebhook(OrderShipped, {
      url: "https://shop.example/hooks",
      secrets: [key],
      content: { order: 7 },
      id: "msg_1",
      fetch: fetch ?? (() => new Response(null, { status: 204 })),
      ...given,
    } as SendWebhookOptions<z.input<typeof content>>);

  it("C15.2 sends JSON, signed by every secret, which verifyWebhook() takes", async () => {
    const pair = (await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"])) as CryptoKeyPair;
    const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
    const seed = new Uint8Array(await crypto.subtle.exportKey("pkcs8", pair.privateKey)).slice(-32);
    const publicBytes = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
    const publicKey = `whpk_${base64(publicBytes)}`;
    const privateKey = `whsk_${base64(new Uint8Array([...seed, ...publicBytes]))}`;
    for (const trusted of [key, publicKey]) {
      for (const secrets of [
        [otherKey, key, privateKey],
        [key, `whsk_${base64(seed)}`],
      ]) {
        const { app, ran } = around({ secrets: [trusted] });
        let sent: Request | null = null;
        const result = await sending({ url: "https://a.example/hooks", secrets }, (request) => {
          sent = request.clone() as Request;
          return app.fetch(request);
        });
        expect(result).toEqual({ outcome: "delivered", status: 200, retryAfterMs: null });
        const { method, headers, redirect } = sent! as Request;
        expect([method, headers.get("content-type"), redirect]).toEqual(["POST", "application/json", "manual"]);
        expect(await (sent! as Request).json()).toEqual({ order: 7 });
        expect(headers.get("webhook-signature")!.split(" ")).toHaveLength(secrets.length);
        expect(ran).toHaveBeenCalledTimes(1);
      }
    }
  });

  it("C15.2 says what came of the try", async () => {
    const answers: [Response, unknown][] = [
      [new Response(null, { status: 202 }), { outcome: "delivered", status: 202, retryAfterMs: null }],
      [new Response("gone", { status: 410 }), { outcome: "gone", status: 410, retryAfterMs: null }],
      [
        new Response(null, { status: 302, headers: { location: "/" } }),
        { outcome: "retry", status: 302, retryAfterMs: null },
      ],
      [new Response("no", { status: 404 }), { outcome: "retry", status: 404, retryAfterMs: null }],
      [
        new Response("no", { status: 503, headers: { "retry-after": "120" } }),
        { outcome: "retry", status: 503, retryAfterMs: 120_000 },
      ],
      [
        new Response("no", { status: 429, headers: { "retry-after": "0" } }),
        { outcome: "retry", status: 429, retryAfterMs: 0 },
      ],
      [
        new Response("no", { status: 429, headers: { "retry-after": "9".repeat(400) } }),
        { outcome: "retry", status: 429, retryAfterMs: Number.MAX_SAFE_INTEGER },
      ],
    ];
    for (const [answer, expected] of answers) expect(await sending({}, () => answer)).toEqual(expected);
    const cause = new Error("down");
    expect(await sending({}, () => Promise.reject(cause))).toEqual({
      outcome: "retry",
      status: null,
      retryAfterMs: null,
      cause,
    });
  });

  it("C15.2 reads no answer, and waits for none longer than timeoutMs", async () => {
    const canceled = vi.fn<() => void>();
    const endless = new ReadableStream({
      cancel: () => {
        canceled();
        throw new Error("not now");
      },
    });
    expect((await sending({}, () => new Response(endless))).outcome).toBe("delivered");
    expect(canceled).toHaveBeenCalledTimes(1);
    const late = await sending({ timeoutMs: 5 }, () => new Promise(() => {}));
    expect([late.outcome, (late.cause as Error).name]).toEqual(["retry", "TimeoutError"]);
  });

  it("C15.2 checks the content before anything is sent", async () => {
    const fetch = vi.fn<() => Response>();
    for (const [wrong, place] of [
      [{ order: "7" }, "/order"],
      [{}, "/order"],
      [undefined, "/"],
      [() => 1, "/"],
      [{ order: 7, at: "then" }, "/at"],
    ] as const) {
      await expect(sending({ content: wrong }, fetch)).rejects.toThrow(
        `Cannot send order.shipped: the content does not fit its schema at "${place}"`,
      );
    }
    expect(fetch).not.toHaveBeenCalled();
    for (const [path, place] of [
      [undefined, "/"],
      [["a", { key: "b" }, 0], "/a/b/0"],
    ] as const) {
      const issues = [{ message: "no", ...(path !== undefined && { path }) }];
      const schema = { "~standard": { version: 1, vendor: "own", validate: () => ({ issues }) } } as const;
      class Own extends Webhook {
        static override event = "own";
        static override POST = { content: schema };
      }
      const result = sendWebhook(Own, {
        url: "https://a.example/",
        secrets: [key],
        content: 1 as never,
        id: "1",
        fetch,
      });
      await expect(result).rejects.toThrow(`Cannot send own: the content does not fit its schema at "${place}"`);
    }
    class Anything extends Webhook {
      static override event = "any";
      static override POST = { content: z.any() };
    }
    const nothing = sendWebhook(Anything, {
      url: "https://a.example/",
      secrets: [key],
      content: undefined,
      id: "1",
      fetch,
    });
    await expect(nothing).rejects.toThrow('Cannot send any: the content does not fit its schema at "/"');
    expect(fetch).not.toHaveBeenCalled();
    // What is read is what is checked.
    expect((await sending({ content: { order: 7, at: new Date() } })).outcome).toBe("delivered");
  });

  it("C15.2 refuses places that are private, however they are written", async () => {
    const fetch = vi.fn<() => Response>(() => new Response());
    for (const host of [
      ...["127.0.0.1", "127.1", "0x7f.1", "2130706433", "0177.0.0.1", "127.0.0.1.", "0", "10.1.2.3", "172.16.0.1"],
      ...[
        "192.168.0.1",
        "169.254.169.254",
        "168.63.129.16",
        "100.64.0.1",
        "[::1]",
        "[::]",
        "[::ffff:10.0.0.1]",
        "[fe80::1]",
        "[fd00::1]",
      ],
      ...["[64:ff9b::a00:1]", "[2002:a00:1::]", "localhost", "LOCALHOST.", "a.localhost", "metadata.google.internal"],
      ...["224.0.0.1", "255.255.255.255", "[ff02::1]", "printer.local"],
    ]) {
      const result = sending({ url: `http://${host}:8080/hooks` }, fetch);
      await expect(result, host).rejects.toThrow(/^Cannot send order\.shipped: ".*" is in a private network/);
    }
    expect(fetch).not.toHaveBeenCalled();
    for (const host of ["93.184.216.34", "[2606:4700::1]", "[64:ff9b::5db8:d822]", "localhost.example", "172.32.0.1"])
      expect((await sending({ url: `https://${host}/` }, fetch)).outcome, host).toBe("delivered");
    expect((await sending({ url: "http://127.0.0.1/", allowPrivate: true }, fetch)).outcome).toBe("delivered");
  });

  it("C15.2 refuses options that are wrong, and shows no secret", async () => {
    const base64 = (length: number): string => btoa("a".repeat(length));
    for (const url of ["", "/hooks", "ftp://a.example/", "https://u:p@a.example/", "file:///etc", 7, null, undefined])
      await expect(sending({ url: url as string })).rejects.toThrow(/its option "url" must be/);
    for (const secrets of [
      ...[[], key, undefined, ["a"], [key, `whsec_${base64(23)}`]],
      ...[[`whpk_${base64(32)}`], [`whsk_${base64(33)}`]],
    ])
      await expect(sending({ secrets: secrets as string[] })).rejects.toThrow(
        /its option "secrets" must be .*, got (?!.*(?:whs|whp))/,
      );
    for (const id of ["", "a.b", "a b", "a\nb", "\u00e9", "a".repeat(256), 7, undefined])
      await expect(sending({ id: id as string })).rejects.toThrow(/its option "id" must be/);
    for (const timeoutMs of [0, 1.5, 2 ** 31, "1"])
      await expect(sending({ timeoutMs: timeoutMs as number })).rejects.toThrow(/its option "timeoutMs" must be/);
    await expect(sending({ fetch: 7 as never })).rejects.toThrow(/its option "fetch" must be/);
    await expect(sending({ allowPrivate: 1 as never })).rejects.toThrow(/its option "allowPrivate" must be/);
    for (const wrong of [
      null,
      {},
      class extends Webhook {},
      class extends Webhook {
        static override event = "a";
      },
    ])
      await expect(sendWebhook(wrong as never, {} as never)).rejects.toThrow(
        /^Cannot send a webhook: expected a class/,
      );
  });

  it("C15.2 is in the document", () => {
    class Orders extends semantics.Resource {
      paths = ["/orders"];
    }
    const app = semantics.Application.builder().resources(Orders).build();
    const about = { title: "Shop", version: "1" };
    const { webhooks, tags } = document(app, { ...about, webhooks: [OrderShipped] });
    expect(document(app, about)).not.toHaveProperty("webhooks");
    expect(tags).toEqual([{ name: "Webhooks" }]);
    const { post } = webhooks!["order.shipped"]!;
    expect(post).toMatchObject({
      operationId: "orderShipped",
      summary: "An order is on its way",
      description: "In full",
      requestBody: {
        required: true,
        content: { "application/json": { schema: { type: "object", required: ["order"] }, examples: { one: {} } } },
      },
    });
    expect(post.parameters!.map(({ name }) => name)).toEqual(["webhook-id", "webhook-timestamp", "webhook-signature"]);
    expect(Object.keys(post.responses)).toEqual(["410", "2XX", "default"]);
  });

  it("C15.2 refuses webhooks that a document cannot have", () => {
    class Shipped extends semantics.Resource {
      paths = ["/shipped"];
      static GET = { id: "orderShipped", 204: "Shipped" };
      GET(): semantics.Answer<typeof Shipped, "GET"> {
        return undefined;
      }
    }
    const app = semantics.Application.builder().resources(Shipped).build();
    const about = { title: "Shop", version: "1" };
    const described = (webhooks: readonly unknown[]) => () => document(app, { ...about, webhooks: webhooks as never });
    expect(described([OrderShipped])).toThrow(
      'the webhook OrderShipped and an operation have the operationId "orderShipped"; rename the class',
    );
    expect(described([OrderShipped, OrderShipped])).toThrow('two webhooks have the event "order.shipped"');
    for (const wrong of [null, {}, { event: "a" }, { event: "", POST: { content } }, { event: "a", POST: {} }])
      expect(described([wrong])).toThrow(
        'expected webhooks with "static event" and "static POST = { content: schema }"',
      );
  });
});

/** A store that fails to begin. */
function broken(store: RecordStore, asked?: () => void): RecordStore {
  return {
    find: (one) => store.find(one),
    begin: () => {
      asked?.();
      return Promise.reject(new Error("down"));
    },
    extend: async () => true,
    finish: async () => true,
    release: async () => {},
  };
}
