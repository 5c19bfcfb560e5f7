// Resources of the native module, by whose handlers a Request becomes a Response; and what is asked of them.
import { z } from "zod";
import { builtAround } from "./around.js";

const secret = `whsec_${btoa("a secret of exchanges, which is long")}`;
const order = { query: z.object({ copies: z.int().default(1) }), content: z.object({ item: z.string() }) };

/** An application of what native handlers do, with a row of around.js; `source` has the files that it serves. */
export function nativeApplication(modules, row, note, source) {
  const { native, semantics, lines, events, pages, uploads, files, sockets, idempotency, webhooks, after } = modules;
  const { Resource, Response: Light, HTTPError, Status } = native;
  const pagesOf = pages.pagesBy(z.object({ id: z.int() }), { limit: 1, secrets: [secret] });

  class Things extends Resource {
    paths = ["/things/:how", "/v:version(\\d+)/things/:how/:rest*"];
    GET({ params, url }) {
      const how = params.pathParam("how");
      if (how === "error") throw new Error("secret");
      if (how === "rejected") return Promise.reject(new Error("secret"));
      if (how === "thrown") throw { not: "an error" };
      if (how === "gone") throw new HTTPError(Status.Gone, "Withdrawn", { headers: { "X-Since": "1999" } });
      if (how === "unavailable") throw new HTTPError(Status.ServiceUnavailable, "secret");
      if (how === "redirected") throw new HTTPError(Status.SeeOther, "Elsewhere", { headers: { Location: "/" } });
      if (how === "nothing") return undefined;
      if (how === "text") return "text";
      if (how === "light") return new Light("light", { status: 201, headers: { "Content-Type": "text/x-light" } });
      if (how === "later") return Promise.resolve(Light.json({ a: 1 }));
      if (how === "bytes") return new Light(new Uint8Array([1, 2, 3]));
      if (how === "blob") return new Response(new Blob(["blob"], { type: "text/x-blob" }));
      if (how === "form") return new Response(new URLSearchParams({ a: "b" }));
      if (how === "stream") return new Response(streamOf(["one", "two"]));
      if (how === "broken") return new Response(streamOf(["one"], new Error("secret")));
      if (how === "empty") return new Light(null, Status.NoContent);
      if (how === "network") return Response.error();
      if (how === "cookies") return withCookies();
      if (how === "named") return new Response("named", { status: 299, statusText: "Some Reason" });
      if (how === "read") return readBefore();
      if (how === "url") return new Light(`${new URL(url).pathname} ${params.pattern} ${params.queryParam("q")}`);
      return new Light("thing", { headers: { ETag: '"7"', "Content-Length": "5" } });
    }
    async POST(request) {
      return new Light(`${request.headers.get("content-type")} ${await request.text()}`, { status: 201 });
    }
    HEAD() {
      return new Light(null, { headers: { "X-Head": "own" } });
    }
  }
  const withCookies = () => {
    const response = new Response("cookies");
    for (const value of ["a=1", "b=2"]) response.headers.append("Set-Cookie", value);
    return response;
  };
  const readBefore = async () => {
    const response = new Response("read");
    await response.text();
    return response;
  };

  class Orders extends Resource {
    paths = ["/orders"];
    async POST(request) {
      const { query, content } = await semantics.readInput(request, order);
      return Light.json(`${query.copies} ${content.item}`, Status.Created);
    }
  }
  class Lines extends Resource {
    paths = ["/lines"];
    GET(request) {
      return lines.lineStream(request, async function* () {
        yield { id: 1 };
        yield { id: 2 };
      });
    }
    async POST(request) {
      let count = 0;
      for await (const { id } of lines.linesOf(request, { maxBytes: 100 })) count += id;
      return Light.json({ count });
    }
  }
  class Events extends Resource {
    paths = ["/events"];
    GET(request) {
      return events.eventStream(request, async function* () {
        yield { event: "left", data: { left: 2 } };
        yield { id: "7", data: "Liftoff" };
      });
    }
  }
  class Pages extends Resource {
    paths = ["/pages"];
    async GET(request) {
      const { after: last, limit } = await pagesOf.read(request);
      const items = [1, 2, 3].filter((id) => id > (last?.id ?? 0)).map((id) => ({ id }));
      const next = items.length > limit ? { id: items[limit - 1].id } : null;
      const { content, headers } = await pagesOf.write(request, { items: items.slice(0, limit), next });
      return Light.json(content, { headers });
    }
  }
  class Uploads extends Resource {
    paths = ["/uploads"];
    async POST(request) {
      const said = [];
      for await (const part of uploads.partsOf(request, { maxFileBytes: 20 })) {
        if (part.fileName === undefined) said.push([part.name, await part.text()]);
        else {
          const { bytes: _bytes, ...stored } = await part.store(uploads.memory(), { types: ["image/*"] });
          said.push([part.name, stored]);
        }
      }
      return Light.json(said);
    }
  }
  class Sent extends Resource {
    paths = ["/sent/:name"];
    async GET(request) {
      const name = request.params.pathParam("name");
      const stored = await source.find([name], null);
      return files.fileResponse(request, stored, { download: `${name}.txt`, headers: { "X-Sent": "yes" } });
    }
  }
  class Echo extends Resource {
    paths = ["/echo"];
    GET(request) {
      const handlers = { message: (peer, message) => peer.send(message) };
      return sockets.upgrade(request, handlers, { maxBytes: 100 });
    }
  }
  let paid = 0;
  class Payments extends Resource {
    paths = ["/payments"];
    static middleware = [
      idempotency
        .idempotency({ store: idempotency.memoryRecords(), ownerOf: () => "everyone", required: true })
        .on("POST"),
    ];
    async POST(request) {
      const { amount } = await request.json();
      if (amount === 13) throw new HTTPError(Status.Conflict, "Too late");
      return Light.json({ paid: (paid += amount) }, { status: 201, headers: { "X-Paid": "yes" } });
    }
  }
  class Hooks extends Resource {
    paths = ["/hooks"];
    static middleware = [
      webhooks.verifyWebhook({ scheme: "standard", secrets: [secret], store: idempotency.memoryRecords() }),
    ];
    async POST(request) {
      return new Light(await request.text());
    }
  }
  class Mail extends Resource {
    paths = ["/mail"];
    POST(request) {
      after.after(request, () => note("mailed"));
      return new Light(null, Status.Accepted);
    }
  }
  const classes = [Things, Orders, Lines, Events, Pages, Uploads, Sent, Echo, Payments, Hooks, Mail];
  return builtAround(native, classes, row, note);
}

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

