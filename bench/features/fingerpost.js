// One row, as fingerpost declares it.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { disk } from "../../dist/content/files.js";
import { mcp } from "../../dist/agents/mcp.js";
import { bearer } from "../../dist/middleware/bearer.js";
import { compress } from "../../dist/middleware/compress.js";
import {
  Application,
  Attribute,
  bytes,
  form,
  page,
  patch,
  reply,
  Resource,
  text,
  upload,
} from "../../dist/modules/http.semantics.js";
import { serve } from "../../dist/servers/node.js";
import { sessions } from "../../dist/state/sessions.js";
import { memoryRecords, memorySessions } from "../../dist/state/stores.js";
import { books, chunk, listening, novel } from "./data.js";

const book = z.object({ id: z.int(), title: z.string(), text: z.string() });
const note = z.object({ title: z.string().min(1), pages: z.int().optional() });

const rows = {
  scope() {
    class Notes extends Resource {
      paths = ["/scope"];
      static GET = { scopes: ["notes:read"], 200: z.object({ text: z.string() }) };
      GET() {
        return { text: "A note" };
      }
    }
    const tokens = { "token-of-ada": ["notes:read", "notes:write"] };
    const user = new Attribute("user");
    return [[Notes], [bearer({ tokens, identity: user, scopesOf: (scopes) => scopes })]];
  },
  patch() {
    let kept = { title: "Emma, a novel", pages: 474 };
    let version = 1;
    class Book extends Resource {
      paths = ["/books/:id"];
      validator() {
        return { etag: `"${version}"` };
      }
      static GET = { 200: note };
      GET() {
        return kept;
      }
      static PUT = { content: note, 200: note };
      PUT({ content }) {
        version++;
        return (kept = content);
      }
      static PATCH = patch(this.GET, this.PUT);
    }
    return [[Book]];
  },
  page() {
    class Books extends Resource {
      paths = ["/books"];
      static GET = { 200: page(book, { by: z.object({ id: z.int() }) }) };
      GET({ page: asked }) {
        const { after, limit } = asked;
        const from = after?.id ?? 0;
        return asked.of(books.slice(from, from + limit + 1));
      }
    }
    return [[Books]];
  },
  upload() {
    const to = disk(mkdtempSync(join(tmpdir(), "fingerpost-")));
    class Files extends Resource {
      paths = ["/upload"];
      static POST = {
        content: form({ file: upload({ to, maxBytes: 2_000_000 }) }),
        200: z.object({ size: z.int() }),
      };
      POST({ content }) {
        return { size: content.file.size };
      }
    }
    return [[Files]];
  },
  tool() {
    class Sums extends Resource {
      paths = ["/sums"];
      static POST = {
        content: z.object({ a: z.int(), b: z.int() }),
        200: z.object({ sum: z.int() }),
        tool: { name: "add" },
      };
      POST({ content: { a, b } }) {
        return { sum: a + b };
      }
    }
    return [[Sums, mcp({ name: "sums", version: "1.0.0" })]];
  },
  session() {
    const session = new Attribute("session");
    class Visits extends Resource {
      paths = ["/session"];
      static GET = { 200: z.object({ name: z.string() }) };
      GET(call) {
        return { name: session.get(call).data.name };
      }
      static POST = { 204: "Signed in" };
      async POST(call) {
        await session.get(call).start({ name: "Ada" });
        return reply(204);
      }
      static PUT = { content: note, idempotency: { optional: true }, 200: note };
      PUT({ content }) {
        return content;
      }
    }
    const schema = z.object({ name: z.string() });
    const ownerOf = (call) => session.get(call).data.name;
    return [[Visits], [sessions({ session, schema, store: memorySessions() })], { store: memoryRecords(), ownerOf }];
  },
  stream() {
    class Export extends Resource {
      paths = ["/stream"];
      static GET = { 200: bytes("application/octet-stream") };
      async *GET() {
        for (let sent = 0; sent < 16; sent++) yield chunk;
      }
    }
    return [[Export]];
  },
  gzip() {
    class Novel extends Resource {
      paths = ["/gzip"];
      static GET = { 200: text() };
      GET() {
        return novel;
      }
    }
    return [[Novel], [compress({ codings: ["gzip"] })]];
  },
};

const [resources, middleware = [], writes] = rows[process.argv[2]]();
const builder = Application.builder()
  .resources(...resources)
  .middleware(...middleware);
const app = (writes === undefined ? builder : builder.idempotency(writes)).build();
listening((await serve(app, { port: 0, hostname: "127.0.0.1" })).address().port);
