// Lengths that lie, and codings beside them: what is read is what the server framed.
import assert from "node:assert/strict";
import { connect } from "node:http2";
import type { Question } from "./question.ts";
import { textOf } from "./question.ts";

const octets = { "content-type": "application/octet-stream" };
const long = "a".repeat(5000);
const chunked = `1388\r\n${long}\r\n0\r\n\r\n`;

/** By what is wrong: the fields that frame a message, and what follows its head. */
const lies: Readonly<Record<string, [fields: string, content: string, version?: string]>> = {
  "more than the length": ["Content-Length: 5", long],
  "a length and chunks": ["Content-Length: 5\r\nTransfer-Encoding: chunked", chunked],
  "chunks and a length": ["Transfer-Encoding: chunked\r\nContent-Length: 5", chunked],
  "a length and Chunked": ["Content-Length: 5\r\nTransfer-Encoding: Chunked", chunked],
  "a length and an unknown coding": ["Content-Length: 5\r\nTransfer-Encoding: xchunked", "hello"],
  "a length and two codings": ["Content-Length: 5\r\nTransfer-Encoding: gzip, chunked", chunked],
  "a space before the colon": ["Content-Length: 5\r\nTransfer-Encoding : chunked", chunked],
  "a tab after the colon": ["Content-Length: 5\r\nTransfer-Encoding:\tchunked", chunked],
  "chunks alone": ["Transfer-Encoding: chunked", chunked],
  "a length twice": ["Content-Length: 5\r\nContent-Length: 5", "hello"],
  "a short length and a long one": ["Content-Length: 5\r\nContent-Length: 5000", long],
  "a long length and a short one": ["Content-Length: 5000\r\nContent-Length: 5", long],
  "a list of lengths": ["Content-Length: 5, 5000", long],
  "a sign": ["Content-Length: +5", "hello"],
  "a hexadecimal length": ["Content-Length: 0x10", long.slice(0, 16)],
  "an exponent": ["Content-Length: 1e3", long],
  "a negative length": ["Content-Length: -1", long],
  "a length beyond 64 bits": ["Content-Length: 18446744073709551621", "hello"],
  "zeros in front": ["Content-Length: 005", "hello"],
  "HTTP/1.0, and more than the length": ["Content-Length: 5", long, "1.0"],
  "HTTP/1.0 without a length": ["X-A: 1", long, "1.0"],
  "an upgrade": [
    "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: " +
      "AAMAAABkAARAAAAAAAIAAAAA\r\nContent-Length: 5",
    "hello",
  ],
};

const isFor: Question["isFor"] = ({ kind }) => kind === "bun" || kind === "deno";

export const framings: readonly Question[] = [
  {
    name: "content that the server framed is read at once, whatever else the client sends",
    isFor,
    async ask(asker) {
      const honest = await asker.ask({ method: "POST", target: "/framed", fields: octets, content: "hello" });
      assert.deepEqual(JSON.parse(textOf(honest)), { read: 5, isAtOnce: true });
      for (const [name, [fields, content, version = "1.1"]] of Object.entries(lies)) {
        const wire = asker
          .wire()
          .send(
            `POST /framed HTTP/${version}\r\nHost: h\r\nContent-Type: ` +
              `application/octet-stream\r\n${fields}\r\n\r\n${content}`,
          );
        const { text } = await wire.rest(500);
        await wire.close();
        const answers = text.match(/\{"read":\d+,"isAtOnce":\w+\}/g) ?? [];
        for (const answer of answers) {
          const { read, isAtOnce } = JSON.parse(answer) as { read: number; isAtOnce: boolean };
          // Bytes behind the length are another message, which is not one.
          assert(read === 0 || read === 5, `${name}: read ${read} bytes`);
          assert(!isAtOnce || /^Content-Length: 0*5$/m.test(fields), `${name}: read at once`);
        }
      }
    },
  },
  {
    name: "content that never comes is waited for, and is not taken for whole",
    isFor,
    async ask(asker) {
      const wire = asker
        .wire()
        .send(
          "POST /framed HTTP/1.1\r\nHost: h\r\nContent-Type: application/octet-stream\r\nContent-Length: " +
            "1500\r\n\r\nhello",
        );
      assert.doesNotMatch((await wire.rest(500)).text, /"read"/);
      await wire.close();
      const tooLong = await asker.ask({ method: "POST", target: "/framed", fields: octets, content: long });
      assert.equal(tooLong.status, 413);
    },
  },
  {
    name: "content that middleware put in place is read, and not at once",
    isFor,
    async ask(asker) {
      for (const [how, read] of Object.entries({ clone: 5, made: 100, proxy: 100, own: 100 })) {
        const answer = await asker.ask({ method: "POST", target: `/framed/${how}`, fields: octets, content: "hello" });
        assert.deepEqual(JSON.parse(textOf(answer)), { read, isAtOnce: false }, how);
      }
    },
  },
  {
    name: "HTTP/2 with more than the length is refused",
    isFor: ({ kind }) => kind === "deno",
    async ask(asker) {
      const session = connect(`http://127.0.0.1:${asker.server.port}`).on("error", () => {});
      const stream = session.request({ ":method": "POST", ":path": "/framed", "content-length": "5", ...octets });
      let text = "";
      stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
      const over = new Promise((resolve) => stream.on("error", resolve).on("close", resolve));
      stream.end(long);
      await over;
      session.destroy();
      assert.doesNotMatch(text, /"read":5000/);
    },
  },
];
