// Events over sockets of Node: clients that leave, that are slow, and a server that stops.
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { eventStream } from "../../src/content/events.ts";
import { Inbox } from "../../src/content/inbox.ts";
import {
  Application as NativeApplication,
  Middleware,
  Resource as NativeResource,
} from "../../src/modules/http.native.ts";
import { Application, events, Resource } from "../../src/modules/http.semantics.ts";
import type { ServeOptions } from "../../src/servers/node.ts";
import { begin, gate, portOf, started, turn } from "../support/sockets.ts";

const inbox = new Inbox<number>();

class Copied extends Middleware {
  ALL(request: Request): Response | Promise<Response> {
    return this.next(request, request.clone());
  }
}

class Native extends NativeResource {
  paths = ["/native"] as const;
  GET(request: Request): Response {
    return eventStream(request, (signal) => inbox.listen(signal));
  }
}

class Replaced extends Native {
  override paths = ["/replaced"] as never;
  static middleware = [Copied];
}

class Declared extends Resource {
  paths = ["/declared"] as const;
  static GET = { 200: events(z.int()) };
  override GET({ signal }: { readonly signal?: AbortSignal }): AsyncIterable<number> {
    return inbox.listen(signal) as never;
  }
}

const app = Application.builder().resources(Native, Replaced, Declared).build();
const paths = ["/native", "/replaced", "/declared"];

async function opened(server: Parameters<typeof begin>[0], path: string): Promise<IncomingMessage> {
  const [response] = (await once(begin(server, { path }).end(), "response")) as [IncomingMessage];
  // A test leaves by breaking off.
  return response.setEncoding("utf8").on("error", () => {});
}

/** Waits until as many listen. */
async function listeners(count: number): Promise<void> {
  for (let n = 0; n < 400 && inbox.listeners !== count; n++) await turn(5);
  expect(inbox.listeners).toBe(count);
}

describe("events over sockets", () => {
  for (const options of [{}, { lightRequests: false }] as const satisfies ServeOptions[]) {
    it(`E1 leave the inbox when the client leaves: ${JSON.stringify(options)}`, async () => {
      const server = await started(app, options);
      for (const path of paths) {
        const response = await opened(server, path);
        const [first] = (await once(response, "data")) as [string];
        expect(first).toMatch(/^retry: \d+\n\n$/);
        await listeners(1);
        inbox.send(7);
        expect((await once(response, "data"))[0]).toMatch(/^id: .+\ndata: 7\n\n$/);
        response.destroy();
        await listeners(0);
      }
    });

    it(`E6 end all when the server stops, long before its grace is over: ${JSON.stringify(options)}`, async () => {
      const stop = new AbortController();
      const server = await started(app, { signal: stop.signal, graceMs: 20_000, ...options });
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, at) => opened(server, paths[at % paths.length]!)),
      );
      const texts = answers.map((response) => text(response));
      await listeners(30);
      inbox.send(1);
      await turn(20);
      const from = performance.now();
      const closed = once(server, "close");
      stop.abort();
      await closed;
      expect(performance.now() - from).toBeLessThan(5_000);
      // Each was ended, and not broken off.
      for (const seen of await Promise.all(texts)) expect(seen).toMatch(/^retry: \d+\n\nid: .+\ndata: 1\n\n$/);
      await listeners(0);
    });
  }

  it("E6 ends a generator that waits for something else, as far as the client can see", async () => {
    class Stuck extends NativeResource {
      paths = ["/stuck"] as const;
      GET(request: Request): Response {
        return eventStream(request, async function* () {
          yield { data: 1 };
          await new Promise(() => {});
        });
      }
    }
    const stop = new AbortController();
    const stuck = NativeApplication.builder().resources(Stuck).build();
    const server = await started(stuck, { signal: stop.signal, graceMs: 20_000 });
    const response = await opened(server, "/stuck");
    await once(response, "data");
    const rest = text(response);
    stop.abort();
    await Promise.all([once(server, "close"), rest]);
  });

  it("E7 makes no events for a client that does not read, and leaves when it goes", async () => {
    let made = 0;
    const left = gate();
    class Flood extends NativeResource {
      paths = ["/flood"] as const;
      GET(request: Request): Response {
        return eventStream(request, async function* () {
          try {
            for (;;) {
              made++;
              yield { data: "x".repeat(10_000) };
            }
          } finally {
            left.open();
          }
        });
      }
    }
    const server = await started(NativeApplication.builder().resources(Flood).build());
    const socket = connect(portOf(server), "127.0.0.1");
    socket.pause();
    socket.write("GET /flood HTTP/1.1\r\nHost: h\r\n\r\n");
    const countOf = (): number => made;
    let before = -1;
    for (let n = 0; n < 100 && (countOf() === 0 || countOf() !== before); n++) {
      before = countOf();
      await turn(50);
    }
    // The kernel's buffers hold megabytes, and no more than that is made.
    expect(made).toBe(before);
    expect(made).toBeLessThan(5_000);
    socket.destroy();
    await left.opened;
  });
});
