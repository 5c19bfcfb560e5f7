// Asks by HTTP/1.1 as it is on the wire, one connection for each exchange.
import { once } from "node:events";
import { connect } from "node:net";
import { gunzipSync } from "node:zlib";
import { answerLines, nameOf, noteLines, requestLines } from "./exchange.js";

const patienceMs = 20_000;

/** Sends what is asked, and records what came back; `control` begins an exchange and has its notes. */
export async function askByHttp1(recording, prefix, port, asked, control, { sent = {} } = {}) {
  let cookie;
  for (const one of asked) {
    const name = `${prefix} · ${nameOf(one)}`;
    await control.begin(name);
    const received = await conversed(port, [bytesOf(one, sent, cookie)]);
    const { lines, fields } = parsedAnswer(received);
    cookie = fields.find(([field]) => field.toLowerCase() === "set-cookie")?.[1].split(";")[0] ?? cookie;
    recording.add(name, [requestLines(one), lines, noteLines(await control.notes())]);
  }
}

/** Sends bytes as they are, and records all that came back. */
export async function askRaw(recording, prefix, port, rows, control) {
  for (const [title, ...sent] of rows) {
    const name = `${prefix} · ${title}`;
    await control.begin(name);
    const received = await conversed(port, sent);
    const lines = received.toString("latin1").split("\r\n");
    recording.add(name, [lines.map((line) => `< ${line}`), noteLines(await control.notes())]);
  }
}

