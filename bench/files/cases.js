import { mkdirSync, writeFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { Connections } from "../lib/http-client.js";
import { randomFrom } from "../lib/random.js";

const random = randomFrom(7);
const bytes = (length) => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));

/** The files that are served, by name. */
const files = { "1k.js": bytes(1024), "64k.js": bytes(65_536), "1m.js": bytes(1_048_576) };

/** Writes them into a folder. They are a day old, so that every server may trust their times. */
export function writeFiles(root) {
  mkdirSync(root, { recursive: true });
  const yesterday = Date.now() / 1000 - 86_400;
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(root, name), content);
    utimesSync(join(root, name), yesterday, yesterday);
  }
}

const whole = (name) => ({ name, headers: async () => ({}), status: 200, content: files[name] });
const range = (name, start, end) => ({
  name,
  headers: async () => ({ Range: `bytes=${start}-${end - 1}` }),
  status: 206,
  content: files[name].subarray(start, end),
});

/** What is asked for, and what the answer must be: status and bytes. */
export const cases = {
  "1 kB": whole("1k.js"),
  "64 kB": whole("64k.js"),
  "1 MB": whole("1m.js"),
  "304 for 64 kB": {
    name: "64k.js",
    headers: validatorsFrom,
    status: 304,
    content: Buffer.alloc(0),
  },
  "1 kB of 1 MB": range("1m.js", 500_000, 501_024),
  "64 kB of 1 MB": range("1m.js", 500_000, 565_536),
};

/** What a client that has the file sends: its tag, or its time where the server gives no tag. */
async function validatorsFrom(port, name) {
  const connections = await Connections.open(port, 1);
  const { fields: headers } = await connections.exchange(requestFor(name, {}));
  connections.close();
  if (headers.etag !== undefined) return { "If-None-Match": headers.etag };
  if (headers["last-modified"] !== undefined) return { "If-Modified-Since": headers["last-modified"] };
  throw new Disagreement("gives no validator");
}

/** A server does not answer as the others do, and is not measured. */
export class Disagreement extends Error {}

/** Checks what a server answers, three times on one connection; gives the request, and how long its answer is. */
export async function checked(port, { name, headers, status, content }) {
  const text = requestFor(name, await headers(port, name));
  const connections = await Connections.open(port, 1);
  const lengths = new Set();
  try {
    for (let turn = 0; turn < 3; turn++) {
      const answer = await connections.exchange(text);
      if (answer.status !== status) throw new Disagreement(`answers ${answer.status}`);
      const got = Buffer.from(answer.content, "latin1");
      if (!got.equals(content)) throw new Disagreement(`gives ${got.length} other bytes`);
      if (answer.fields["transfer-encoding"] !== undefined) throw new Disagreement("tells no length");
      lengths.add(answer.length);
    }
  } finally {
    connections.close();
  }
  if (lengths.size > 1) throw new Disagreement("gives heads of several lengths");
  return [{ text, length: [...lengths][0] }];
}

function requestFor(name, fields) {
  const lines = Object.entries(fields).map(([field, value]) => `${field}: ${value}\r\n`);
  return `GET /${name} HTTP/1.1\r\nHost: localhost\r\n${lines.join("")}\r\n`;
}
