// One server that takes content without holding it, and sends as much: a PUT is answered with how many bytes came, a
// GET with as many as its query asks for.
import { createServer } from "node:http";
import { serve } from "../../dist/servers/node.js";
import { Application, bytes, Resource, text } from "../../dist/modules/http.semantics.js";

const largest = 2 ** 40;
const chunk = new Uint8Array(65_536);

async function sizeOf(stream) {
  let size = 0;
  for await (const part of stream) size += part.length;
  return size;
}

/** Content of so many bytes, in chunks of which each has a buffer of its own or not, as its server allows. */
function contentOf(size) {
  let left = size;
  return new ReadableStream(
    {
      pull(controller) {
        if (left === 0) return controller.close();
        const part = left < chunk.length ? chunk.subarray(0, left) : chunk;
        left -= part.length;
        controller.enqueue(part);
      },
    },
    { highWaterMark: 0 },
  );
}

const sizeAsked = (url) => Number(new URL(url, "http://localhost").searchParams.get("size"));

const servers = {
  /** What anybody would write for node:http. */
  async bare() {
    return createServer((request, response) => {
      if (request.method === "PUT") {
        let size = 0;
        request.on("data", (part) => (size += part.length));
        request.on("end", () => response.setHeader("content-type", "text/plain;charset=utf-8").end(String(size)));
        return;
      }
      let left = sizeAsked(request.url);
      response.setHeader("content-type", "application/octet-stream");
      const write = () => {
        while (left > 0) {
          const part = left < chunk.length ? chunk.subarray(0, left) : chunk;
          left -= part.length;
          if (!response.write(part)) return void response.once("drain", write);
        }
        response.end();
      };
      write();
    }).listen(0, "127.0.0.1");
  },
  async fingerpost() {
    class Content extends Resource {
      paths = ["/"];
      static PUT = { content: bytes("application/octet-stream", { maxBytes: largest, stream: true }), 200: text() };
      async PUT({ content }) {
        return String(await sizeOf(content));
      }
      static GET = { 200: bytes() };
      GET({ request }) {
        return contentOf(sizeAsked(request.url));
      }
    }
    return serve(Application.builder().resources(Content).build(), { port: 0 });
  },
  async hono() {
    const { Hono } = await import("hono");
    const { serve: serveHono } = await import("@hono/node-server");
    const app = new Hono();
    app.put("/", async (c) => c.text(String(await sizeOf(c.req.raw.body))));
    app.get("/", (c) => c.body(contentOf(sizeAsked(c.req.url)), 200, { "content-type": "application/octet-stream" }));
    return serveHono({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
  },
};

const server = await servers[process.argv[2]]();
process.on("message", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  process.send({ cpu: userCPUTime + systemCPUTime, user: userCPUTime, rss: maxRSS });
});
process.on("disconnect", () => process.exit());
if (!server.listening) await new Promise((resolve) => server.once("listening", resolve));
process.send(server.address().port);
