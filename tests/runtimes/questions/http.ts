// What every server is asked over a socket.
import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { rows } from "../../middleware/table.ts";
import { error, expectedOf, kinds, ownAmong } from "../../cases/own-fields.ts";
import type { Server } from "../driver/servers.ts";
import { fieldOf, textOf, until, type Asker, type Question } from "./question.ts";
import type { Reply } from "./wire.ts";

const isHttp1 = ({ protocol }: Server): boolean => protocol !== "http2";
const isNative = ({ chain }: Server): boolean => chain === "native";
const isOurs = ({ kind }: Server): boolean => kind === "node";

async function expectProblem(reply: Reply, status: number, title: string, detail?: string): Promise<void> {
  assert.deepEqual([reply.status, fieldOf(reply, "content-type")], [status, "application/problem+json"]);
  assert.deepEqual(JSON.parse(textOf(reply)), { title, status, ...(detail !== undefined && { detail }) });
}

async function stateOf(asker: Asker): Promise<{ begun: number; aborted: number; heap: number }> {
  return JSON.parse(textOf(await asker.ask("/state")));
}

export const questions: readonly Question[] = [
  {
    name: "GET",
    async ask(asker) {
      const reply = await asker.ask("/hello/Ada");
      assert.deepEqual([reply.status, textOf(reply)], [200, "Hello, Ada"]);
    },
  },
  ...[...Object.keys(kinds), error].map((kind): Question => ({
    name: `own fields of ${kind} arrive`,
    isFor: isNative,
    async ask(asker) {
      const reply = await asker.ask(`/kinds/${encodeURIComponent(kind)}`);
      assert.deepEqual([String(reply.status), ownAmong(reply.fields)], [kind.slice(0, 3), expectedOf(kind)]);
    },
  })),
  {
    name: "HEAD has the fields of GET and no content",
    async ask(asker) {
      const reply = await asker.ask({ method: "HEAD", target: "/hello/Ada" });
      assert.deepEqual([reply.status, textOf(reply)], [200, ""]);
    },
  },
  {
    name: "HEAD leaves nothing behind on its connection",
    isFor: isHttp1,
    async ask(asker) {
      const wire = asker.wire().send("HEAD /hello/Ada HTTP/1.1\r\nHost: h\r\n\r\n");
      assert.equal((await wire.reply({ isHead: true })).status, 200);
      wire.send("GET /hello/Bob HTTP/1.1\r\nHost: h\r\n\r\n");
      assert.equal(textOf(await wire.reply()), "Hello, Bob");
    },
  },
  {
    name: "HEAD that is not implemented is 501 without content",
    async ask(asker) {
      const reply = await asker.ask({ method: "HEAD", target: "/cookies" });
      assert.deepEqual([reply.status, textOf(reply)], [501, ""]);
    },
  },
  {
    name: "content is coded once, as a client that does not decode sees it",
    isFor: isNative,
    async ask(asker) {
      for (const target of ["/coded/text", "/coded/stream", "/stored/a.txt"]) {
        const reply = await asker.ask({ target, fields: { "Accept-Encoding": "gzip" } });
        assert.deepEqual([target, fieldOf(reply, "content-encoding")], [target, "gzip"]);
        assert.equal(gunzipSync(reply.content).toString(), "content");
        const plain = await asker.ask(target);
        assert.deepEqual([target, fieldOf(plain, "content-encoding"), textOf(plain)], [target, undefined, "content"]);
      }
    },
  },
  {
    name: "each middleware works that was made with the application",
    isFor: isNative,
    async ask(asker) {
      for (const [at, { name, headers = {} }] of rows.entries()) {
        const reply = await asker.ask({ target: `/around/${at}`, fields: headers });
        const isCoded = fieldOf(reply, "content-encoding") === "gzip";
        const content = isCoded ? gunzipSync(reply.content) : reply.content;
        assert.deepEqual([name, reply.status, content.toString()], [name, 200, "content"]);
        assert.equal(isCoded, name === "compress, by gzip", name);
      }
    },
  },
  { name: "404", ask: async (asker) => expectProblem(await asker.ask("/nowhere"), 404, "Not Found") },
  {
    name: "501",
    async ask(asker) {
      for (const method of ["PATCH", "PURGE", "PROPFIND"]) {
        await expectProblem(await asker.ask({ method, target: "/hello/Ada" }), 501, "Not Implemented");
      }
    },
  },
  {
    name: "a method that nobody knows is 404 where there is no resource",
    ask: async (asker) => expectProblem(await asker.ask({ method: "PURGE", target: "/nowhere" }), 404, "Not Found"),
  },
  { name: "400", ask: async (asker) => expectProblem(await asker.ask("/hello/%ff"), 400, "Bad Request") },
  {
    name: "414",
    ask: async (asker) => expectProblem(await asker.ask(`/hello/${"x".repeat(9000)}`), 414, "URI Too Long"),
  },
  {
    name: "an error of a handler is 500 and tells nothing",
    async ask(asker) {
      for (const how of ["error", "text", "nothing"]) {
        await expectProblem(await asker.ask(`/fail/${how}`), 500, "Internal Server Error");
      }
    },
  },
  {
    name: "an HTTPError has its message and its fields",
    async ask(asker) {
      const reply = await asker.ask("/fail/refusal");
      await expectProblem(reply, 401, "Unauthorized", "Who are you?");
      assert.equal(fieldOf(reply, "www-authenticate"), "Basic");
    },
  },
  {
    name: "content that fails halfway is broken off, so that nobody takes it for all",
    async ask(asker) {
      await assert.rejects(asker.ask("/fail/late"));
      assert.equal((await asker.ask("/hello/Ada")).status, 200);
    },
  },
  {
    name: "several Set-Cookie stay apart",
    async ask(asker) {
      const { fields } = await asker.ask("/cookies");
      const cookies = fields.filter(([name]) => name === "set-cookie").map(([, value]) => value);
      assert.deepEqual(cookies, ["a=1; Path=/", "b=2, 3", "c=4"]);
    },
  },
  {
    name: "5 MB go in",
    async ask(asker) {
      const reply = await asker.ask({ method: "POST", target: "/content", content: Buffer.alloc(5_000_000) });
      assert.deepEqual([reply.status, textOf(reply)], [201, "5000000"]);
    },
  },
  {
    name: "5 MB come out of a stream",
    ask: async (asker) => assert.equal((await asker.ask("/large/5000000")).content.length, 5_000_000),
  },
  {
    name: "1 MB goes through, in and out at once",
    async ask(asker) {
      const content = Buffer.alloc(1_000_000, "0123456789");
      assert.deepEqual((await asker.ask({ method: "PUT", target: "/content", content })).content, content);
    },
  },
  {
    name: "a request is passed on by another Request with its URL",
    isFor: ({ chain }) => chain === "native",
    async ask(asker) {
      const reply = await asker.ask({ method: "POST", target: "/forward?a=1", content: Buffer.from("content") });
      assert.deepEqual(JSON.parse(textOf(reply)), {
        method: "POST",
        path: "/forward?a=1",
        by: "us",
        content: "content",
      });
    },
  },
  {
    name: "chunks go in",
    isFor: isHttp1,
    async ask(asker) {
      const head = "POST /content HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
      const wire = asker.wire().send(`${head}5\r\nhello\r\n`);
      wire.send("1\r\n,\r\n0\r\n\r\n");
      assert.equal(textOf(await wire.reply()), "6");
    },
  },
  {
    name: "content is sent when it is there",
    async ask(asker) {
      if (asker.server.protocol === "http2") return;
      const wire = asker.wire().send("GET /drip HTTP/1.1\r\nHost: h\r\n\r\n");
      const { text } = await Promise.race([wire.rest(2000), wait(500).then(() => ({ text: "" }))]);
      assert.equal(text, "");
      assert(wire.socket.bytesRead > 2000);
    },
  },
  {
    name: "Expect: 100-continue is met",
    isFor: ({ protocol, kind }) => protocol !== "http2" && kind !== "bun",
    async ask(asker) {
      const head = "POST /content HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n";
      const wire = asker.wire().send(head);
      await wait(100);
      assert.equal(textOf(await wire.send("hello").reply()), "5");
    },
  },
  {
    name: "content that nobody reads does not stand in the way",
    isFor: isHttp1,
    async ask(asker) {
      const wire = asker.wire().send("POST /hello/Ada HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n");
      wire.send("x".repeat(100_000));
      assert.equal((await wire.reply()).status, 501);
      const next = await wire
        .send("GET /hello/Bob HTTP/1.1\r\nHost: h\r\n\r\n")
        .reply()
        .catch(() => null);
      // A server may end the connection instead.
      if (next !== null) assert.equal(textOf(next), "Hello, Bob");
    },
  },
  {
    name: "pipelined requests are answered in order",
    isFor: isHttp1,
    async ask(asker) {
      const names = ["a", "b", "c", "d"];
      const wire = asker.wire().send(names.map((name) => `GET /hello/${name} HTTP/1.1\r\nHost: h\r\n\r\n`).join(""));
      for (const name of names) assert.equal(textOf(await wire.reply()), `Hello, ${name}`);
    },
  },
  {
    name: "a connection is kept",
    isFor: isHttp1,
    async ask(asker) {
      const wire = asker.wire();
      for (const target of [
        ...Array.from({ length: 10 }, (_, i) => `/hello/${i}`),
        "/nowhere",
        "/hello/10",
        "/fail/error",
      ]) {
        const { status } = await wire.send(`GET ${target} HTTP/1.1\r\nHost: h\r\n\r\n`).reply();
        assert.equal(status, target === "/nowhere" ? 404 : target === "/fail/error" ? 500 : 200);
      }
    },
  },
  {
    name: "a path is decoded once, and its escapes do not matter",
    async ask(asker) {
      assert.equal(textOf(await asker.ask("/%68ello/%41da")), "Hello, Ada");
      assert.equal(textOf(await asker.ask("/hello/a%2Fb")), "Hello, a/b");
      assert.equal(textOf(await asker.ask("/hello/%252F")), "Hello, %2F");
      assert.equal((await asker.ask("//hello/Ada")).status, 404);
      assert.equal((await asker.ask("/HELLO/Ada")).status, 404);
      assert.equal(textOf(await asker.ask("/hello/Ada/?q=/nowhere")), "Hello, Ada");
    },
  },
  {
    name: "C4.1 dot segments are resolved",
    async ask(asker) {
      assert.equal((await asker.ask("/hello/..")).status, 404);
      assert.equal((await asker.ask("/hello/%2e%2E")).status, 404);
      assert.equal(textOf(await asker.ask("/./x/../hello/Ada")), "Hello, Ada");
      assert.equal(textOf(await asker.ask("/x/%2e%2e/hello/Ada")), "Hello, Ada");
      assert.equal(textOf(await asker.ask("/hello\\Ada")), "Hello, Ada");
    },
  },
  {
    name: "absolute-form is its path",
    isFor: isHttp1,
    async ask(asker) {
      assert.equal(textOf(await asker.ask("http://evil/hello/Ada")), "Hello, Ada");
      assert.equal(textOf(await asker.ask("http://evil/x/../hello/Ada?q=1")), "Hello, Ada");
      assert.equal((await asker.ask("http://evil?q=/hello/Ada")).status, 404);
      assert.equal((await asker.ask("http://evil/nowhere")).status, 404);
    },
  },
  {
    name: "the Host field does not change the path",
    // Deno and workerd paste it into the URL: docs/runtimes.md.
    isFor: ({ kind, protocol }) => protocol !== "http2" && kind !== "deno" && kind !== "workerd",
    async ask(asker) {
      const hosts = ["evil/hello", "evil\\x", "evil?", "evil#", "a@evil", "evil:99999", "[::1", "%2f", "/", ".", "é"];
      for (const host of hosts) {
        const { status } = await asker.ask({ target: "/hello/Ada", fields: { Host: host } });
        assert([200, 400].includes(status), `${host}: ${status}`);
        const other = await asker.ask({ target: "/nowhere", fields: { Host: host } });
        assert([404, 400].includes(other.status), `${host}: ${other.status}`);
        for (const target of ["/echo/../../etc", "/echo/%2e%2e/%2E%2E/etc", "/echo/..\\etc"]) {
          const { status: up } = await asker.ask({ target, fields: { Host: host } });
          assert(up >= 400, `${host} ${target}: ${up}`);
        }
      }
    },
  },
  {
    name: "OPTIONS * reaches no resource",
    isFor: isHttp1,
    async ask(asker) {
      const { status } = await asker.ask({ method: "OPTIONS", target: "*" });
      assert([400, 404].includes(status), String(status));
    },
  },
  {
    name: "each method that the server lets in reaches its handler",
    async ask(asker) {
      for (const method of ["DELETE", "GET", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"]) {
        const reply = await asker.ask({ method, target: "/echo/a/b?q=1" });
        assert.deepEqual([reply.status, JSON.parse(textOf(reply))], [200, { method, path: "a/b", q: "1" }]);
      }
    },
  },
  {
    name: "CONNECT reaches its handler",
    isFor: ({ name }) => name === "http native" || name === "http polyfill",
    async ask(asker) {
      const wire = asker.wire().send("CONNECT /echo/x HTTP/1.1\r\nHost: h\r\n\r\n");
      assert.equal(JSON.parse(textOf(await wire.reply())).method, "CONNECT");
      assert.equal((await asker.ask({ method: "CONNECT", target: "h:80" })).status, 404);
    },
  },
  {
    name: "C3.3 the case of a method counts",
    isFor: isHttp1,
    async ask(asker) {
      const reply = await asker.ask({ method: "get", target: "/hello/Ada" }).catch(() => null);
      // Some servers end the connection, or answer themselves.
      if (reply !== null) assert([400, 501].includes(reply.status), String(reply.status));
    },
  },
  {
    name: "a handler learns that the client has left",
    // Of workerd only the content does: see the next question.
    isFor: ({ kind }) => kind !== "workerd",
    ask: (asker) => expectLeft(asker, "/wait"),
  },
  { name: "content learns that the client has left", ask: (asker) => expectLeft(asker, "/drip") },
  {
    name: "nobody is told that the client has left when it has not",
    isFor: isOurs,
    async ask(asker) {
      const { aborted } = await stateOf(asker);
      for (let i = 0; i < 5; i++) await asker.ask("/large/100000");
      assert.equal((await stateOf(asker)).aborted, aborted);
    },
  },
];

async function expectLeft(asker: Asker, target: string): Promise<void> {
  const { begun, aborted } = await stateOf(asker);
  const leave = begin(asker, target);
  // Who leaves before that may not be noticed at all: HTTP/2 knows requests that end before anybody sees them.
  await until(async () => (await stateOf(asker)).begun === begun + 1);
  await leave();
  await until(async () => (await stateOf(asker)).aborted === aborted + 1);
}

/** Begins a request. @returns what breaks it off. */
function begin(asker: Asker, target: string): () => Promise<void> {
  if (asker.server.protocol === "http2") {
    const stream = asker.session().request({ ":path": target });
    stream.on("error", () => {}).resume();
    return async () => void stream.destroy();
  }
  const wire = asker.wire().send(`GET ${target} HTTP/1.1\r\nHost: h\r\n\r\n`);
  return async () => wire.close();
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
