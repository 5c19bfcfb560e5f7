// The same row, as it is written without fingerpost.
import { createHash, randomUUID } from "node:crypto";
import { createWriteStream, mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import bearerAuth from "@fastify/bearer-auth";
import cookie from "@fastify/cookie";
import session from "@fastify/session";
import { getRequestListener } from "@hono/node-server";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import busboy from "busboy";
import fastify from "fastify";
import { z } from "zod";
import { books, chunk, listening, novel } from "./data.js";

const gzipped = promisify(gzip);
const string = { type: "string" };
const integer = { type: "integer" };
const object = (properties, required = Object.keys(properties)) => ({ type: "object", properties, required });
const book = object({ id: integer, title: string, text: string });
const note = object({ title: { ...string, minLength: 1 }, pages: integer }, ["title"]);

const rows = {
  async scope(app) {
    const scopes = new Map([["token-of-ada", ["notes:read", "notes:write"]]]);
    await app.register(bearerAuth, { keys: new Set(scopes.keys()) });
    const needs = (scope) => async (request, reply) => {
      if (!scopes.get(request.headers.authorization.slice(7)).includes(scope)) return reply.code(403).send();
    };
    const schema = { response: { 200: object({ text: string }) } };
    app.get("/scope", { schema, preHandler: needs("notes:read") }, async () => ({ text: "A note" }));
  },
  patch(app) {
    let kept = { title: "Emma, a novel", pages: 474 };
    let version = 1;
    app.addContentTypeParser(
      "application/merge-patch+json",
      { parseAs: "string" },
      app.getDefaultJsonParser("error", "error"),
    );
    app.patch(
      "/books/:id",
      { schema: { body: { type: "object" }, response: { 200: note } } },
      async (request, reply) => {
        const condition = request.headers["if-match"];
        if (condition !== undefined && condition !== `"${version}"`) return reply.code(412).send();
        const changed = { ...kept };
        for (const [name, value] of Object.entries(request.body)) {
          if (value === null) delete changed[name];
          else changed[name] = value;
        }
        if (!request.validateInput(changed, note)) return reply.code(422).send();
        reply.header("etag", `"${++version}"`);
        return (kept = changed);
      },
    );
  },
  page(app) {
    const querystring = object({ limit: { ...integer, minimum: 1, maximum: 100 }, cursor: string }, []);
    const schema = { querystring, response: { 200: object({ items: { type: "array", items: book }, next: string }) } };
    app.get("/books", { schema }, async ({ query: { limit = 20, cursor } }, reply) => {
      const from = cursor === undefined ? 0 : JSON.parse(Buffer.from(cursor, "base64url")).id;
      const items = books.slice(from, from + limit + 1);
      if (items.length <= limit) return { items };
      items.pop();
      const next = Buffer.from(JSON.stringify({ id: items.at(-1).id })).toString("base64url");
      reply.header("link", `</books?limit=${limit}&cursor=${next}>; rel="next"`);
      return { items, next };
    });
  },
  session(app) {
    app.register(cookie);
    app.register(session, { secret: "a secret of more than 32 characters, in all", cookie: { secure: false } });
    app.after(() => {
      app.post("/session", async (request, reply) => {
        request.session.name = "Ada";
        return reply.code(204).send();
      });
      const schema = { response: { 200: object({ name: string }) } };
      app.get("/session", { schema }, async ({ session: { name } }) => ({ name }));
      const written = { body: note, response: { 200: note } };
      app.put("/session", { schema: written }, async ({ session: { name }, body }) => name && body);
    });
  },
  stream(app) {
    app.get("/stream", async (_request, reply) => {
      reply.type("application/octet-stream");
      return Readable.from(
        (async function* () {
          for (let sent = 0; sent < 16; sent++) yield chunk;
        })(),
      );
    });
  },
  gzip(app) {
    app.get("/gzip", async (request, reply) => {
      reply.type("text/plain; charset=utf-8").header("vary", "accept-encoding");
      if (!/\bgzip\b/.test(request.headers["accept-encoding"] ?? "")) return novel;
      return reply.header("content-encoding", "gzip").send(await gzipped(novel));
    });
  },
};

const bare = {
  upload() {
    const folder = mkdtempSync(join(tmpdir(), "fingerpost-"));
    return createServer((request, response) => {
      const stored = [];
      const reader = busboy({ headers: request.headers, limits: { fileSize: 2_000_000 } });
      reader.on("file", (_name, file) => {
        // As fingerpost does it: size and digest are known, and the file is on the disk.
        const digest = createHash("sha256");
        let size = 0;
        const counted = new PassThrough().on("data", (part) => {
          size += part.length;
          digest.update(part);
        });
        stored.push(
          pipeline(file, counted, createWriteStream(join(folder, randomUUID()), { flush: true })).then(
            () => digest.digest("hex") && size,
          ),
        );
      });
      reader.on("close", async () => {
        const [size] = await Promise.all(stored);
        const text = JSON.stringify({ size });
        response.writeHead(200, { "content-type": "application/json", "content-length": text.length }).end(text);
      });
      request.pipe(reader);
    });
  },
  tool() {
    const { fetch } = createMcpHandler(() => {
      const server = new McpServer({ name: "sums", version: "1.0.0" });
      const shape = { inputSchema: z.object({ a: z.int(), b: z.int() }) };
      server.registerTool("add", shape, ({ a, b }) => ({
        content: [{ type: "text", text: JSON.stringify({ sum: a + b }) }],
      }));
      return server;
    });
    return createServer(getRequestListener((request) => fetch(request)));
  },
};

const [, , name] = process.argv;
if (name in bare) {
  const server = bare[name]().listen(0, "127.0.0.1", () => listening(server.address().port));
} else {
  const app = fastify();
  await rows[name](app);
  await app.listen({ port: 0, host: "127.0.0.1" });
  listening(app.server.address().port);
}
