// Places in the sources where something is held that another side sends, where somebody else is waited for, and where
// what is kept gets its name. Each file says what bounds, ends or tells apart; a place that joins has no row and fails.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";

const root = fileURLToPath(new URL("../../src/", import.meta.url));
// These run before the first request, or in a shell.
const early = /^(?:cli|openapi|mock|routing)(?:\.ts$|\/)/;

/** How many places a file has, and what holds of them. */
type Places = Readonly<Record<string, readonly [count: number, holds: string]>>;

const partOf = "the part of a form: maxBytes of the form, of the file or of the field";
const declared = "maxBytes of the operation or of the middleware, 1 MiB by default";

const tables: Readonly<Record<string, readonly [pattern: RegExp, planted: string, places: Places]>> = {
  "what is held of another side, with its bound": [
    /new Joined(?:Bytes|Text)\(|\b(?:await|return|bytes:.*) read(?:Whole|Ahead)\(|: readWhole\(|\b(?:request|response|read|blob|value|part|this)\.(?:arrayBuffer|blob|formData|bytes|json|text)\(\)|#queue:|\.push\(part\)|\bchunks\.push\(|\(zlib, create\)|new (?:Dec|C)ompressionStream\(/,
    "const all = await request.text();",
    {
      "agents/tool-result.ts": [1, "maxBytes of mcp()"],
      "client/bounded-content.ts": [1, "maxBytes of client(), 64 MiB; as much of what is there now after a 412"],
      "client/call-answer.ts": [3, "maxBytes of client() for JSON and text, 64 MiB; a Blob is of any size"],
      "client/client-events.ts": [2, "maxCharacters of clientEvents(), 16,777,216 characters together"],
      "client/client-lines.ts": [1, "16,777,216 characters"],
      "content/uploads/memory.ts": [1, partOf],
      "fields/carried-content.ts": [2, declared],
      "fields/whole-content.ts": [1, "what the caller names"],
      "formats/lines/line-reader.ts": [2, "maxLineBytes, 64 KiB by default"],
      "formats/multipart/multipart-reader.ts": [1, "maxHeadBytes, 8 KiB by default"],
      "formats/multipart/part.ts": [3, partOf],
      "formats/multipart/whole-form.ts": [1, "content that is in memory: its bytes once more"],
      "http/message/shared-content.ts": [
        1,
        "what one of two copies has not read, as clone() of the platform; maxBytes of a declared operation",
      ],
      "json-schema/text/text-reader.ts": [1, "a part of a form that is in memory"],
      "middleware/body-limit.ts": [1, declared],
      "middleware/compress.ts": [1, "minBytes"],
      "middleware/lib/compressor.ts": [4, "one turn of output, and backpressure of the client"],
      "middleware/lib/decompressor.ts": [
        2,
        "one turn of output, and the window: 16 MiB of br, 8 MiB of zstd; a megabyte of a DecompressionStream",
      ],
      "middleware/lib/entity-tags.ts": [1, declared],
      "middleware/lib/published-keys.ts": [1, "an issuer that the application names and trusts with its keys"],
      "middleware/lib/read-ahead.ts": [1, "what the caller names"],
      "semantics/line/form-reader.ts": [1, partOf],
      "semantics/line/patch-handler.ts": [1, "what the application's own GET answers"],
      "servers/node/content.ts": [2, declared],
      "servers/node/node-request.ts": [1, "what the handler asks for; bodyLimit() is for that"],
      "sockets/connection.ts": [1, "64 messages of maxBytes; 1,000 where reading cannot pause"],
      "state/durable-store.ts": [1, "questions of our own: answers, which have a bound, and data of sessions"],
      "writes/kept-content.ts": [1, "1 MiB, beyond which an answer is kept without its content"],
    },
  ],
  "waits for somebody else, with their end": [
    /[^.\w](?:globalThis\.)?fetch\((?:request|uri|\w+, init)|\bawait lookup\(|\binbox\.listen\(|\bsink\.(?:store|discard)\(|\blimitedStore\(|createRemoteJWKSet\(uri|\bAbortSignal\.timeout\(|\bsetTimeout\(/,
    "const found = await lookup(host);",
    {
      "agents/tool-server.ts": [1, "a request of its own application"],
      "client/around.ts": [1, "the signal of the call"],
      "client/client-lines.ts": [1, "a turn of the event loop"],
      "client/wait.ts": [1, "a time, or the signal of the call"],
      "dispatch/load-limit.ts": [1, "20 ms, by which the loop is late"],
      "formats/multipart/stored-file.ts": [2, "the signal that store() gets, which aborts when the client leaves"],
      "http/javascript/end-at.ts": [1, "a time"],
      "http/message/event-stream.ts": [2, "graceMs; heartbeatMs, and the client leaves"],
      "http/protocol/limited-store.ts": [1, "storeTimeoutMs: src/state/silent-stores.test.ts has each question"],
      "middleware/lib/bound-tokens.ts": [1, "storeTimeoutMs"],
      "middleware/lib/compressor.ts": [1, "a turn of the event loop"],
      "middleware/lib/published-keys.ts": [2, "the signal of jose, 5 seconds, for the answer and its content"],
      "middleware/lib/read-ahead.ts": [1, "a turn of the event loop"],
      "middleware/rate-limit.ts": [1, "storeTimeoutMs"],
      "middleware/timeout.ts": [1, "timeoutMs"],
      "semantics/explained.ts": [1, "a request of its own application"],
      "servers/node.ts": [2, "a type; leaveMs"],
      "servers/node/answering.ts": [1, "a type"],
      "servers/node/connections.ts": [1, "graceMs"],
      "servers/node/health.ts": [1, "timeoutMs"],
      "servers/node/slow-clients.ts": [1, "maxSlowMs"],
      "servers/node/unread.ts": [2, "graceMs"],
      "servers/workers.ts": [2, "types"],
      "sockets/client-socket.ts": [1, "a time, and the signal of the call"],
      "sockets/connecting.ts": [1, "the signal of the call"],
      "sockets/connection.ts": [1, "5 seconds for a close frame, 30 for a server that does not open"],
      "sockets/hibernation.ts": [2, "types"],
      "sockets/shared-topics.ts": [1, "the feed goes on for ever: its signal aborts when sockets close"],
      "sockets/standard-wire.ts": [1, "a time, as long as the connection is open"],
      "sockets/topics.ts": [1, "graceMs"],
      "state/after.ts": [2, "graceMs; a turn of the event loop"],
      "state/durable-store.ts": [1, "its own method; questions to it have storeTimeoutMs"],
      "state/sessions.ts": [2, "storeTimeoutMs, for sessions and their feed"],
      "state/sessions/followers.ts": [1, "the feed goes on for ever: no request waits for it"],
      "state/sessions/opened-session.ts": [1, "ten tries of at most 40 ms"],
      "state/store-cases/store-case.ts": [1, "a time, in tests of stores"],
      "state/webhooks/public-address.ts": [1, "timeoutMs of sendWebhook(), 20 seconds, for name and answer together"],
      "state/webhooks/sent-webhook.ts": [2, "timeoutMs of sendWebhook(), 20 seconds"],
      "writes/limited-rules.ts": [1, "storeTimeoutMs, for each question but commit()"],
    },
  ],
  "names of what is kept: who, where, what, version": [
    /\bsha256\(/,
    "const name = await sha256(JSON.stringify([scope, key]));",
    {
      "middleware/lib/bound-tokens.ts": [1, "who: the key of the client; where: any; what: the id of the proof; dpop-"],
      "state/sessions.ts": [1, "who and what: the name of the cookie and 256 random bits; where: any; version 1"],
      "state/webhooks.ts": [1, "who: the content, where no secret says it; where: the place without names of params"],
      "state/webhooks/schemes.ts": [2, "what: the content, for GitHub, which signs no id; who: the secret that fits"],
      "writes/fingerprint.ts": [2, "no name: what tells two requests with one key apart"],
      "writes/form-parts.ts": [2, "no name: the content of each part of a form, for the fingerprint"],
      "writes/write-names.ts": [1, "who: scope or sender; where: method and place; what: the key; versions 1 and v2-"],
    },
  ],
};

/** Counts the lines of each file in which a place is; comments and imports are none. */
function placesIn(folder: string, pattern: RegExp): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const file of readdirSync(folder, { recursive: true }) as string[]) {
    if (!file.endsWith(".ts") || file.endsWith(".test.ts") || early.test(file)) continue;
    const lines = readFileSync(join(folder, file), "utf8").split("\n");
    const { length } = lines.filter((line) => pattern.test(line) && !/^\s*(?:\*|\/\/|\/\*)|^import /.test(line));
    if (length > 0) counts[file] = length;
  }
  return counts;
}

describe.each(Object.entries(tables))("%s", (_, [pattern, planted, places]) => {
  it("has a row for each place", () => {
    const known = Object.entries(places).map(([file, [count]]) => [file, count] as const);
    expect(placesIn(root, pattern)).toEqual(Object.fromEntries(known));
  });

  it("finds one that is planted", () => {
    const folder = mkdtempSync(join(tmpdir(), "places-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "a.ts"), `${planted}\n// ${planted}\n`);
    expect(placesIn(folder, pattern)).toEqual({ "a.ts": 1 });
  });
});
