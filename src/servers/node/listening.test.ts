import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, Server } from "node:http";
import { createServer as createSecureServer, request } from "node:https";
import { connect, createServer as createPlainServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ask, gate, listening, native, portOf, started, turn } from "../../../tests/support/sockets.ts";
import { tls } from "../../../tests/support/tls.ts";
import { serve } from "../node.ts";

const echo = native(({ url }) => new Response(url));

describe("serve() on a Unix socket", () => {
  it("answers there, and removes the file when it closes", async () => {
    const path = socketPath();
    const stop = new AbortController();
    const server = await serve(echo, { socketPath: path, signal: stop.signal });
    expect(server.address()).toBe(path);
    expect(await ask(server, { socketPath: path, path: "/a", headers: { host: "example.com" } })).toMatchObject({
      status: 200,
      text: "http://example.com/a",
    });
    stop.abort();
    await once(server, "close");
    await expect(serve(echo, { socketPath: path, signal: stop.signal })).rejects.toThrow("aborted");
    await listening(await serve(echo, { socketPath: path }));
  });

  it("sets no address of the client, which has none", async () => {
    const path = socketPath();
    const set = vi.fn<() => void>();
    await listening(await serve(echo, { socketPath: path, address: { set } }));
    expect((await ask(0, { socketPath: path })).status).toBe(200);
    expect(set).not.toHaveBeenCalled();
  });

  it("breaks off what was announced longer than it is", async () => {
    const path = socketPath();
    const content = (): ReadableStream =>
      new ReadableStream({
        async pull(controller) {
          await turn();
          controller.enqueue(new Uint8Array(1));
          controller.error(new Error("disk"));
        },
      });
    await listening(
      await serve(
        native(() => new Response(content())),
        { socketPath: path, onError: () => {} },
      ),
    );
    await expect(ask(0, { socketPath: path })).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  it("closes gracefully, also where a client does not begin to speak TLS", async () => {
    for (const server of [createServer(), createSecureServer(tls)]) {
      const path = socketPath();
      const stop = new AbortController();
      await serve(echo, { socketPath: path, server, signal: stop.signal, graceMs: 50 });
      const silent = connect(path).on("error", () => {});
      await Promise.all([once(silent.resume(), "connect"), once(server, "connection")]);
      stop.abort();
      await Promise.all([once(silent, "close"), once(server, "close")]);
    }
  });

  it("closes on a signal of the process, once, and leaves the second to the process", async () => {
    const path = socketPath();
    const counts = (): number[] => ["SIGUSR2", "SIGWINCH"].map((name) => process.listenerCount(name));
    const before = counts();
    const [server, other] = [createServer(), createServer()];
    await serve(echo, { socketPath: path, server, stopOn: ["SIGUSR2", "SIGWINCH"], graceMs: 50 });
    await serve(echo, { socketPath: socketPath(), server: other, stopOn: ["SIGWINCH"] });
    expect(counts()).toEqual([before[0]! + 1, before[1]! + 2]);
    const closed = once(server, "close");
    process.emit("SIGUSR2");
    expect(counts()).toEqual([before[0]!, before[1]! + 1]);
    await closed;
    await once(other.close(), "close");
    expect(counts()).toEqual(before);
  });

  it("answers over TLS, also when a stop destroys what is left", async () => {
    const path = socketPath();
    const stop = new AbortController();
    const [arrived, left] = [gate(), gate()];
    const app = native(({ signal }) => {
      signal.addEventListener("abort", () => left.open());
      arrived.open();
      return new Promise<never>(() => {});
    });
    const server = await serve(app, {
      socketPath: path,
      server: createSecureServer(tls),
      signal: stop.signal,
      graceMs: 50,
    });
    const exchange = request({ socketPath: path, ca: tls.cert, servername: "localhost", agent: false });
    const failed = once(exchange.end(), "error");
    failed.catch(() => {});
    await arrived.opened;
    stop.abort();
    await Promise.all([left.opened, once(server, "close"), failed]);
  });
});

describe("serve() on a file descriptor", () => {
  it("answers on a socket that the process was given", async () => {
    const folder = mkdtempSync(join(tmpdir(), "fingerpost-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const program = join(folder, "program.mjs");
    const contents = `
      import { serve } from ${JSON.stringify(fileURLToPath(new URL("../node.ts", import.meta.url)))};
      const fetch = ({ url }) => new Response(url);
      await serve({ fetch }, { fd: 3 });
    `;
    const common = { bundle: true, platform: "node", format: "esm", target: "node20" } as const;
    await build({ stdin: { contents, resolveDir: folder }, outfile: program, ...common });
    const host = createPlainServer().listen(0, "127.0.0.1");
    await once(host, "listening");
    // The descriptor that a supervisor of processes hands on. Nothing public shows its number.
    const { fd } = Reflect.get(host, "_handle") as { readonly fd: number };
    const child = spawn(process.execPath, [program], { stdio: ["ignore", "inherit", "inherit", fd] });
    onTestFinished(() => void child.kill());
    const port = portOf(host);
    // From here on, connections are the child's alone.
    host.close();
    const socket = connect(port, "127.0.0.1");
    socket.write("GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    expect(await text(socket)).toMatch(/http:\/\/h\/a$/);
  });

  it("rejects with what Node says of one that is none", async () => {
    const file = join(tmpdir(), `fingerpost-${process.pid}`);
    writeFileSync(file, "");
    onTestFinished(() => rmSync(file));
    await expect(serve(echo, { fd: 1_000_000 })).rejects.toMatchObject({ syscall: "listen" });
  });
});

describe("serve() where it cannot listen", () => {
  it("says that a port is taken, and what to set", async () => {
    const port = portOf(await started(echo));
    const failed = serve(echo, { port, hostname: "127.0.0.1" });
    await expect(failed).rejects.toThrow(
      `Cannot listen on port ${port}: another server listens there; set "port" to another port, or to 0 for a free one`,
    );
    await expect(failed).rejects.toMatchObject({ code: "EADDRINUSE", syscall: "listen", address: "127.0.0.1", port });
    await expect(failed).rejects.toHaveProperty("cause.code", "EADDRINUSE");
  });

  it("says that a port is not for this process, and what to set", async () => {
    const fault = Object.assign(new Error("listen EACCES"), { code: "EACCES", errno: -13, syscall: "listen" });
    const listen = vi.spyOn(Server.prototype, "listen").mockImplementation(function (this: Server) {
      queueMicrotask(() => this.emit("error", fault));
      return this;
    });
    onTestFinished(() => listen.mockRestore());
    await expect(serve(echo, { port: 80 })).rejects.toThrow(
      'Cannot listen on port 80: this process may not; set "port" to 1024 or more, or give the process the right',
    );
    await expect(serve(echo)).rejects.toMatchObject({ code: "EACCES", cause: fault, port: 3000 });
    listen.mockImplementation(function (this: Server) {
      queueMicrotask(() => this.emit("error", Object.assign(new Error("listen"), { code: "ENOTFOUND" })));
      return this;
    });
    await expect(serve(echo, { hostname: "nowhere.invalid" })).rejects.toThrow(/^listen$/);
  });

  it("says the same of a path", async () => {
    const path = socketPath();
    await listening(await serve(echo, { socketPath: path }));
    await expect(serve(echo, { socketPath: path })).rejects.toThrow(
      `Cannot listen on "${path}": another server listens there, or left the file; set "socketPath" to another path, ` +
        "or remove the file",
    );
    await expect(serve(echo, { socketPath: join(tmpdir(), "fingerpost-nowhere/app.sock") })).rejects.toThrow(
      'app.sock": its folder does not exist, or this process may not write there; set "socketPath" to another path',
    );
  });
});

/** A path for a Unix socket, in a folder that ends with the test. */
function socketPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "fingerpost-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "app.sock");
}
