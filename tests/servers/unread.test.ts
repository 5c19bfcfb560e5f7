import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { HTTPError } from "../../src/http/http-error.ts";
import { Status } from "../../src/http/status.ts";
import type { NodeApplication } from "../../src/servers/node.ts";
import { http2Session } from "../support/http2.ts";
import { gate, native, polyfill, turn } from "../support/sockets.ts";

const statuses = [200, 201, 202, 204, 205, 206, 301, 303, 304, 307, 400, 404, 412, 413, 417, 500, 503];

/** Answers by the status that the path names, with or without content. */
const applications: readonly (readonly [string, NodeApplication])[] = [
  ["native", native(({ url }) => responseTo(url))],
  [
    "native, half read",
    native(async ({ url, body }) => {
      await body!.getReader().read();
      return responseTo(url);
    }),
  ],
  [
    "polyfill",
    polyfill(({ url, response }) => {
      response.statusCode = Number(url.slice(1, 4));
      response.end(url.endsWith("x") ? "x" : undefined);
    }),
  ],
  [
    "polyfill, half read",
    polyfill(async ({ url, request, response }) => {
      await once(request, "data");
      request.pause();
      response.statusCode = Number(url.slice(1, 4));
      response.end(url.endsWith("x") ? "x" : undefined);
    }),
  ],
  ["an error", polyfill(({ url }) => Promise.reject(new HTTPError(statusOf(url.slice(1, 4)))))],
];

function responseTo(url: string): Response {
  const [, status, content] = /\/(\d+)(x?)$/.exec(url)!;
  return new Response(content === "x" ? "x" : null, { status: Number(status) });
}

function statusOf(code: string): typeof Status.OK {
  return Object.values(Status).find(({ status }) => status === Number(code)) as typeof Status.OK;
}

const withoutContent = new Set([204, 205, 304]);

describe.each(applications)("an answer to an upload that nobody reads: %s", (_, app) => {
  it("RFC 9113 §8.1 closes the stream of HTTP/2, whatever the status is", async () => {
    const session = await http2Session(app, { onError: () => {} });
    const paths = statuses.flatMap((status) =>
      withoutContent.has(status) ? [`/${status}`] : [`/${status}`, `/${status}x`],
    );
    await Promise.all(
      [...paths, ...paths].map(async (path, at) => {
        const upload = session.request({ ":path": path, ":method": "PUT" });
        upload.write("x".repeat(1_000_000 / paths.length));
        // The other half is all there, and read by nobody either.
        if (at >= paths.length) upload.end();
        const closed = once(upload, "close");
        const [headers] = await once(upload, "response");
        expect(String(headers[":status"])).toBe(path.slice(1, 4));
        await text(upload);
        await closed;
        expect([path, upload.rstCode]).toEqual([path, 0]);
      }),
    );
    expect(session.destroyed).toBe(false);
  });
});

describe("an answer behind which a handler of the polyfill module reads on", () => {
  const received = gate<number>();
  const app = polyfill(({ request, response }) => {
    let bytes = 0;
    request.on("data", (chunk: Buffer) => (bytes += chunk.length));
    request.on("end", () => received.open(bytes));
    response.writeHead(202).end();
  });

  it("leaves the stream of HTTP/2 open for it", async () => {
    const session = await http2Session(app);
    const upload = session.request({ ":path": "/", ":method": "PUT" });
    upload.write("x".repeat(1000));
    const [headers] = await once(upload, "response");
    expect(headers[":status"]).toBe(202);
    await turn(1500);
    upload.end("x".repeat(1000));
    expect(await received.opened).toBe(2000);
  });
});
