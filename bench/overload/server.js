// A server of which each request waits for 5 ms and computes for 1 ms. It is given its name, and what it may take on.
import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";

const [name, limit] = process.argv.slice(2);
/** As many rounds as take a millisecond here, so that machines differ little. */
const rounds = calibrated();

/** What a handler does: it asks something, and makes an answer of it. */
function answer() {
  return wait(5).then(computed);
}

function computed() {
  return hashed(rounds);
}

function hashed(times) {
  let text = "";
  for (let i = 0; i < times; i++) text = createHash("sha256").update(text).digest("hex");
  return text;
}

function calibrated() {
  const times = 2_000;
  let best = Infinity;
  for (let i = 0; i < 50; i++) {
    const from = performance.now();
    hashed(times);
    best = Math.min(best, performance.now() - from);
  }
  return Math.round(times / best);
}

const servers = {
  async fingerpost() {
    const { Application, Resource, text } = await import("../../dist/modules/http.semantics.js");
    const { serve } = await import("../../dist/servers/node.js");
    class Work extends Resource {
      paths = ["/"];
      static GET = { 200: text() };
      GET() {
        return answer();
      }
    }
    const app = Application.builder().resources(Work).build();
    const [option, value] = (limit ?? "").split("=");
    const server = await serve(app, { port: 0, hostname: "127.0.0.1", ...(value && { [option]: Number(value) }) });
    server.keepAliveTimeout = 300_000;
    return server.address().port;
  },
  async fastify() {
    const { default: fastify } = await import("fastify");
    const app = fastify({ keepAliveTimeout: 300_000 });
    if (limit !== undefined) {
      const { default: underPressure } = await import("@fastify/under-pressure");
      const [option, value] = limit.split("=");
      await app.register(underPressure, { [option]: Number(value), retryAfter: 1 });
    }
    app.get("/", answer);
    await app.listen({ port: 0, host: "127.0.0.1" });
    return app.server.address().port;
  },
};

process.send(await servers[name]());
process.on("message", () => process.send(process.memoryUsage.rss()));
