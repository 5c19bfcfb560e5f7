import { createServer } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Socket } from "node:net";
import { createHmac, createPrivateKey, sign as signBy } from "node:crypto";
import { sign, verify } from "@octokit/webhooks-methods";
import { memoryRecords } from "fingerpost/stores";
import { sendWebhook, Webhook, verifyWebhook, type NamedWebhookOptions } from "fingerpost/webhooks";
import { z } from "zod";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { ask, started } from "../../tests/support/sockets.ts";
import { nativeAround } from "../../tests/middleware/around.ts";
import { hmacOf, isSignedBy, parseStandardSecret, signatureBy } from "./webhooks/webhook-keys.ts";

afterEach(() => void vi.useRealTimers());

const standardKey = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

async function statusOf(
  options: Omit<NamedWebhookOptions, "store">,
  content: string,
  headers: Record<string, string>,
): Promise<number> {
  const app = nativeAround(verifyWebhook({ ...options, store: memoryRecords() }), () => new Response());
  const request = new Request("https://a.example/items", { method: "POST", body: content, headers });
  return (await app.fetch(request)).status;
}

describe("verifyWebhook()", () => {
  it("takes what the package standardwebhooks signs, and refuses what it refuses", async () => {
    const judge = new StandardWebhook(standardKey);
    const contents = ["{}", '{"a":"\u{1F44B}"}', "\uFEFF{}\r\n", "x".repeat(100_000)];
    for (const content of contents) {
      const time = new Date();
      const fields = {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": String(Math.floor(time.getTime() / 1000)),
        "webhook-signature": judge.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", time, content),
      };
      const changed: Record<string, string>[] = [
        fields,
        { ...fields, "webhook-signature": `v1,YQ== ${fields["webhook-signature"]}` },
        { ...fields, "webhook-signature": `v2,${fields["webhook-signature"].slice(3)}` },
        { ...fields, "webhook-timestamp": String(Number(fields["webhook-timestamp"]) - 301) },
        { ...fields, "webhook-id": "msg_2" },
      ];
      for (const one of changed) {
        let isTaken = true;
        try {
          judge.verify(content, one, { jsonParse: false });
        } catch {
          isTaken = false;
        }
        const status = await statusOf({ scheme: "standard", secrets: [standardKey] }, content, one);
        expect(status).toBe(isTaken ? 200 : 403);
      }
    }
  });

  it("takes the vector that Standard Webhooks publishes", async () => {
    vi.useFakeTimers({ now: 1_614_265_330_000, toFake: ["Date"] });
    const fields = {
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    };
    const content = '{"test": 2432232314}';
    expect(await statusOf({ scheme: "standard", secrets: [standardKey] }, content, fields)).toBe(200);
    vi.setSystemTime(1_614_265_631_000);
    expect(await statusOf({ scheme: "standard", secrets: [standardKey] }, content, fields)).toBe(403);
  });

  it("takes the vector that GitHub publishes, and what its package signs", async () => {
    const secret = "It's a Secret to Everybody";
    const field = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    const github = { scheme: "github" as const, secrets: [secret] };
    expect(await statusOf(github, "Hello, World!", { "x-hub-signature-256": field })).toBe(200);
    expect(await statusOf(github, "Hello, World?", { "x-hub-signature-256": field })).toBe(403);
    for (const content of ["{}", '{"a":"\u{1F44B}"}\r\n']) {
      const signature = await sign(secret, content);
      expect(await verify(secret, content, signature)).toBe(true);
      expect(await statusOf(github, content, { "x-hub-signature-256": signature })).toBe(200);
      expect(await statusOf(github, `${content} `, { "x-hub-signature-256": signature })).toBe(403);
    }
  });

  it("takes the form that Stripe publishes, by the HMAC of Node", async () => {
    // The form of https://docs.stripe.com/webhooks#verify-manually, whose secret is not published.
    vi.useFakeTimers({ now: 1_492_774_577_000, toFake: ["Date"] });
    const secret = "whsec_test_secret_of_stripe";
    const content = '{\n  "id": "evt_test_webhook",\n  "object": "event"\n}';
    const v1 = createHmac("sha256", secret).update(`1492774577.${content}`).digest("hex");
    const v0 = "6ffbb59b2300aae63f272406069a9788598b792a944a07aba816edb039989a39";
    const field = `t=1492774577,v1=${v1},v0=${v0}`;
    const stripe = { scheme: "stripe" as const, secrets: [secret] };
    expect(await statusOf(stripe, content, { "stripe-signature": field })).toBe(200);
    expect(await statusOf(stripe, content, { "stripe-signature": field.replace(v1, v0) })).toBe(403);
    vi.setSystemTime(1_492_774_878_000);
    expect(await statusOf(stripe, content, { "stripe-signature": field })).toBe(403);
  });
});

