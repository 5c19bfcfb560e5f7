import { once } from "node:events";
import { Agent, type IncomingMessage } from "node:http";
import { connect, Socket } from "node:net";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { ask, gate, native, polyfill, portOf, started, turn } from "../../../tests/support/sockets.ts";
import { serve } from "../node.ts";
import { ServerMessage } from "./server-message.ts";

const post = { method: "POST", headers: { "content-length": "4" } };

describe("ServerMessage", () => {
  it("does not end where nobody listens, and is let go of by its connection", async () => {
    const messages: IncomingMessage[] = [];
    const app = native(async (request) => new Response(await request.text()));
    const server = await started(app, { onRequest: (_, message) => void messages.push(message) });
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    await ask(server, { agent });
    expect((await ask(server, { agent, ...post }, "text")).text).toBe("text");
    expect(messages.map(({ readableEnded, closed }) => [readableEnded, closed])).toEqual([
      [true, false],
      [true, false],
    ]);
    const { socket } = messages[1]! as IncomingMessage & { socket: { parser?: { incoming: unknown } } };
    expect(socket.parser).toMatchObject({ incoming: null });
    expect(messages[0]!.socket).toBe(socket);
  });

  it.each(["on", "once", "addListener", "prependListener", "prependOnceListener"] as const)(
    "tells by %s() that it is over, before and after the answer",
    async (name) => {
      const heard: string[] = [];
      const over = gate();
      const server = await started(
        polyfill(async ({ request, response }) => {
          request[name]("end", () => heard.push("end"));
          request[name]("close", () => {
            heard.push("close");
            over.open();
          });
          await turn();
          response.end();
        }),
      );
      await ask(server);
      await over.opened;
      expect(heard).toEqual(["end", "close"]);

      const late: IncomingMessage[] = [];
      const other = await started(
        native(() => new Response()),
        { onRequest: (_, message) => void late.push(message) },
      );
      await ask(other);
      const closed = gate();
      late[0]![name]("close", () => closed.open());
      await closed.opened;
      expect(late[0]!.readableEnded).toBe(true);
    },
  );

  it.each([
    ["by iteration", (message: IncomingMessage) => text(message)],
    ["by a pipe", (message: IncomingMessage) => text(message.pipe(new PassThrough()))],
    [
      "by events",
      async (message: IncomingMessage) => {
        let read = "";
        message.on("data", (chunk: Buffer) => (read += chunk.toString()));
        await once(message, "end");
        return read;
      },
    ],
    [
      "by read()",
      async (message: IncomingMessage) => {
        let read = "";
        message.on("readable", () => {
          for (let chunk = message.read() as Buffer | null; chunk !== null; chunk = message.read() as Buffer | null)
            read += chunk.toString();
        });
        await once(message, "end");
        return read;
      },
    ],
  ])("gives its content to a handler %s, at once and later", async (_, read) => {
    let isLate = false;
    const server = await started(
      polyfill(async ({ request, response }) => {
        if (isLate) await turn(5);
        response.end(await read(request));
      }),
    );
    expect((await ask(server)).text).toBe("");
    expect((await ask(server, post, "text")).text).toBe("text");
    isLate = true;
    expect((await ask(server)).text).toBe("");
    expect((await ask(server, post, "text")).text).toBe("text");
  });

  it("lets content that nobody reads flow away, and the next request of the connection come", async () => {
    const server = await started(native((request) => new Response(request.method)));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const long = "x".repeat(200_000);
    const sent = { agent, method: "POST", headers: { "content-length": String(long.length) } };
    for (const content of ["text", long]) {
      const headers = { "content-length": String(content.length) };
      expect((await ask(server, { ...sent, headers }, content)).text).toBe("POST");
      expect((await ask(server, { agent })).text).toBe("GET");
    }
  });

  it.each(["read", "resume"] as const)("is over when %s() finds that nothing is left", async (name) => {
    const message = new ServerMessage(new Socket());
    message.push(null);
    expect(message.readableEnded).toBe(false);
    message[name]();
    expect(message.readableEnded).toBe(true);
    await once(message, "end");
    expect(message.readableEnded).toBe(true);
  });

  it("tells who has taken its content that nothing more will come", async () => {
    const message = new ServerMessage(new Socket());
    const ended = message.letEnd();
    message.destroy();
    await expect(ended).resolves.toBeUndefined();
  });

  it("tells of a client that leaves before the answer", async () => {
    const heard = gate<string>();
    const arrived = gate();
    const server = await serve(
      polyfill(({ request }) => {
        request.on("aborted", () => heard.open("aborted"));
        arrived.open();
        return new Promise(() => {});
      }),
      { port: 0, hostname: "127.0.0.1" },
    );
    onTestFinished(() => void server.close());
    const socket = connect(portOf(server), "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await arrived.opened;
    await turn();
    socket.destroy();
    expect(await heard.opened).toBe("aborted");
  });
});
