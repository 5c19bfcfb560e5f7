// Declared operations of each kind, and what is asked of them.
import { z } from "zod";
import { builtAround } from "./around.js";

const book = z.object({ title: z.string().max(20), year: z.int().optional() });
const version = { etag: '"7"', lastModified: new Date("2026-01-31T12:00:00Z") };
const ten = new TextEncoder().encode("0123456789");
const secrets = ["a secret of exchanges, which is long enough"];
const shelf = ["Beloved", "Emma", "Kindred", "Persuasion"].map((title, at) => ({ id: at + 1, title }));
const form = z.object({ title: z.string(), year: z.int().optional() });

/** An application of all kinds, with a row of around.js; `source` has the files that it serves. */
export function semanticsApplication(modules, row, note, source) {
  const { semantics, native, mount, files, idempotency, after, uploads, sessions, mcp, openapi, asyncapi } = modules;
  const { Resource, HTTPError, Status, reply, bytes, text, lines, events, event, page, patch, json } = semantics;
  const { problem, written, socket, upload, Attribute } = semantics;
  const soldOut = problem("/problems/sold-out", {
    status: 409,
    title: "Sold out",
    schema: z.object({ left: z.int() }),
  });
  const csv = written("text/csv", ({ title }) => `title\r\n${title}`);

  class Book extends Resource {
    paths = ["/books/:id"];
    validator(call) {
      const id = paramOf(call, "id");
      if (id === "none") return null;
      if (id === "secret") return reply(403);
      return id === "7" ? version : undefined;
    }
    static GET = {
      summary: "Reads a book",
      query: z.object({ n: z.int().min(1).optional(), lang: z.enum(["en", "de"]).optional() }),
      200: book,
      403: "Not yours",
      404: "No such book",
      409: soldOut,
    };
    GET({ path: { id }, query }) {
      if (id === "none") return reply(404);
      if (id === "error") throw new Error("secret");
      if (id === "thrown") throw "text";
      if (id === "gone") throw new HTTPError(Status.Gone, "Withdrawn", { headers: { "X-Since": "1999" } });
      if (id === "unavailable") throw new HTTPError(Status.ServiceUnavailable, "secret");
      if (id === "wrong") return { title: 5 };
      if (id === "long") return { title: "x".repeat(21) };
      if (id === "undeclared") return reply(410);
      if (id === "sold") return soldOut({ left: 0 });
      if (id === "fields") return reply(200, { title: "Emma", more: 1 }, { "X-A": "1", "Set-Cookie": "a=b" });
      return { title: `Emma ${query.n ?? ""}${query.lang ?? ""}`, year: 1815, secret: "not declared" };
    }
    static PUT = { content: book, 200: book, 204: "Stored", 403: "Not yours", 404: "No such book" };
    PUT({ path: { id }, content }) {
      if (id === "none") return reply(404);
      return id === "8" ? reply(204) : content;
    }
    static PATCH = patch(this.GET, this.PUT);
    static DELETE = { 204: "Deleted", 403: "Not yours" };
    DELETE() {}
  }

  class Fields extends Resource {
    paths = ["/fields"];
    static GET = {
      headers: z.object({ "x-count": z.int().optional(), "x-tag": z.string().optional() }),
      cookies: z.object({ sid: z.string().min(3).optional(), theme: z.enum(["dark"]).optional() }),
      200: z.object({ count: z.int().optional(), sid: z.string().optional() }),
    };
    GET({ headers, cookies }) {
      return { count: headers["x-count"], sid: cookies.sid };
    }
    static POST = { headers: z.object({ "x-count": z.int() }), 204: "Taken" };
    POST() {}
  }

  class Text extends Resource {
    paths = ["/text"];
    static GET = { 200: text("text/markdown"), etag: "content", cache: "private, max-age=5" };
    GET() {
      return "# Emma, é";
    }
    static POST = { content: text("text/plain", { maxBytes: 8 }), 200: text() };
    POST({ content }) {
      return content;
    }
    static DELETE = {
      deprecated: { since: "2026-01-31", sunset: "2027-01-31", link: "https://example.com/end" },
      200: text(),
    };
    DELETE() {
      return "gone";
    }
  }

  class Bytes extends Resource {
    paths = ["/bytes/:how"];
    validator(call) {
      return paramOf(call, "how") === "whole" ? version : undefined;
    }
    static GET = { 200: bytes("image/png"), 404: "No such picture" };
    GET({ path: { how } }) {
      if (how === "none") return reply(404);
      if (how === "blob") return new Blob([ten], { type: "image/png" });
      if (how === "stream") return streamOf(["01234", "56789"]);
      if (how === "broken") return streamOf(["01234", "56789"], new Error("secret"));
      if (how === "sized") return reply(200, streamOf(["01234"]), { "Content-Length": "9" });
      return ten;
    }
    static PUT = { content: bytes("image/png", { maxBytes: 8 }), 200: z.object({ length: z.int() }) };
    PUT({ content }) {
      return { length: content.byteLength };
    }
  }

  class Lines extends Resource {
    paths = ["/lines/:how"];
    static GET = { 200: lines(book), 404: "No lines" };
    async *GET({ path: { how } }) {
      if (how === "none") return reply(404);
      if (how === "first") throw new HTTPError(Status.Gone, "No more");
      yield { title: "Emma", secret: 1 };
      if (how === "broken") throw new Error("secret");
      if (how === "wrong") yield { title: 5 };
      yield { title: "Kindred" };
      return undefined;
    }
    static POST = { content: lines(book, { maxBytes: 200 }), 200: z.object({ titles: z.array(z.string()) }) };
    async POST({ content }) {
      const titles = [];
      for await (const { title } of content) titles.push(title);
      return { titles };
    }
    static PUT = { content: lines(book, { maxBytes: 200, whenInvalid: "yield" }), 200: z.object({ faults: z.int() }) };
    async PUT({ content }) {
      let faults = 0;
      for await (const { errors } of content) faults += errors === undefined ? 0 : 1;
      return { faults };
    }
  }

  class Events extends Resource {
    paths = ["/events/:how"];
    static GET = { 200: events(z.object({ cents: z.int() })), 204: "No more" };
    async *GET({ path: { how } }) {
      if (how === "none") return reply(204);
      yield { cents: 1, secret: 2 };
      if (how === "broken") throw new Error("secret");
      if (how === "wrong") yield { cents: "x" };
      yield event({ cents: 2 }, { id: "2", event: "price" });
      return undefined;
    }
  }

  class Pages extends Resource {
    paths = ["/pages"];
    static GET = {
      query: z.object({ search: z.string().optional() }),
      200: page(z.object({ id: z.int(), title: z.string() }), { by: z.object({ id: z.int() }), limit: 2, secrets }),
    };
    GET({ page: place, query: { search = "" } }) {
      const rest = shelf.filter(({ id, title }) => id > (place.after?.id ?? 0) && title.includes(search));
      return place.of(rest.slice(0, place.limit + 1));
    }
  }

  class Forms extends Resource {
    paths = ["/forms"];
    static POST = {
      content: semantics.form(
        {
          caption: z.string().max(10),
          year: z.int().optional(),
          cover: upload({ maxBytes: 20, types: ["image/*"], to: uploads.memory() }),
        },
        { maxBytes: 600 },
      ),
      200: z.object({ caption: z.string(), name: z.string(), type: z.string(), size: z.int(), sha256: z.string() }),
    };
    POST({ content: { caption, cover } }) {
      return { caption, name: cover.fileName, ...cover };
    }
    static PUT = {
      content: { "application/json": form, "application/x-www-form-urlencoded": form, "multipart/form-data": form },
      200: form,
    };
    PUT({ content }) {
      return content;
    }
  }

  class Media extends Resource {
    paths = ["/media"];
    validator() {
      return { etag: '"7"' };
    }
    static GET = {
      200: {
        content: {
          "application/json": book,
          "text/csv": csv,
          "text/html": written("text/html", ({ title }) => `<p>${title}`),
        },
      },
    };
    GET() {
      return { title: "Emma" };
    }
    static POST = {
      content: { "application/json": book, "text/plain": text(), "image/*": bytes() },
      200: { content: { "text/html": text("text/html"), "application/pdf": bytes("application/pdf") } },
    };
    POST({ contentType, mediaType }) {
      return `${contentType} as ${mediaType}`;
    }
  }

  class Preferred extends Resource {
    paths = ["/preferred/:status"];
    static POST = { 200: text(), 201: text(), 202: text(), 204: "None", 303: "See other" };
    POST({ path: { status } }) {
      return status === "303" ? reply(303, undefined, { Location: "/books/7" }) : reply(Number(status), "ok");
    }
  }

  class Required extends Resource {
    paths = ["/required"];
    validator() {
      return version;
    }
    static GET = { 200: text() };
    GET() {
      return "ok";
    }
    static PUT = { precondition: true, content: json(book, { maxBytes: 40 }), 204: "Stored" };
    PUT() {}
  }

  class At extends Resource {
    paths = ["/at/list", "/at/one/:id"];
    static GET = { 200: text() };
    GET() {
      return "both";
    }
    static POST = { at: ["/at/list"], 201: text() };
    POST() {
      return reply(201, "made", { Location: "/at/one/1" });
    }
    static DELETE = { at: ["/at/one/:id"], 204: "Deleted" };
    DELETE() {}
  }

  class Secured extends Resource {
    paths = ["/secured"];
    static GET = {
      security: { key: { type: "apiKey", in: "header", name: "X-Key" } },
      200: text(),
      401: "No key",
    };
    GET({ request }) {
      return request.headers.has("x-key") ? "ok" : reply(401);
    }
  }

  const user = new Attribute("user");
  class Payments extends Resource {
    paths = ["/payments"];
    #paid = 0;
    static POST = { idempotency: true, content: z.object({ amount: z.int() }), 201: z.object({ paid: z.int() }) };
    POST({ content: { amount } }) {
      if (amount === 13) throw new Error("secret");
      if (amount === 14) throw new HTTPError(Status.Conflict, "Too late");
      return reply(201, { paid: (this.#paid += amount) }, { "X-Paid": "yes" });
    }
    static PUT = { idempotency: { optional: true }, content: z.object({ amount: z.int() }), 200: text() };
    PUT({ content: { amount } }) {
      return `${(this.#paid += amount)}`;
    }
  }

  class Mail extends Resource {
    paths = ["/mail/:how"];
    static POST = { 202: "Taken", 404: "No such mail" };
    POST({ path: { how }, request }) {
      after.after(request, async () => {
        note("mailed");
        if (how === "broken") throw new Error("of the mail");
      });
      return how === "none" ? reply(404) : reply(202);
    }
  }

  const session = new Attribute("session");
  class SignIn extends Resource {
    paths = ["/session"];
    static POST = { content: z.object({ name: z.string() }), 204: "Signed in" };
    async POST(call) {
      await session.get(call).start({ name: call.content.name });
    }
    static GET = { 200: text(), 403: "Sign in" };
    GET(call) {
      return session.get(call).data?.name ?? reply(403);
    }
    static PUT = { 204: "Changed" };
    async PUT(call) {
      await session.get(call).update(({ name }) => ({ name: `${name}!` }));
    }
    static DELETE = { 204: "Signed out" };
    async DELETE(call) {
      await session.get(call).end();
    }
  }
  const Sessions = sessions.sessions({
    session,
    schema: z.object({ name: z.string() }),
    store: sessions.memorySessions(),
  });
  Object.defineProperty(SignIn, "middleware", { configurable: true, value: [Sessions] });

  const said = z.object({ text: z.string().max(5) });
  class Room extends Resource {
    paths = ["/rooms/:room"];
    static GET = {
      101: socket({
        receives: said,
        sends: z.object({ from: z.string(), text: z.string() }),
        origins: ["https://friend.example"],
        protocols: ["v2", "v1"],
      }),
      404: "No such room",
    };
    GET({ path: { room } }) {
      if (room === "none") return reply(404);
      if (room === "error") throw new Error("secret");
      return reply(101, {
        open: (peer) => peer.send({ from: "open", text: peer.protocol }),
        message(peer, message) {
          if (message.text === "fail") throw new Error("of message()");
          if (message.text === "close") return peer.close(4000, "enough");
          return peer.send({ from: "echo", text: message.text, secret: 1 });
        },
        close: (_peer, code, reason) => note(`closed ${code} ${reason}`),
      });
    }
  }
  class Both extends Resource {
    paths = ["/both"];
    static GET = { 101: socket({ receives: text(), sends: text(), maxBytes: 10 }), 200: text() };
    GET({ isHandshake }) {
      return isHandshake ? reply(101, { message: (peer, message) => peer.send(message) }) : "plain";
    }
  }

  class Native extends native.Resource {
    paths = ["/native/:how"];
    GET({ params }) {
      const how = params.pathParam("how");
      if (how === "error") throw new Error("secret");
      if (how === "gone") throw new native.HTTPError(native.Status.Gone, "Withdrawn");
      if (how === "wrong") return { title: "Emma" };
      if (how === "light") return native.Response.json({ title: "Emma" }, { headers: { "X-Light": "yes" } });
      if (how === "stream") return new Response(streamOf(["a", "b"]));
      if (how === "redirect") return Response.redirect("https://a.example/", 307);
      return new Response("made", { status: 200, statusText: "Fine", headers: { ETag: '"9"' } });
    }
  }
  const fetched = (request) => new Response(`${request.method} ${new URL(request.url).pathname}`);
  class Mounted extends mount.mount(["/mounted/:path*"], fetched) {}
  class Stripped extends mount.mount(["/stripped/:path*"], fetched, { stripPrefix: true }) {}
  class Shared extends files.Files {
    paths = ["/files/:path*"];
    source = source;
    fallback = "index.html";
  }

  const classes = [
    ...[Book, Fields, Text, Bytes, Lines, Events, Pages, Forms, Media, Preferred, Required, At, Secured, Payments],
    ...[Mail, SignIn, Room, Both, Native, Mounted, Stripped, Shared],
  ];
  const more = (builder) =>
    builder.idempotency({ store: idempotency.memoryRecords(), ownerOf: (call) => user.find(call) ?? "all" });
  const withDocuments = row.documents === true ? documentsOf({ mcp, openapi, asyncapi }) : [];
  return builtAround(semantics, [...classes, ...withDocuments], row, note, (builder) =>
    builder.idempotency === undefined ? builder : more(builder),
  );
}

function documentsOf({ openapi, asyncapi }) {
  const about = { title: "Exchanges", version: "1.0.0" };
  return [openapi.openapi(about), asyncapi.asyncapi(about)];
}

/** A validator is asked by operations, and by middleware with its input. */
const paramOf = (input, name) => input.path?.[name] ?? input.params.pathParam(name);

function streamOf(parts, error) {
  const left = [...parts];
  return new ReadableStream({
    pull(controller) {
      const part = left.shift();
      if (part !== undefined) controller.enqueue(new TextEncoder().encode(part));
      else if (error === undefined) controller.close();
      else controller.error(error);
    },
  });
}

const type = (value) => ({ "content-type": value });
const asJSON = type("application/json");
const put = (path, body, headers = asJSON) => ({ method: "PUT", path, body, headers });
const post = (path, body, headers = asJSON) => ({ method: "POST", path, body, headers });
const get = (path, headers = {}) => ({ method: "GET", path, headers });
const key = (name) => ({ ...asJSON, "idempotency-key": name });

/** A form of parts, each of a name, content, and what is said of a file. */
function multipart(...parts) {
  const written = parts.map(
    ([name, content, file]) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"${file === undefined ? "" : `; filename="${file}"`}\r\n` +
      `${file === undefined ? "" : "Content-Type: image/gif\r\n"}\r\n${content}\r\n`,
  );
  return `${written.join("")}--b--\r\n`;
}
const asForm = type("multipart/form-data; boundary=b");
const caption = ["caption", "Ada"];
const cover = ["cover", "GIF89a", "../ada.gif"];

/** What is asked around everything. */
export const asked = [
  get("/books/7"),
  get("/books/7?n=5&lang=de"),
  get("/books/7?n=x"),
  get("/books/7", { "if-none-match": '"7"' }),
  get("/books/7", { "if-match": '"6"' }),
  get("/books/7", { accept: "image/png" }),
  get("/books/none"),
  get("/books/error"),
  get("/books/thrown"),
  get("/books/gone"),
  get("/books/wrong"),
  get("/books/sold"),
  get("/books/fields"),
  get("/nowhere"),
  { method: "HEAD", path: "/books/7" },
  { method: "HEAD", path: "/books/none" },
  { method: "OPTIONS", path: "/books/7" },
  {
    method: "OPTIONS",
    path: "/books/7",
    headers: { origin: "https://app.example", "access-control-request-method": "PUT" },
  },
  { method: "PURGE", path: "/books/7" },
  post("/books/7", "{}"),
  put("/books/7", '{"title":"Emma","year":1815}'),
  put("/books/7", '{"title":5}'),
  put("/books/7", '{"title":'),
  put("/books/7", "x", type("text/csv")),
  put("/books/7", '{"title":"Emma"}', { ...asJSON, "if-match": '"6"' }),
  put("/books/8", '{"title":"Emma"}'),
  { method: "PATCH", path: "/books/7", body: '{"year":2}', headers: type("application/merge-patch+json") },
  { method: "DELETE", path: "/books/7" },
  get("/text"),
  post("/text", "12345678", type("text/plain")),
  post("/text", "123456789", type("text/plain")),
  get("/bytes/whole", { range: "bytes=2-4" }),
  get("/bytes/whole", { range: "bytes=20-" }),
  get("/bytes/stream"),
  get("/bytes/broken"),
  get("/lines/all"),
  get("/lines/first"),
  post("/lines/all", '{"title":"a"}\n{"title":"b"}\n', type("application/jsonl")),
  get("/events/all"),
  get("/pages?limit=1"),
  post("/forms", multipart(caption, cover), asForm),
  get("/media", { accept: "text/csv" }),
  get("/both"),
  get("/secured"),
  post("/payments", '{"amount":7}', key("k1")),
  post("/payments", '{"amount":7}', key("k1")),
  post("/mail/out"),
  get("/native/made"),
  get("/native/light"),
  get("/native/error"),
  { method: "POST", path: "/native/made" },
  get("/mounted/a/b?c"),
  get("/files/poem.txt"),
  get("/files/poem.txt", { range: "bytes=0-3" }),
];

/** What is asked without anything around, beside that. */
export const askedAlone = [
  ...["secret", "unavailable", "long", "undeclared", "%41", "a%2Fb", "%FF", "8"].map((id) => get(`/books/${id}`)),
  get("/books/7?lang=fr&n=0"),
  get("/books/7?n=1&n=2"),
  get("/books/7?n="),
  get("/books/7?unknown=1"),
  get(`/books/${"x".repeat(9_000)}`),
  get("//books/7"),
  get("/books/7/"),
  get("/books/7/8"),
  get("/books"),
  get("/"),
  get("/books/7", { "if-none-match": "*" }),
  get("/books/7", { "if-none-match": 'W/"7", "8"' }),
  get("/books/7", { "if-none-match": "x" }),
  get("/books/7", { "if-modified-since": "Sat, 31 Jan 2026 12:00:00 GMT" }),
  get("/books/7", { "if-unmodified-since": "Sat, 31 Jan 2025 12:00:00 GMT" }),
  get("/books/none", { "if-match": "*" }),
  get("/books/secret", { "if-none-match": "*" }),
  get("/books/7", { accept: "application/json;q=0.1, text/html" }),
  get("/books/7", { accept: "x" }),
  get("/books/error", { accept: "text/html" }),
  get("/books/none", { accept: "application/problem+json" }),
  get("/nowhere", { accept: "text/html" }),
  get("/nowhere", { accept: "text/plain, application/json;q=0.5" }),
  { method: "HEAD", path: "/books/error" },
  { method: "HEAD", path: "/nowhere" },
  { method: "HEAD", path: "/text" },
  { method: "HEAD", path: "/bytes/whole" },
  { method: "HEAD", path: "/lines/all" },
  { method: "HEAD", path: "/events/all" },
  { method: "HEAD", path: "/pages" },
  { method: "HEAD", path: "/media", headers: { accept: "text/html" } },
  { method: "HEAD", path: "/both" },
  { method: "HEAD", path: "/rooms/lobby" },
  { method: "OPTIONS", path: "/nowhere" },
  { method: "OPTIONS", path: "/at/list" },
  { method: "OPTIONS", path: "/at/one/1" },
  { method: "OPTIONS", path: "/rooms/lobby" },
  { method: "QUERY", path: "/books/7" },
  { method: "purge", path: "/books/7" },
  { method: "PURGE", path: "/nowhere" },
  ...["/text", "/lines/all", "/forms", "/media", "/payments", "/at/one/1", "/both", "/files/poem.txt"].map((path) => ({
    method: "PATCH",
    path,
    body: "{}",
    headers: asJSON,
  })),
  put("/books/7", ""),
  put("/books/7", '{"title":"a"}', {}),
  put("/books/7", "null"),
  put("/books/7", '\uFEFF{"title":"a"}'),
  put("/books/7", '{"__proto__":{}}'),
  put("/books/7", '{"title":"\\ud800"}'),
  put("/books/7", '{"title":"a","year":12345678901234567890}'),
  put("/books/7", '{"title":"a","year":1e400}'),
  put("/books/7", `{"title":"${"x".repeat(1_100_000)}"}`),
  put("/books/7", `[${"1,".repeat(100_001)}1]`),
  put("/books/7", '{"title":"a"}', type("application/json; charset=latin1")),
  put("/books/7", '{"title":"a"}', type("Application/JSON; charset=UTF-8")),
  put("/books/7", '{"title":"a"}', { ...asJSON, "content-encoding": "gzip" }),
  put("/books/7", '{"title":"a"}', { ...asJSON, prefer: "return=minimal" }),
  put("/books/7", '{"title":"a"}', { ...asJSON, "if-match": '"7"' }),
  put("/books/7", '{"title":"a"}', { ...asJSON, "if-none-match": "*" }),
  put("/books/none", '{"title":"a"}', { ...asJSON, "if-match": "*" }),
  put("/books/none", '{"title":"a"}'),
  put("/books/secret", '{"title":"a"}'),
  ...[
    ['[{"op":"replace","path":"/title","value":"Emma"}]', "application/json-patch+json"],
    ['[{"op":"test","path":"/title","value":"x"}]', "application/json-patch+json"],
    ['[{"op":"remove","path":"/none"}]', "application/json-patch+json"],
    ['[{"op":"copy"}]', "application/json-patch+json"],
    ['{"title":5}', "application/merge-patch+json"],
    ['{"title":null}', "application/merge-patch+json"],
    ['{"secret":1}', "application/merge-patch+json"],
    ["[", "application/merge-patch+json"],
    ["{}", "application/json"],
    ["x", "text/plain"],
  ].map(([body, media]) => ({ method: "PATCH", path: "/books/7", body, headers: type(media) })),
  {
    method: "PATCH",
    path: "/books/7",
    body: "{}",
    headers: { ...type("application/merge-patch+json"), "if-match": '"6"' },
  },
  { method: "PATCH", path: "/books/none", body: "{}", headers: type("application/merge-patch+json") },
  get("/fields", { "x-count": "3", cookie: "sid=abc; theme=dark" }),
  get("/fields", { "x-count": "x" }),
  get("/fields", { cookie: "sid=a" }),
  get("/fields", { cookie: "sid=abc; sid=def; other=1" }),
  post("/fields", undefined, {}),
  post("/fields", undefined, { "x-count": "1" }),
  get("/text", { "if-none-match": '"none"' }),
  get("/text", { "if-match": '"none"' }),
  get("/text", { accept: "text/html" }),
  { method: "DELETE", path: "/text" },
  post("/text", "é", type("text/plain; charset=utf-8")),
  post("/text", new Uint8Array([0xff, 0xfe]), type("text/plain")),
  post("/text", "", type("text/plain")),
  ...["whole", "blob", "none", "sized"].map((how) => get(`/bytes/${how}`)),
  ...["bytes=0-0", "bytes=-3", "bytes=5-", "bytes=10-", "bytes=0-1,4-5", "bytes=4-2", "lines=0-1"].map((range) =>
    get("/bytes/whole", { range }),
  ),
  get("/bytes/whole", { range: "bytes=2-4", "if-range": '"7"' }),
  get("/bytes/whole", { range: "bytes=2-4", "if-range": '"6"' }),
  get("/bytes/whole", { range: "bytes=2-4", "if-none-match": '"7"' }),
  get("/bytes/whole", { range: "bytes=2-4", "if-match": '"6"' }),
  get("/bytes/stream", { range: "bytes=2-4" }),
  get("/bytes/blob", { range: "bytes=2-4" }),
  put("/bytes/whole", new Uint8Array(8), type("image/png")),
  put("/bytes/whole", new Uint8Array(9), type("image/png")),
  put("/bytes/whole", "x", type("image/gif")),
  ...["none", "broken", "wrong"].map((how) => get(`/lines/${how}`)),
  get("/lines/all", { accept: "application/x-ndjson" }),
  get("/lines/all", { accept: "text/html" }),
  ...[
    '{"title":"a"}\r\n\n{"title":"b"}',
    '{"title":5}\n',
    '{"title":"a"}\n{\n',
    `{"title":"${"x".repeat(300)}"}\n`,
    "",
  ].flatMap((body) => [
    post("/lines/all", body, type("application/jsonl")),
    put("/lines/all", body, type("application/x-ndjson")),
  ]),
  post("/lines/all", "{}", asJSON),
  ...["none", "broken", "wrong"].map((how) => get(`/events/${how}`)),
  get("/events/all", { accept: "application/json" }),
  get("/events/all", { "last-event-id": "2" }),
  get("/pages"),
  get("/pages?search=m&limit=1"),
  get("/pages?limit=0"),
  get("/pages?limit=1000"),
  get("/pages?cursor=x"),
  ...[
    multipart(caption),
    multipart(cover),
    multipart(cover, caption),
    multipart(caption, cover, ["other", "1"]),
    multipart(caption, caption, cover),
    multipart(["caption", "x".repeat(11)], cover),
    multipart(caption, ["year", "x"], cover),
    multipart(caption, ["cover", "<svg>", "a.svg"]),
    multipart(caption, ["cover", "GIF89a".padEnd(21), "a.gif"]),
    multipart(caption, ["cover", "x".repeat(700), "a.gif"]),
    multipart(caption, ["cover", "", ""]),
    multipart(caption, cover).slice(0, -9),
    "x",
    "",
  ].map((body) => post("/forms", body, asForm)),
  post("/forms", multipart(caption, cover), type("multipart/form-data")),
  post("/forms", "caption=Ada", type("application/x-www-form-urlencoded")),
  put("/forms", "title=Emma&year=1815", type("application/x-www-form-urlencoded")),
  put("/forms", "title=Emma&year=x", type("application/x-www-form-urlencoded")),
  put("/forms", "year=1", type("application/x-www-form-urlencoded")),
  put("/forms", "title=%FF", type("application/x-www-form-urlencoded")),
  put("/forms", multipart(["title", "Emma"]), asForm),
  put("/forms", multipart(["title", "Emma"], ["year", "x"]), asForm),
  put("/forms", '{"title":"Emma"}'),
  get("/media"),
  get("/media", { accept: "text/html;q=0.5, text/csv;q=0.4" }),
  get("/media", { accept: "text/*" }),
  get("/media", { accept: "image/png" }),
  get("/media", { accept: "text/csv", "if-none-match": '"7~text/csv"' }),
  post("/media", '{"title":"a"}', { ...asJSON, accept: "application/pdf" }),
  post("/media", "a", { ...type("image/gif"), accept: "text/html" }),
  post("/media", "a", type("video/mp4")),
  ...["200", "201", "202", "204", "303", "500", "x"].flatMap((status) => [
    post(`/preferred/${status}`, undefined, {}),
    post(`/preferred/${status}`, undefined, { prefer: "return=minimal" }),
  ]),
  put("/required", '{"title":"a"}'),
  put("/required", '{"title":"a"}', { ...asJSON, "if-match": '"7"' }),
  put("/required", '{"title":"a"}', { ...asJSON, "if-match": '"6"' }),
  put("/required", `{"title":"${"x".repeat(60)}"}`, { ...asJSON, "if-match": '"7"' }),
  get("/at/list"),
  get("/at/one/1"),
  post("/at/list", undefined, {}),
  post("/at/one/1", undefined, {}),
  { method: "DELETE", path: "/at/list" },
  { method: "DELETE", path: "/at/one/1" },
  get("/secured", { "x-key": "k" }),
  post("/payments", '{"amount":7}'),
  post("/payments", '{"amount":7}', key("")),
  post("/payments", '{"amount":7}', key('"quoted"')),
  post("/payments", '{"amount":8}', key('"quoted"')),
  post("/payments", '{"amount":"x"}', key("k2")),
  post("/payments", '{"amount":2}', key("k2")),
  post("/payments", '{"amount":13}', key("k3")),
  post("/payments", '{"amount":13}', key("k3")),
  post("/payments", '{"amount":14}', key("k4")),
  post("/payments", '{"amount":14}', key("k4")),
  post("/payments", '{"amount":2}', { ...key("k5"), accept: "text/html" }),
  post("/payments", "x", { ...type("text/csv"), "idempotency-key": "k6" }),
  put("/payments", '{"amount":1}'),
  put("/payments", '{"amount":1}', key("k7")),
  put("/payments", '{"amount":1}', key("k7")),
  put("/payments", '{"amount":2}', key("k7")),
  post("/mail/none"),
  post("/mail/broken"),
  get("/session"),
  post("/session", '{"name":"Ada"}'),
  { ...get("/session"), isSigned: true },
  { ...put("/session", undefined, {}), isSigned: true },
  { ...get("/session"), isSigned: true },
  { method: "DELETE", path: "/session", isSigned: true },
  { ...get("/session"), isSigned: true },
  get("/session", { cookie: "__Host-session=x" }),
  get("/rooms/lobby"),
  get("/rooms/none"),
  post("/rooms/lobby", undefined, {}),
  ...["gone", "wrong", "stream", "redirect"].map((how) => get(`/native/${how}`)),
  { method: "HEAD", path: "/native/made" },
  { method: "OPTIONS", path: "/native/made" },
  get("/native/made", { "if-none-match": '"9"' }),
  post("/mounted/a", "x", type("text/plain")),
  { method: "HEAD", path: "/mounted/a" },
  { method: "PURGE", path: "/mounted/a" },
  get("/stripped/a/b?c"),
  get("/stripped"),
  get("/stripped/%FF"),
  ...["", "none.txt", "none", "sub/", "sub", "%2e%2e/x", "a%2Fb", "empty.txt", "app.js", ".env"].map((path) =>
    get(`/files/${path}`),
  ),
  get("/files/none", { accept: "text/html" }),
  get("/files/app.js", { "accept-encoding": "br" }),
  get("/files/poem.txt", { range: "bytes=99-" }),
  get("/files/poem.txt", { range: "bytes=0-1,3-4" }),
  get("/files/poem.txt", { range: "bytes=0-1", "if-range": '"x"' }),
  { method: "HEAD", path: "/files/poem.txt" },
  { method: "DELETE", path: "/files/poem.txt" },
];

/** Asked of an application that has documents of itself. */
export const askedOfDocuments = [
  get("/openapi.json"),
  get("/openapi.json", { accept: "application/yaml" }),
  { method: "HEAD", path: "/openapi.json" },
  get("/docs"),
  get("/asyncapi.json"),
  post("/openapi.json", "{}"),
];