function bytesOf({ method, path, headers = {}, body, isSigned = false }, sent, cookie) {
  const content = body === undefined ? null : Buffer.from(body);
  const isCarrier = content !== null || ["POST", "PUT", "PATCH"].includes(method);
  const fields = {
    host: "h.example",
    ...sent,
    ...headers,
    ...(isSigned && cookie !== undefined && { cookie }),
    ...(isCarrier && { "content-length": content?.length ?? 0 }),
    connection: "close",
  };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${head.join("")}\r\n`), content ?? Buffer.alloc(0)]);
}

/** Sends parts, each after what answers the one before began, and reads until the other side ends. */
async function conversed(port, parts) {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  const chunks = [];
  socket.on("error", () => {});
  socket.on("data", (chunk) => {
    chunks.push(chunk);
    // Neither side would end it: the answer offers another protocol in place of "close".
    if (/^connection: upgrade/im.test(chunk.toString("latin1"))) socket.end();
  });
  const closed = once(socket, "close").catch(() => {});
  const timer = setTimeout(() => {
    chunks.push(Buffer.from("\r\n(no end)"));
    socket.destroy();
  }, patienceMs);
  for (const [at, part] of parts.entries()) {
    if (part === null) socket.end();
    else socket.write(part);
    if (typeof parts[at + 1] === "string") await Promise.race([once(socket, "data").catch(() => {}), closed]);
  }
  await closed;
  clearTimeout(timer);
  return Buffer.concat(chunks);
}

/** The lines of an answer on the wire, without its framing and its coding, its fields, and whether all came. */
export function parsedAnswer(received) {
  const end = received.indexOf("\r\n\r\n");
  if (end === -1) return { lines: [`< no answer: ${received.toString("latin1")}`], fields: [], isComplete: false };
  const [first, ...rest] = received.toString("latin1", 0, end).split("\r\n");
  const fields = rest.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]);
  const field = (name) => fields.find(([one]) => one.toLowerCase() === name)?.[1];
  const body = received.subarray(end + 4);
  const isChunked = field("transfer-encoding") === "chunked";
  const { content, isWhole } = isChunked ? dechunked(body) : { content: body, isWhole: true };
  const length = Number(field("content-length") ?? content.length);
  const isBroken = !isWhole || (content.length !== length && content.length > 0);
  const isComplete = isWhole && content.length >= length;
  const isCoded = field("content-encoding") === "gzip" && content.length > 0;
  const shown = isCoded && !isBroken ? gunzipSync(content) : content;
  const kept = isCoded ? fields.filter(([name]) => name.toLowerCase() !== "content-length") : fields;
  return { lines: [...answerLines(first, kept, shown), ...(isBroken ? ["< broken off"] : [])], fields, isComplete };
}

/** What chunks hold (RFC 9112 §7.1), and whether the last one came. */
function dechunked(body) {
  const parts = [];
  for (let at = 0; at < body.length;) {
    const end = body.indexOf("\r\n", at);
    const length = Number.parseInt(body.toString("latin1", at, end), 16);
    if (length === 0) return { content: Buffer.concat(parts), isWhole: true };
    if (end === -1 || Number.isNaN(length)) break;
    parts.push(body.subarray(end + 2, end + 2 + length));
    at = end + 2 + length + 2;
  }
  return { content: Buffer.concat(parts), isWhole: false };
}

const line = (...fields) => `${fields.join("\r\n")}\r\n\r\n`;
const close = "Connection: close";
const host = "Host: h.example";
const asJSON = "Content-Type: application/json";

/** What no client of a library would send, or how content may come. */
export const raws = [
  ["no Host", line("GET /books/7 HTTP/1.1", close)],
  ["two Hosts", line("GET /books/7 HTTP/1.1", host, "Host: other", close)],
  ["HTTP/1.0", line("GET /books/7 HTTP/1.0")],
  ["HTTP/1.0, a stream", line("GET /lines/all HTTP/1.0")],
  ["a whole URL", line("GET http://other.example/books/7 HTTP/1.1", host, close)],
  ["OPTIONS *", line("OPTIONS * HTTP/1.1", host, close)],
  ["TRACE", line("TRACE /books/7 HTTP/1.1", host, close)],
  ["CONNECT", line("CONNECT h.example:80 HTTP/1.1", host, close)],
  ["a fragment", line("GET /books/7#a HTTP/1.1", host, close)],
  ["no path", line("GET ?n=1 HTTP/1.1", host, close)],
  ["no request", line("nothing")],
  ["a long head", line("GET /books/7 HTTP/1.1", host, `X-A: ${"x".repeat(20_000)}`, close)],
  ["a long target", line(`GET /books/${"x".repeat(9_000)} HTTP/1.1`, host, close)],
  ["a field of two lines", line("GET /fields HTTP/1.1", host, "Cookie: sid=abc", "Cookie: theme=dark", close)],
  [
    "chunks",
    line("PUT /books/7 HTTP/1.1", host, asJSON, "Transfer-Encoding: chunked", close) +
      '5\r\n{"tit\r\n8\r\nle":"a"}\r\n0\r\n\r\n',
  ],
  ["chunks that are none", `${line("PUT /books/7 HTTP/1.1", host, asJSON, "Transfer-Encoding: chunked", close)}x\r\n`],
  [
    "a length and chunks",
    `${line("PUT /books/7 HTTP/1.1", host, asJSON, "Content-Length: 5", "Transfer-Encoding: chunked", close)}0\r\n\r\n`,
  ],
  [
    "content that ends early",
    `${line("PUT /books/7 HTTP/1.1", host, asJSON, "Content-Length: 50", close)}{"title":"a"}`,
    null,
  ],
  [
    "100-continue",
    line("PUT /books/7 HTTP/1.1", host, asJSON, "Content-Length: 13", "Expect: 100-continue", close),
    '{"title":"a"}',
  ],
  [
    "another expectation",
    `${line("PUT /books/7 HTTP/1.1", host, asJSON, "Content-Length: 13", "Expect: x", close)}{"title":"a"}`,
  ],
  ["two, one after the other", line("GET /books/7 HTTP/1.1", host) + line("GET /books/none HTTP/1.1", host, close)],
  ["HEAD, then GET", line("HEAD /books/7 HTTP/1.1", host) + line("GET /text HTTP/1.1", host, close)],
  [
    "a refused PUT, then GET",
    `${line("PUT /text HTTP/1.1", host, "Content-Length: 3")}abc${line("GET /text HTTP/1.1", host, close)}`,
  ],
  ["another protocol", line("GET /text HTTP/1.1", host, "Connection: Upgrade, close", "Upgrade: h2c")],
];
