// Webhooks over sockets, both ways: a server under test takes what is signed here, and sends to a receiver that is
// here.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Server } from "../driver/servers.ts";
import { fieldOf, textOf, type Asker, type Question } from "./question.ts";
import { webhookSecret } from "./webhook-secret.ts";

const isNative = ({ chain }: Server): boolean => chain === "native";

/** What Standard Webhooks signs, by Node's HMAC. */
function signatureOf(id: string, seconds: string, content: string | Uint8Array): string {
  const key = Buffer.from(webhookSecret.slice("whsec_".length), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.`).update(content).digest("base64")}`;
}

let ids = 0;

function signed(content: Uint8Array, seconds = Math.floor(Date.now() / 1000)): Record<string, string> {
  const id = `msg_${process.pid}_${(ids += 1)}`;
  const signature = signatureOf(id, String(seconds), content);
  return { "Webhook-Id": id, "Webhook-Timestamp": String(seconds), "Webhook-Signature": signature };
}

const ways: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "/taken": (response) => void response.writeHead(202).end("thanks"),
  "/gone": (response) => void response.writeHead(410).end(),
  "/moved": (response) => void response.writeHead(307, { location: "/taken" }).end(),
  "/busy": (response) => void response.writeHead(503, { "retry-after": "7" }).end(),
  "/endless": (response) => {
    response.writeHead(200);
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on("drain", more).on("error", () => {});
    more();
  },
  "/silent": () => {},
};

/** Has the server send to a receiver of each kind; returns what it says of each, and what arrived. */
async function sentTo(asker: Asker, hows: readonly string[]) {
  const arrived: { readonly path: string; readonly isSigned: boolean; readonly content: string }[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": signature } = request.headers;
    const content = await text(request);
    const isSigned = signature === signatureOf(String(id), String(seconds), content);
    arrived.push({ path: request.url!, isSigned, content });
    ways[request.url!]!(response);
  };
  const receiver = createServer((request, response) => void take(request, response));
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  const { port } = receiver.address() as AddressInfo;
  try {
    const answers: string[] = [];
    for (const how of hows) {
      const reply = await asker.ask({ method: "POST", target: `/send/${port}/${how}`, content: "" });
      answers.push(textOf(reply));
    }
    return { answers, arrived };
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
}

export const webhooks: readonly Question[] = [
  {
    name: "a signed webhook reaches its handler once, with its bytes",
    isFor: isNative,
    async ask(asker) {
      const content = Buffer.from('\uFEFF{"text":"\u{1F44B}"}\r\n');
      const fields = { ...signed(content), "Content-Type": "application/json" };
      const request = { method: "POST", target: "/hooks", fields, content };
      const first = await asker.ask(request);
      assert.equal(first.status, 200, textOf(first));
      // Decoding drops the byte order mark, which the signature counts.
      assert.equal(JSON.parse(textOf(first)).content, content.toString().slice(1));
      const repeat = await asker.ask(request);
      assert.deepEqual([repeat.status, fieldOf(repeat, "idempotent-replayed")], [200, "true"]);
      assert.deepEqual(repeat.content, first.content);
    },
  },
  {
    name: "a webhook that nobody signed, or long ago, is 403",
    isFor: isNative,
    async ask(asker) {
      const content = Buffer.from("{}");
      const fields = signed(content);
      const ask = async (given: Record<string, string>, sent: Uint8Array): Promise<number> =>
        (await asker.ask({ method: "POST", target: "/hooks", fields: given, content: sent })).status;
      assert.equal(await ask(fields, Buffer.from("{ }")), 403);
      assert.equal(await ask({}, content), 403);
      assert.equal(await ask({ ...fields, "Webhook-Id": "msg_0" }, content), 403);
      assert.equal(await ask(signed(content, Math.floor(Date.now() / 1000) - 301), content), 403);
      assert.equal(await ask(fields, content), 200);
    },
  },
  {
    name: "sends a webhook, signed, and follows no redirect",
    isFor: isNative,
    async ask(asker) {
      const { answers, arrived } = await sentTo(asker, ["taken", "gone", "moved", "busy"]);
      const said = (outcome: string, status: number, retryAfterMs: number | null): string =>
        JSON.stringify({ outcome, status, retryAfterMs });
      assert.deepEqual(answers, [
        said("delivered", 202, null),
        said("gone", 410, null),
        said("retry", 307, null),
        said("retry", 503, 7_000),
      ]);
      const content = '{"text":"\uFEFF\u{1F44B}"}';
      assert.deepEqual(
        arrived,
        ["/taken", "/gone", "/moved", "/busy"].map((path) => ({ path, isSigned: true, content })),
      );
    },
  },
  {
    name: "sends to a receiver that has no end, or says nothing",
    isFor: isNative,
    async ask(asker) {
      const { answers } = await sentTo(asker, ["endless", "silent"]);
      assert.deepEqual(answers, [
        '{"outcome":"delivered","status":200,"retryAfterMs":null}',
        '{"outcome":"retry","status":null,"retryAfterMs":null}',
      ]);
    },
  },
  {
    name: "sends nothing to a private address",
    isFor: isNative,
    async ask(asker) {
      const reply = await asker.ask({ method: "POST", target: "/send/1/taken/refused", content: "" });
      assert.equal(reply.status, 422);
      assert.match(textOf(reply), /"127\.0\.0\.1" is in a private network/);
    },
  },
];