const asJSON = { "content-type": "application/json" };
const get = (path, headers = {}) => ({ method: "GET", path, headers });
const post = (path, body, headers = asJSON) => ({ method: "POST", path, body, headers });
const part = (name, content, file) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${file === undefined ? "" : `; filename="${file}"`}\r\n\r\n` +
  `${content}\r\n`;
const asForm = { "content-type": "multipart/form-data; boundary=b" };
const hook = async (id, body, seconds = Date.now() / 1000) => {
  const key = await crypto.subtle.importKey(
    "raw",
    new TextEncoder().encode(atob(secret.slice(6))),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const signed = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(`${id}.${seconds}.${body}`));
  const signature = `v1,${btoa(String.fromCharCode(...new Uint8Array(signed)))}`;
  const headers = { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": signature };
  return post("/hooks", body, { ...asJSON, ...headers });
};

/** What is asked around everything. */
export const asked = [
  ...[
    ...["made", "error", "rejected", "thrown", "gone", "unavailable", "redirected", "nothing", "text", "light"],
    ...["later", "bytes", "blob", "form", "stream", "broken", "empty", "cookies", "named", "read"],
  ].map((how) => get(`/things/${how}`)),
  get("/v2/things/url/a%20b/c?q=1&q=2"),
  get("/things/made", { "if-none-match": '"7"' }),
  get("/nowhere"),
  { method: "HEAD", path: "/things/made" },
  { method: "OPTIONS", path: "/things/made" },
  { method: "PUT", path: "/things/made", body: "x" },
  { method: "PURGE", path: "/things/made" },
  post("/things/made", "some content", { "content-type": "text/plain" }),
  post("/orders?copies=2", '{"item":"tea"}'),
  post("/orders?copies=x", '{"item":"tea"}'),
  post("/orders", '{"item":5}'),
  get("/lines"),
  get("/events"),
  get("/pages?limit=2"),
  get("/sent/poem.txt"),
  get("/echo"),
  { ...post("/payments", '{"amount":7}'), headers: { ...asJSON, "idempotency-key": "k1" } },
  { ...post("/payments", '{"amount":7}'), headers: { ...asJSON, "idempotency-key": "k1" } },
  post("/mail"),
  await hook("msg_1", '{"a":1}'),
  await hook("msg_1", '{"a":1}'),
];

/** What is asked without anything around, beside that. */
export const askedAlone = [
  get("/things/network"),
  get("/things/%FF"),
  get("/things/"),
  get("//things/made"),
  get("/things/made/"),
  get("/v2x/things/made"),
  get("/v2/things/url"),
  { method: "HEAD", path: "/lines" },
  { method: "HEAD", path: "/nowhere" },
  { method: "get", path: "/things/made" },
  { method: "made", path: "/things/made" },
  post("/orders", "x", { "content-type": "text/plain" }),
  post("/orders", "{"),
  post("/orders", ""),
  ...['{"id":1}\n{"id":2}\n', '{"id":1}\n{', "x".repeat(101), ""].map((body) =>
    post("/lines", body, { "content-type": "application/jsonl" }),
  ),
  post("/lines", "{}"),
  get("/lines", { accept: "application/x-ndjson" }),
  get("/pages"),
  get("/pages?limit=x"),
  get("/pages?cursor=1.x"),
  ...[
    `${part("caption", "Ada")}${part("cover", "GIF89a", "a.gif")}--b--\r\n`,
    `${part("cover", "<svg>", "a.svg")}--b--\r\n`,
    `${part("cover", "GIF89a".padEnd(21), "a.gif")}--b--\r\n`,
    part("caption", "Ada"),
    "x",
  ].map((body) => post("/uploads", body, asForm)),
  post("/uploads", "{}"),
  get("/sent/none.txt"),
  get("/sent/poem.txt", { range: "bytes=0-1" }),
  get("/sent/poem.txt", { range: "bytes=90-" }),
  { method: "POST", path: "/echo" },
  post("/payments", '{"amount":7}'),
  { ...post("/payments", '{"amount":8}'), headers: { ...asJSON, "idempotency-key": "k1" } },
  { ...post("/payments", '{"amount":13}'), headers: { ...asJSON, "idempotency-key": "k2" } },
  { ...post("/payments", '{"amount":13}'), headers: { ...asJSON, "idempotency-key": "k2" } },
  { ...post("/payments", "{"), headers: { ...asJSON, "idempotency-key": "k3" } },
  await hook("msg_2", '{"a":1}', 0),
  { ...(await hook("msg_3", '{"a":1}')), body: '{"a":2}' },
  post("/hooks", "{}"),
];
