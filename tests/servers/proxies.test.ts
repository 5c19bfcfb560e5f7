// The files of docs/recipes/proxies.md, each run by its program where that is installed, in front of one application.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, type ClientHttp2Session, type OutgoingHttpHeaders } from "node:http2";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import { fileURLToPath } from "node:url";
import { csrf } from "fingerpost/middleware/csrf";
import { Application, Resource } from "fingerpost/modules/http.native.js";
import { upgrade } from "fingerpost/native/content";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { serve } from "fingerpost/node";
import { freePort, gate, portOf, turn } from "../support/sockets.ts";
import { tls } from "../support/tls.ts";

const page = readFileSync(fileURLToPath(new URL("../../docs/recipes/proxies.md", import.meta.url)), "utf8");

/** What is run, and how the file of the page becomes one for a test: other ports, the certificate of the tests. */
interface Proxy {
  readonly name: string;
  readonly version: string;
  readonly file: string;
  readonly changes: readonly (readonly [from: string, to: string])[];
  readonly around?: (folder: string) => readonly [before: string, after: string];
  command(path: string, folder: string): readonly string[];
}

const proxies: readonly Proxy[] = [
  {
    name: "nginx",
    version: "-v",
    file: "/etc/nginx/conf.d/api.conf",
    changes: [
      ["listen 443", "listen 127.0.0.1:PORT"],
      ["/etc/ssl/api.pem", "FOLDER/cert.pem"],
      ["/etc/ssl/api.key", "FOLDER/key.pem"],
    ],
    around: (folder) => [
      `daemon off; pid ${folder}/pid; user ${userInfo().username}; error_log stderr;
       events {} http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;`,
      "}",
    ],
    command: (path, folder) => ["-e", "stderr", "-p", folder, "-c", path],
  },
  {
    name: "caddy",
    version: "version",
    file: "/etc/caddy/Caddyfile",
    changes: [
      ["api.example.com {", "https://localhost:PORT {\n  bind 127.0.0.1\n  tls FOLDER/cert.pem FOLDER/key.pem"],
    ],
    around: () => ["{\n  admin off\n  auto_https disable_redirects\n}\n", ""],
    command: (path) => ["run", "--adapter", "caddyfile", "--config", path],
  },
  {
    name: "haproxy",
    version: "-v",
    file: "/etc/haproxy/haproxy.cfg",
    changes: [
      ["bind :443", "bind 127.0.0.1:PORT"],
      ["/etc/haproxy/api.pem", "FOLDER/both.pem"],
    ],
    command: (path) => ["-db", "-f", path],
  },
];

let served = gate();
let over = gate();

