import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { Application, Resource } from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { portOf, started, turn } from "../../../tests/support/sockets.ts";
import { HTTPError } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import type { NodeApplication, NodeContext, ServeOptions } from "../node.ts";

const readers: Record<string, (request: Request) => Promise<unknown>> = {
  text: (request) => request.text(),
  json: (request) => request.json(),
  formData: (request) => request.formData(),
  body: (request) => request.body!.pipeTo(new WritableStream()),
  clone: (request) => request.clone().blob(),
};

/** Sends the beginning of content, and then ends the connection in some way. */
async function breakOff(
  app: NodeApplication,
  options: ServeOptions,
  [field, content]: readonly [string, string],
  how: (socket: ReturnType<typeof connect>) => unknown,
): Promise<string> {
  const socket = connect(portOf(await started(app, options)), "127.0.0.1").on("error", () => {});
  const received = text(socket).catch(() => "");
  socket.write(
    `POST /items HTTP/1.1\r\nHost: h\r\nContent-Type: multipart/form-data; boundary=x\r\n${field}\r\n\r\n${content}`,
  );
  await turn(30);
  how(socket);
  if (!socket.destroyed) await once(socket, "close");
  await turn(30);
  return received;
}

const half = ["Content-Length: 100", "--x\r\n"] as const;
const chunk = ["Transfer-Encoding: chunked", "5\r\n--x\r\n\r\n"] as const;

function errorsOf(read: (request: Request) => Promise<unknown>) {
  const errors: unknown[] = [];
  const signals: AbortSignal[] = [];
  class Items extends Resource {
    override paths = ["/items"];
    override async POST(request: Request): Promise<Response> {
      signals.push(request.signal);
      await read(request);
      return new Response("whole");
    }
  }
  const quiet = Application.builder().resources(Items).build();
  const app = Application.builder()
    .resources(Items)
    .onError((error) => void errors.push(error))
    .build();
  return { app, quiet, errors, signals };
}

function printing() {
  const printed = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => printed.mockRestore());
  return printed;
}

/** Throws an error again as the cause of the cause of another one. */
function rethrown(error: unknown): never {
  throw new Error("Cannot import", { cause: new Error("Cannot read", { cause: error }) });
}

const left = new TypeError("Cannot read the content of the request: the client has left");

describe.each([true, false])("content that breaks off, lightRequests: %o", (lightRequests) => {
  it.each(Object.keys(readers))(
    "C7.5 fails %s() because of the reason of the signal when the client leaves",
    async (name) => {
      const { app, errors, signals } = errorsOf(readers[name]!);
      await breakOff(app, { lightRequests }, half, (socket) => socket.destroy());
      expect(errors).toEqual([expect.objectContaining({ message: left.message, cause: signals[0]!.reason })]);
      expect(signals[0]!.reason).toMatchObject({ name: "AbortError" });
    },
  );

  it.each(Object.keys(readers))("C7.5 has nothing logged of %s() by default", async (name) => {
    const printed = printing();
    const { quiet } = errorsOf(readers[name]!);
    await breakOff(quiet, { lightRequests }, half, (socket) => socket.destroy());
    await breakOff(quiet, { lightRequests }, half, (socket) => socket.end());
    expect(await breakOff(quiet, { lightRequests }, chunk, (socket) => socket.write("zz\r\n"))).toMatch(
      /^HTTP\/1.1 400 /,
    );
    expect(printed.mock.calls).toEqual([]);
  });

  it("C7.5 has nothing logged by default where a handler wraps the error", async () => {
    const printed = printing();
    const { quiet } = errorsOf((request) => request.text().catch(rethrown));
    await breakOff(quiet, { lightRequests }, half, (socket) => socket.destroy());
    expect(printed.mock.calls).toEqual([]);
  });

  it("C7.5 says so when chunks are malformed", async () => {
    const { app, errors } = errorsOf(readers["text"]!);
    await breakOff(app, { lightRequests }, chunk, (socket) => socket.write("zz\r\n"));
    const message = "Cannot read the content of the request: its chunks are malformed";
    expect(errors).toEqual([new HTTPError(Status.BadRequest, message)]);
  });

  it("C7.5 says so when content takes too long", async () => {
    const { app, errors } = errorsOf(readers["text"]!);
    const server = createServer({ requestTimeout: 60, headersTimeout: 50, connectionsCheckingInterval: 20 });
    expect(await breakOff(app, { lightRequests, server }, half, () => {})).toMatch(/^HTTP\/1.1 408 /);
    const message = "Cannot read the content of the request: it took longer than the server allows";
    expect(errors).toEqual([new HTTPError(Status.RequestTimeout, message)]);
  });
});

describe("content of a context that breaks off", () => {
  function appFor(fail: (error: unknown) => never) {
    class Items extends polyfill.Resource {
      override paths = ["/items"];
      override async POST({ request, response }: NodeContext): Promise<unknown> {
        return response.end(await text(request).catch(fail));
      }
    }
    return polyfill.Application.builder().resources(Items).build();
  }

  it("C7.5 has nothing logged by default", async () => {
    const printed = printing();
    const app = appFor((error) => {
      throw error;
    });
    await breakOff(app, {}, half, (socket) => socket.destroy());
    await breakOff(app, {}, chunk, (socket) => socket.write("zz\r\n"));
    expect(printed.mock.calls).toEqual([]);
  });

  it("C7.5 has nothing logged by default where a handler wraps the error", async () => {
    const printed = printing();
    await breakOff(appFor(rethrown), {}, half, (socket) => socket.destroy());
    expect(printed.mock.calls).toEqual([]);
  });

  it("C7.5 has another error logged", async () => {
    const printed = printing();
    const error = new RangeError("mine");
    await breakOff(
      appFor(() => {
        throw error;
      }),
      {},
      half,
      (socket) => socket.destroy(),
    );
    expect(printed.mock.calls).toEqual([["%s:", 'POST "/items" at "/items" of Items', error]]);
  });
});
