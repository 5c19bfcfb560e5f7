import fc from "fast-check";
import { Application, Resource } from "fingerpost/modules/http.native.js";
import { describe, expect, it } from "vitest";
import { started } from "../support/sockets.ts";
import { exchange } from "../security/raw.ts";
import { runs } from "./runs.ts";

class Item extends Resource {
  override paths = ["/", "/:a/:b?", "/x/*"];
  override GET = async (request: Request): Promise<Response> => Response.json([request.url, await request.text()]);
  override POST = this.GET;
}
const app = Application.builder()
  .resources(Item)
  .onError(() => {})
  .build();

const line = fc
  .tuple(
    fc.constantFrom("GET", "POST", "HEAD", "OPTIONS", "TRACE", "CONNECT", "PURGE", "get", "", "G T", "PRI"),
    fc.oneof(
      fc.constantFrom("/", "/a", "*", "h:80", "http://h/a", "//a", "/%ff", "/%", "http://[::1/", "?", ""),
      fc.string({ unit: "binary-ascii" }),
    ),
    fc.constantFrom("HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/9.9", "", "http/1.1"),
  )
  .map((parts) => parts.join(" "));
const fields = fc.array(
  fc.oneof(
    fc.constantFrom(
      ...(
        "Host: h|Host:|Host: a b|Host: h/x|Content-Length: 3|Content-Length: -1|Content-Length: " +
        "99999999999999999999|Transfer-Encoding: chunked|Transfer-Encoding: gzip|Expect: 100-continue|Expect: " +
        "x|Connection: upgrade|Upgrade: h2c|Connection: close|X: \x00|: x| x|Content-Type: a/b"
      ).split("|"),
    ),
    fc.string({ unit: "binary-ascii", maxLength: 20 }),
  ),
  { maxLength: 5 },
);
const body = fc.oneof(
  fc.constantFrom("", "abc", "3\r\nabc\r\n0\r\n\r\n", "0\r\n\r\n", "zz\r\n", "\r\n\r\n"),
  fc.string({ maxLength: 10 }),
);

describe("any bytes on a connection", () => {
  it("C6.3 are answered by HTTP, or the connection is closed; the server goes on", async () => {
    const server = await started(app, { onError: () => {} });
    server.headersTimeout = server.requestTimeout = 1000;
    await fc.assert(
      fc.asyncProperty(line, fields, body, async (first, others, content) => {
        const text = [first, ...others, "Connection: close", "", content].join("\r\n");
        const answer = await exchange(server, text, true).catch((error: NodeJS.ErrnoException) => error.code ?? "");
        expect(answer).toMatch(/^(?:HTTP\/1\.1 \d{3} |ECONNRESET$|EPIPE$|$)/);
        expect(answer).not.toMatch(/\.[jt]s:\d|node:internal/);
      }),
      runs(100),
    );
    expect(await exchange(server, "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")).toMatch(
      /^HTTP\/1\.1 200 OK\r\n/,
    );
  });
});
