// Files where responses are the platform's, as on Bun, Deno and Workers, which copy the bytes they are made of.
import { describe, expect, it, vi } from "vitest";
import { fileResponse } from "../../src/content/file-response.ts";
import { asking, StoredBytes } from "./stored-bytes.ts";

vi.mock("../../src/http/message/response.ts", () => ({ Response: globalThis.Response }));

describe("fileResponse() with the platform's Response", () => {
  it("F12 gives what is short as it is, and closes the file", async () => {
    const stored = new StoredBytes("0123456789", "bytes");
    const response = fileResponse(asking({ range: "bytes=2-4" }), stored);
    expect(stored.closings).toBe(1);
    expect([response.status, response.headers.get("content-length"), await response.text()]).toEqual([206, "3", "234"]);
  });

  it("F12 gives what is long in parts, and closes the file when they were read", async () => {
    const stored = new StoredBytes("x".repeat(65_537), "bytes");
    const response = fileResponse(asking(), stored);
    expect(stored.closings).toBe(0);
    const lengths: number[] = [];
    for await (const part of response.body!) lengths.push(part.byteLength);
    expect(lengths).toEqual([65_536, 1]);
    expect(stored.closings).toBe(1);
  });

  it("answers 304 and HEAD without content", () => {
    const statuses = [asking({ "if-none-match": '"1"' }), asking({}, "HEAD")].map((request) => {
      const { status, body } = fileResponse(request, new StoredBytes("text"));
      return [status, body];
    });
    expect(statuses).toEqual([
      [304, null],
      [200, null],
    ]);
  });
});