describe("verifyWebhook() on Node", () => {
  it("reads the content of a message once, and hands it on", async () => {
    const guard = verifyWebhook({ scheme: "github", secrets: [standardKey], store: memoryRecords() });
    const app = nativeAround(guard, async (request) => new Response(await request.text()));
    const server = await started(app);
    for (const content of ["{}", "", "x".repeat(200_000)]) {
      const headers = { "x-hub-signature-256": await sign(standardKey, content === "" ? " " : content) };
      const answer = await ask(server, { method: "POST", path: "/items", headers }, content === "" ? " " : content);
      expect([answer.status, answer.text]).toEqual([200, content === "" ? " " : content]);
    }
    expect(await ask(server, { method: "POST", path: "/items" }, "a")).toMatchObject({ status: 403 });
  });
});

describe("sendWebhook()", () => {
  class Pinged extends Webhook {
    static override event = "pinged";
    static override POST = { content: z.object({ text: z.string() }) };
  }

  it("signs as the package standardwebhooks does", async () => {
    const judge = new StandardWebhook(standardKey);
    for (const text of ["", "\u{1F44B}", "\uFEFF\r\n", "x".repeat(100_000)]) {
      let read: unknown;
      const { outcome } = await sendWebhook(Pinged, {
        url: "https://a.example/",
        secrets: [standardKey],
        content: { text },
        id: "msg_1",
        fetch: async (request) => {
          read = judge.verify(await request.text(), Object.fromEntries(request.headers));
          return new Response();
        },
      });
      expect([outcome, read]).toEqual(["delivered", { text }]);
    }
  });

  it("C15.2 sends by the fetch of the runtime, follows no redirect, and resolves names first", async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url!);
      response.writeHead(request.url === "/moved" ? 307 : 204, { location: "/" }).end();
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const given = { secrets: [standardKey], content: { text: "a" }, id: "msg_1" };
    const url = `http://127.0.0.1:${port}`;
    expect(await sendWebhook(Pinged, { ...given, url: `${url}/`, allowPrivate: true })).toMatchObject({
      outcome: "delivered",
    });
    expect(await sendWebhook(Pinged, { ...given, url: `${url}/moved`, allowPrivate: true })).toMatchObject({
      outcome: "retry",
      status: 307,
    });
    const refused = sendWebhook(Pinged, { ...given, url: `${url}/` });
    await expect(refused).rejects.toThrow('"127.0.0.1" is in a private network');
    expect(asked).toEqual(["/", "/moved"]);
    const lost = await sendWebhook(Pinged, { ...given, url: "https://none.invalid/", timeoutMs: 5_000 });
    expect([lost.outcome, lost.status]).toEqual(["retry", null]);
  });
});

