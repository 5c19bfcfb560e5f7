// Content that means harm is refused by a clear 4xx, over `app.fetch` and over sockets, and nothing of it comes back.
import { describe, expect, it } from "vitest";
import { rawAnswerOf } from "../support/raw-answer.ts";
import { started } from "../support/sockets.ts";
import { contentApplication } from "./hostile-content-application.ts";
import { hostileContents, secret, type HostileContent } from "./hostile-content.ts";
import { exchange } from "./raw.ts";

const refused: unknown[] = [];
const app = contentApplication((error) => void refused.push(error));

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

function head({ to, headers }: HostileContent, ...lines: readonly string[]): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const all = [`POST /${to} HTTP/1.1`, "Host: localhost", "Connection: close", ...fields, ...lines];
  return `${all.join("\r\n")}\r\n\r\n`;
}

function chunked(content: Uint8Array): string {
  const text = latin1(content);
  const chunks = text.match(/[^]{1,65536}/g) ?? [];
  return [...chunks, ""].map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join("");
}

function expectRefusal(row: HostileContent, status: number, type: string | null, text: string): void {
  expect(status, row.because).toBe(row.status);
  expect(type).toBe("application/problem+json");
  const problem = JSON.parse(text) as Readonly<Record<string, unknown>>;
  expect(problem["status"]).toBe(row.status);
  expect(text).not.toContain(secret);
  expect(text.length).toBeLessThan(2000);
  if (row.status === 422) expect(problem["errors"]).not.toEqual([]);
}

describe("hostile content", () => {
  it.each(hostileContents)("is refused over app.fetch: $because", async (row) => {
    const input = new Request(`http://localhost/${row.to}`, {
      method: "POST",
      headers: row.headers,
      body: row.content,
    });
    const response = await app.fetch(input);
    expectRefusal(row, response.status, response.headers.get("content-type"), await response.text());
  });

  it.each(hostileContents)("is refused as a stream without a length: $because", async (row) => {
    const body = new ReadableStream({
      start(controller) {
        for (let at = 0; at < row.content.length; at += 65_536) controller.enqueue(row.content.slice(at, at + 65_536));
        controller.close();
      },
    });
    const init = { method: "POST", headers: row.headers, body, duplex: "half" };
    const response = await app.fetch(new Request(`http://localhost/${row.to}`, init as RequestInit));
    expectRefusal(row, response.status, response.headers.get("content-type"), await response.text());
  });

  it("is refused over sockets, with a length and in chunks", async () => {
    const server = await started(app);
    for (const row of hostileContents) {
      for (const bytes of [
        head(row, `Content-Length: ${row.content.length}`) + latin1(row.content),
        head(row, "Transfer-Encoding: chunked") + chunked(row.content),
      ]) {
        const { status, field, text } = rawAnswerOf(await exchange(server, bytes));
        expectRefusal(row, status, field("content-type"), text);
      }
    }
  });

  it("changes no prototype", () => {
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });

  it("is none of the server's faults", () => {
    const faults = refused.filter((error) => !((error as { status?: number }).status! < 500));
    expect(faults).toEqual([]);
    expect(refused.length).toBeGreaterThan(hostileContents.length * 2);
  });
});

describe("a length that lies", () => {
  const start = "POST /json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n";
  const content = '{"text":"a"}';

  it.each([
    ["negative", "Content-Length: -1\r\n"],
    ["no number", "Content-Length: x\r\n"],
    ["signed", "Content-Length: +12\r\n"],
    ["hexadecimal", "Content-Length: 0xc\r\n"],
    ["a list", "Content-Length: 12, 12\r\n"],
    ["two fields", "Content-Length: 12\r\nContent-Length: 13\r\n"],
    ["one beside chunks", "Content-Length: 12\r\nTransfer-Encoding: chunked\r\n"],
    ["beyond what can be counted", `Content-Length: ${"9".repeat(30)}\r\n`],
  ])("is 400 where it is %s", async (_what, lines) => {
    const server = await started(app);
    expect(await exchange(server, `${start}${lines}\r\n${content}`, true)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it("is 413 where it is more than the bound, before any content comes", async () => {
    const server = await started(app);
    expect(await exchange(server, `${start}Content-Length: 1048577\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /);
  });

  it("is 400 where it is less than the content: what is left over is no request", async () => {
    const server = await started(app);
    const answers = await exchange(
      server,
      `${start.replace("Connection: close\r\n", "")}Content-Length: 5\r\n\r\n${content}`,
    );
    expect(answers.match(/HTTP\/1\.1 \d+/g)).not.toContain("HTTP/1.1 200");
    expect(answers).toMatch(/^HTTP\/1\.1 400 /);
  });

  it("is no answer but 400 where the client ends before that many bytes", async () => {
    const server = await started(app);
    const answer = await exchange(server, `${start}Content-Length: 100\r\n\r\n${content}`, true);
    expect(answer).toMatch(/^(?:HTTP\/1\.1 400 |$)/);
  });

  it.each(["5", "0", "-1", "x", "1048576"])(
    "of %s does not cut content that `fetch` was given whole",
    async (length) => {
      const headers = { "content-type": "application/json", "content-length": length };
      const response = await app.fetch(
        new Request("http://localhost/json", { method: "POST", headers, body: content }),
      );
      expect([response.status, await response.text()]).toEqual([200, "text"]);
    },
  );

  it("is 400 where a stream fails before its end", async () => {
    const body = new ReadableStream({
      pull: (controller) => controller.error(new Error(`${secret}: the connection is gone`)),
    });
    const init = { method: "POST", headers: { "content-type": "application/json" }, body, duplex: "half" };
    const response = await app.fetch(new Request("http://localhost/json", init as RequestInit));
    expect(response.status).toBe(400);
    expect(await response.text()).not.toContain(secret);
  });
});