class Upload extends Resource {
  paths = ["/upload"];
  override async POST(request: Request): Promise<Response> {
    return new Response(String((await request.arrayBuffer()).byteLength));
  }
}
class Begun extends Resource {
  paths = ["/begun"];
  override async POST(request: Request): Promise<Response> {
    for await (const part of request.body!) served.open(void part);
    return new Response("whole");
  }
}
class Address extends Resource {
  paths = ["/address"];
  override GET(request: Request): Response {
    return new Response(request.headers.get("X-Forwarded-For"));
  }
}
class Events extends Resource {
  paths = ["/events"];
  override GET(): Response {
    const content = new ReadableStream<Uint8Array>({
      start(controller) {
        const send = (data: string): void => controller.enqueue(new TextEncoder().encode(`data: ${data}\n\n`));
        send("first");
        void served.opened.then(() => send("second"));
        void over.opened.then(() => {
          send("third");
          controller.close();
        });
      },
    });
    return new Response(content, { headers: { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" } });
  }
}
class Chat extends Resource {
  paths = ["/chat"];
  override GET(request: Request): Response {
    return upgrade(request, { message: (socket, message) => void socket.send(`heard ${String(message)}`) });
  }
}
const app = Application.builder().resources(Upload, Begun, Address, Events, Chat).middleware(csrf()).build();

describe.each(proxies)("$name with the file of the page", ({ name, version, file, changes, around, command }) => {
  const isThere = spawnSync(name, [version], { stdio: "ignore" }).status === 0;
  if (!isThere) console.warn(`There is no ${name}: its file is not tested`);

  describe.skipIf(!isThere)("in front of serve()", () => {
    const ends: (() => unknown)[] = [];
    let session: ClientHttp2Session;
    let authority: string;

    beforeAll(async () => {
      const folder = mkdtempSync(join(tmpdir(), `fingerpost-${name}-`));
      ends.push(() => rmSync(folder, { recursive: true }));
      const server = await serve(app, { port: 0, hostname: "127.0.0.1" });
      ends.push(() => server.close());
      const port = await freePort();
      authority = `localhost:${port}`;
      const block = page.split("```text\n").find((one) => one.startsWith(`# ${file}\n`))!;
      let config = block.slice(0, block.indexOf("```"));
      for (const [from, to] of [...changes, ["127.0.0.1:3000", `127.0.0.1:${portOf(server)}`]] as const) {
        expect(config).toContain(from);
        config = config.replace(from, to);
      }
      config = config.replaceAll("PORT", port).replaceAll("FOLDER", folder);
      const [before, after] = around?.(folder) ?? ["", ""];
      for (const [path, content] of Object.entries({
        "cert.pem": `${tls.cert}\n`,
        "key.pem": `${tls.key}\n`,
        "both.pem": `${tls.cert}\n${tls.key}\n`,
        config: `${before}${config}${after}`,
      }))
        writeFileSync(join(folder, path), content);
      const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
      const child = spawn(name, command(join(folder, "config"), folder), { env, stdio: ["ignore", "pipe", "pipe"] });
      let said = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (said += String(part)));
      const exited = once(child, "exit");
      ends.push(async () => {
        child.kill("SIGTERM");
        await exited;
      });
      while (!(await listensAt(Number(port)))) {
        if (child.exitCode !== null) throw new Error(said);
        await turn(20);
      }
      session = connect(`https://${authority}`, { ca: tls.cert });
      ends.push(() => session.destroy());
    }, 20_000);

    afterAll(async () => {
      for (const end of ends.toReversed()) await end();
    });

    const send = async (headers: OutgoingHttpHeaders, content?: Buffer): Promise<readonly [unknown, string]> => {
      const stream = session.request(headers);
      stream.end(content);
      const [fields] = (await once(stream, "response")) as [OutgoingHttpHeaders];
      return [fields[":status"], await text(stream)];
    };

    it("takes an upload of 20 MB by HTTP/2", async () => {
      expect(session.alpnProtocol ?? (await once(session, "connect"), session.alpnProtocol)).toBe("h2");
      const answer = await send({ ":path": "/upload", ":method": "POST" }, Buffer.alloc(20_000_000));
      expect(answer).toEqual([200, "20000000"]);
    });

    it("passes on content as it comes", async () => {
      served = gate();
      const stream = session.request({ ":path": "/begun", ":method": "POST" }).setEncoding("utf8");
      stream.write("part");
      await served.opened;
      stream.end();
      expect(await text(stream)).toBe("whole");
    });

    it("adds the client's address to what a client says it is", async () => {
      const [, addresses] = await send({ ":path": "/address", "x-forwarded-for": "192.0.2.1" });
      expect(addresses.split(", ").at(-1)).toBe("127.0.0.1");
    });

    it("passes on the host, by which csrf() knows pages of the site", async () => {
      const from = (origin: string) => send({ ":path": "/upload", ":method": "POST", origin }, Buffer.from("1"));
      expect((await from(`https://${authority}`))[0]).toBe(200);
      expect((await from("https://other.example"))[0]).toBe(403);
    });

    it("passes on events as they come", async () => {
      served = gate();
      over = gate();
      const stream = session.request({ ":path": "/events" }).setEncoding("utf8");
      const [first] = (await once(stream, "data")) as [string];
      expect(first).toBe("data: first\n\n");
      served.open();
      expect(await once(stream, "data")).toEqual(["data: second\n\n"]);
      over.open();
      expect(await text(stream)).toBe("data: third\n\n");
    });

    it("passes on WebSockets", async () => {
      const socket = new WebSocket(`wss://${authority}/chat`, { ca: tls.cert });
      await once(socket, "open");
      socket.send("hello");
      const [message] = (await once(socket, "message")) as [Buffer];
      expect(message.toString()).toBe("heard hello");
      socket.close();
      await once(socket, "close");
    });
  });
});

/** Returns whether something speaks TLS at a port. */
async function listensAt(port: number): Promise<boolean> {
  const socket = connectTls({ port, host: "127.0.0.1", servername: "localhost", ca: tls.cert });
  try {
    await once(socket, "secureConnect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
