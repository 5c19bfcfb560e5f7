// What tests that go over real sockets need: servers that end with the test, and a client that sends what it is told
// to.
import { once } from "node:events";
import { request, type ClientRequest, type IncomingHttpHeaders, type RequestOptions, type Server } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { serve, type NodeApplication, type NodeContext, type ServeOptions } from "../../src/servers/node.ts";

/** A response, read to its end. */
export interface Answer {
  readonly status: number | undefined;
  readonly reason: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request to a server, or to a port, and reads the response. */
export async function ask(
  to: Server | number,
  options: RequestOptions = {},
  content?: string | Buffer,
): Promise<Answer> {
  const [response] = await once(begin(to, options).end(content), "response");
  const { statusCode: status, statusMessage: reason, headers } = response;
  return { status, reason, headers, text: await text(response) };
}

/** Begins a request, on a connection of its own unless an agent is given. */
export function begin(to: Server | number, options: RequestOptions = {}): ClientRequest {
  return request({ host: "127.0.0.1", port: typeof to === "number" ? to : portOf(to), agent: false, ...options });
}

export function portOf(server: { address(): unknown }): number {
  return (server.address() as AddressInfo).port;
}

/**
 * A port for a process that takes its number, such as one in the environment. It is none of those that systems choose
 * for servers that ask for any (RFC 6335 §6): tests beside this one could get it before the process does.
 */
export async function freePort(): Promise<string> {
  const server = createServer().listen(12_000 + Math.floor(Math.random() * 18_000));
  try {
    await once(server, "listening");
  } catch {
    return freePort();
  }
  const port = portOf(server);
  await once(server.close(), "close");
  return String(port);
}

/** Serves an application until the test ends. */
export async function started(app: NodeApplication, options: ServeOptions = {}): Promise<Server> {
  return listening(await serve(app, { port: 0, hostname: "127.0.0.1", ...options }));
}

/** Has a server listen until the test ends. */
export async function listening(server: Server): Promise<Server> {
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  if (!server.listening) await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}

/** The least that is an application of the native chain. */
export function native(fetch: (request: Request) => Response | Promise<Response>): NodeApplication {
  return { fetch: async (input: Request) => fetch(input) };
}

/** The least that is an application of the polyfill chain. */
export function polyfill(handle: (context: NodeContext) => unknown): NodeApplication {
  return { handle: async (context: NodeContext) => handle(context) };
}

/** Content that fails halfway. */
export function failingContent(error: Error): ReadableStream {
  const half = new TextEncoder().encode("half");
  let pulls = 0;
  return new ReadableStream({
    async pull(controller) {
      await turn();
      if (pulls++ === 0) controller.enqueue(half);
      else controller.error(error);
    },
  });
}

/** A promise, and the function that fulfills it. */
export function gate<T = void>(): { readonly opened: Promise<T>; readonly open: (value: T) => void } {
  let open!: (value: T) => void;
  const opened = new Promise<T>((resolve) => (open = resolve));
  return { opened, open };
}

/** Lets everything else have its turn. */
export function turn(milliseconds = 0): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