describe("sendWebhook() over a socket, to a receiver that means harm", () => {
  class Pinged extends Webhook {
    static override event = "pinged";
    static override POST = { content: z.object({ text: z.string() }) };
  }

  /** Sends to a server that treats each connection by a function, once it has read a request. */
  async function sentTo(act: (socket: Socket) => void, timeoutMs = 300) {
    const ended = vi.fn<() => void>();
    const server = createTcpServer((socket) => {
      // After a failure, `fetch()` of Node opens a connection on which it sends nothing.
      socket
        .on("error", () => {})
        .once("data", () => {
          socket.once("close", ended);
          act(socket);
        });
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/`;
    const given = { url, secrets: [standardKey], content: { text: "a" }, id: "msg_1", allowPrivate: true };
    const result = await sendWebhook(Pinged, { ...given, timeoutMs });
    await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(1));
    return result;
  }

  const head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n";

  it("C15.2 waits no longer than timeoutMs for one that is slow, and leaves", async () => {
    const silent = await sentTo(() => {});
    expect([silent.outcome, silent.status, (silent.cause as Error).name]).toEqual(["retry", null, "TimeoutError"]);
    const dripping = await sentTo((socket) => {
      const drip = setInterval(() => socket.write("a"), 20);
      socket.write("HTTP/1.1 200 OK\r\nX: ");
      socket.once("close", () => clearInterval(drip));
    });
    expect([dripping.outcome, dripping.status]).toEqual(["retry", null]);
  });

  it("C15.2 reads no content without an end, coded or not, and leaves", async () => {
    for (const field of ["", "Content-Encoding: gzip\r\n", "Content-Length: 9007199254740991\r\n"]) {
      let written = 0;
      const result = await sentTo((socket) => {
        socket.write(`${head}${field}\r\n`);
        const more = (): void => {
          while (!socket.destroyed && socket.write(Buffer.alloc(65_536))) written += 65_536;
        };
        socket.on("drain", more);
        more();
      }, 20_000);
      expect([result.outcome, result.status]).toEqual(["delivered", 200]);
      // What the system holds for both ends.
      expect(written).toBeLessThan(32 * 1_048_576);
    }
  });

  it("C15.2 takes a head without an end, or one that is none, for no answer", async () => {
    for (const answer of [
      `${head}${`X: ${"a".repeat(1_000)}\r\n`.repeat(200)}\r\n`,
      "HTTP/1.1 200 OK\r\nX: a\nb: c\r\n d\0\r\n\r\n",
      "SSH-2.0-OpenSSH_9.7\r\n",
      "",
    ]) {
      const result = await sentTo((socket) => void socket.end(answer), 20_000);
      expect([result.outcome, result.status]).toEqual(["retry", null]);
    }
  });
});

describe("the keys of webhooks", () => {
  const bytes = (hex: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(hex, "hex"));

  // RFC 8032 §7.1, tests 1, 2, 3 and that of SHA(abc).
  const vectors = [
    [
      "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
      "",
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155" +
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ],
    [
      "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
      "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
      "72",
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da" +
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ],
    [
      "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
      "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
      "af82",
      "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac" +
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ],
    [
      "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
      "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a" +
        "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
      "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589" +
        "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
    ],
  ] as const;

  it.each(vectors)("signs and verifies by Ed25519 as RFC 8032 §7.1 does: %s", async (seed, key, message, signature) => {
    expect(Buffer.from(await signatureBy(bytes(seed), bytes(message))).toString("hex")).toBe(signature);
    expect(await isSignedBy(bytes(key), bytes(signature), bytes(message))).toBe(true);
    const other = bytes(signature);
    other[0]! ^= 1;
    expect(await isSignedBy(bytes(key), other, bytes(message))).toBe(false);
    expect(await isSignedBy(bytes(key), bytes(signature), new Uint8Array([...bytes(message), 0]))).toBe(false);
    const document = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.from(seed, "hex")]);
    const judge = createPrivateKey({ key: document, format: "der", type: "pkcs8" });
    expect(signBy(null, bytes(message), judge).toString("hex")).toBe(signature);
  });

  it("makes an HMAC as RFC 4231 §4.2 and §4.3 do", async () => {
    const of = async (key: Uint8Array<ArrayBuffer>, text: string): Promise<string> =>
      Buffer.from(await hmacOf(key, new Uint8Array(Buffer.from(text)))).toString("hex");
    expect(await of(bytes("0b".repeat(20)), "Hi There")).toBe(
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
    );
    expect(await of(new Uint8Array(Buffer.from("Jefe")), "what do ya want for nothing?")).toBe(
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    );
  });

  it("reads secrets by their prefix and length", () => {
    const of = (prefix: string, length: number): string => `${prefix}${Buffer.alloc(length, 7).toString("base64")}`;
    const known = [
      ...([24, 25, 32, 64].map((length) => [of("whsec_", length), length]) as [string, number][]),
      [of("whpk_", 32), 32],
      [of("whsk_", 32), 32],
      [of("whsk_", 64), 32],
    ] as const;
    for (const [text, length] of known) expect(parseStandardSecret(text)?.bytes.length, text).toBe(length);
    for (const text of [of("whsec_", 23), of("whsec_", 65), of("whpk_", 64), of("whsk_", 33), "whsec_a", 7])
      expect(parseStandardSecret(text)).toBeNull();
    // The public key follows, in the form of libsodium.
    const both = `whsk_${Buffer.concat([Buffer.alloc(32, 1), Buffer.alloc(32, 2)]).toString("base64")}`;
    expect(parseStandardSecret(both)?.bytes).toEqual(new Uint8Array(32).fill(1));
  });
});
