import { createServer } from "node:http";
import net from "node:net";
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
if (process.argv[2] !== "drive") {
  const mode = process.argv[2];
  const { listener } = await import("fingerpost/servers/node.js");
  const n = await import("fingerpost/modules/http.native.js");
  const p = await import("fingerpost/modules/http.polyfill.js");
  const srvx = await import("srvx");
  class N extends n.Resource {
    paths = ["/user/:id"];
    GET({ params }) {
      return new Response("id " + params.pathParam("id"), { headers: { "content-type": "text/plain" } });
    }
  }
  class F extends n.Resource {
    paths = ["/user/:id"];
    GET({ params }) {
      return new srvx.FastResponse("id " + params.pathParam("id"), { headers: { "content-type": "text/plain" } });
    }
  }
  class P extends p.Resource {
    paths = ["/user/:id"];
    GET({ params, response }) {
      response.setHeader("content-type", "text/plain");
      response.end("id " + params.pathParam("id"));
    }
  }
  const nat = (R) => n.Application.builder().resources(R).build();
  const h = {
    raw: (q, s) => {
      s.setHeader("content-type", "text/plain");
      s.end("id " + q.url.slice(6));
    },
    native: listener(nat(N)),
    nativeFast: listener(nat(F)),
    polyfill: listener(p.Application.builder().resources(P).build()),
    srvx: srvx.toNodeHandler?.(nat(F).fetch),
    srvxUndici: srvx.toNodeHandler?.(nat(N).fetch),
  }[mode];
  const { toNodeHandler } = await import("srvx/node");
  const handler = h ?? toNodeHandler(nat(mode === "srvx" ? F : N).fetch);
  const s = createServer(handler).listen(0, "127.0.0.1", () => process.send(s.address().port));
  process.on("message", () => process.send(process.cpuUsage()));
} else {
  const N = +process.argv[3] || 40000;
  const modes = ["raw", "polyfill", "srvx", "srvxUndici", "nativeFast", "native"];
  const best = {};
  for (let round = 0; round < 3; round++)
    for (const m of modes) {
      const c = fork(fileURLToPath(import.meta.url), [m]);
      const msg = () => new Promise((r) => c.once("message", r));
      const port = await msg();
      const run = (n) =>
        new Promise((res) => {
          let left = n,
            open = 8;
          for (let k = 0; k < 8; k++) {
            const s = net.connect(port, "127.0.0.1");
            let out = 0;
            const req = "GET /user/123 HTTP/1.1\r\nHost: localhost:3000\r\nAccept: */*\r\n\r\n".repeat(8);
            let buf = "";
            const go = () => {
              if (left <= 0) {
                s.destroy();
                if (--open === 0) res();
                return;
              }
              left -= 8;
              out = 8;
              s.write(req);
            };
            s.on("data", (d) => {
              buf += d.toString("latin1");
              let i;
              while ((i = buf.indexOf("id 123")) >= 0) {
                buf = buf.slice(i + 6);
                if (--out === 0) go();
              }
            });
            go();
          }
        });
      await run(N / 2);
      c.send(0);
      const a = await msg();
      await run(N);
      c.send(0);
      const b = await msg();
      const us = (b.user + b.system - (a.user + a.system)) / N;
      best[m] = Math.min(best[m] ?? 1e9, us);
      c.kill();
    }
  for (const m of modes)
    console.log(
      process.version,
      m.padEnd(11),
      best[m].toFixed(1),
      "us/request, over raw",
      (best[m] - best.raw).toFixed(1),
    );
}
