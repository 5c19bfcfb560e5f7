// Servers in a process of their own, to whose objects a test adds properties. It is told by lines what to add: no
// message of Node's own survives what it is told.
import { writeSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import type { AddressInfo, Server } from "node:net";
import { Application as Native, Resource as NativeResource } from "../../src/modules/http.native.ts";
import { Application as Polyfill, Resource as PolyfillResource } from "../../src/modules/http.polyfill.ts";
import { listener, type NodeContext } from "../../src/servers/node.ts";
import { payloads } from "../security/pollution.ts";

class NativeItems extends NativeResource {
  paths = ["/items"];
  GET(request: Request): Response {
    return new Response(`${request.url.slice(-6)} ${request.headers.get("x-a")}`, { headers: { "x-b": "2" } });
  }
  async PUT({ body }: Request): Promise<Response> {
    const reader = body!.getReader();
    let bytes = 0;
    for (let read = await reader.read(); !read.done; read = await reader.read()) bytes += read.value.byteLength;
    return new Response(`${bytes} bytes`);
  }
  async POST(request: Request): Promise<Response> {
    return new Response(await request.text());
  }
  PATCH(request: Request): Response {
    let left = 3;
    const pull = async (controller: ReadableStreamDefaultController): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 2));
      if (left-- === 0 || request.signal.aborted) controller.close();
      else controller.enqueue(new TextEncoder().encode("part"));
    };
    return new Response(new ReadableStream({ pull }));
  }
  DELETE(): Response {
    throw new Error("secret");
  }
}

class PolyfillItems extends PolyfillResource {
  paths = ["/items"];
  GET({ request, response }: NodeContext): unknown {
    return response.setHeader("x-b", "2").end(`/items ${request.headers["x-a"]}`);
  }
  POST({ request, response }: NodeContext): unknown {
    return request.pipe(response);
  }
  DELETE(): unknown {
    throw new Error("secret");
  }
}

const options = { onError: (): void => {} };
const native = listener(
  Native.builder()
    .resources(NativeItems)
    .onError(() => {})
    .build(),
  options,
);
const polyfill = listener(Polyfill.builder().resources(PolyfillItems).build(), options);

/** What Node does alone under the same conditions, its own classes for requests and responses included. */
async function plain(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === "POST") return void request.pipe(response);
  request.resume();
  let text: string;
  try {
    const headers = new Headers([["x-b", "2"]]);
    const { signal } = new AbortController();
    const body = new ReadableStream({ pull: (controller) => (controller.enqueue(bytes), controller.close()) });
    const init = { method: "PUT", headers, signal, body, duplex: "half" };
    const { body: stream } = new Response(await new Request("http://h/", init as RequestInit).text(), { headers });
    const { value, done } = await stream!.getReader().read();
    const own = ["host", "content-length"].map((name) => Object.hasOwn(request.headers, name));
    text =
      `${own} ${await new Response("text").text()} ${signal.aborted} ${done} ${new TextDecoder().decode(value)} ` +
      `${[...headers].length}`;
  } catch (error) {
    text = String(error);
  }
  response.setHeader("x-b", "2");
  response.write(text);
  setTimeout(() => response.end("part"), 1);
}
const bytes = new TextEncoder().encode("bytes");

const surfaced: string[] = [];
for (const event of ["uncaughtException", "unhandledRejection"])
  process.on(event, (error: unknown) => void surfaced.push(String((error as Error)?.stack ?? error)));

const servers: readonly Server[] = [plain, native, polyfill].flatMap((listen) => [
  createServer(listen as never),
  createHttp2Server(listen as never),
]);
await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))));

let name: string | undefined;
let line = "";
process.stdin.on("data", (chunk) => {
  line += String(chunk);
  if (!line.endsWith("\n")) return;
  const [added, kind] = line.trim().split(" ", 2) as [string, string];
  line = "";
  if (name !== undefined) delete (Object.prototype as Record<string, unknown>)[name];
  const seen = surfaced.splice(0).join(" ");
  name = added === "-" ? undefined : added;
  writeSync(1, `${JSON.stringify(seen)}\n`);
  if (name !== undefined) {
    const value = payloads[kind.replaceAll("_", " ")];
    // oxlint-disable-next-line no-extend-native -- the subject of this test
    Object.defineProperty(Object.prototype, name, { value, writable: true, configurable: true, enumerable: true });
  }
});
process.stdin.on("end", () => process.exit());
writeSync(1, `${JSON.stringify(servers.map((server) => (server.address() as AddressInfo).port))}\n`);
