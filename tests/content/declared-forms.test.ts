import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Application, form, HTTPError, reply, Resource, Status, upload } from "fingerpost";
import { disk, type Sink } from "fingerpost/files";
import { serve } from "fingerpost/node";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { portOf } from "../support/sockets.ts";

type Handle = () => unknown;

/** A server whose form stores two files and a field on the disk. */
async function started(handle: Handle = () => ({ done: true }), around: (sink: Sink) => Sink = (sink) => sink) {
  const folder = mkdtempSync(join(tmpdir(), "fingerpost-forms-"));
  const to = around(disk(folder));
  let version = 0;
  class Files extends Resource {
    override paths = ["/files"];
    static PUT = {
      content: form(
        {
          note: z.string().max(5).optional(),
          first: upload({ maxBytes: 1_000_000, to }),
          second: upload({ maxBytes: 1_000, types: ["image/gif", "text/plain"], optional: true, to }),
        },
        { maxBytes: 2_000_000, maxParts: 4, maxFieldBytes: 100, maxHeadBytes: 500 },
      ),
      200: z.object({ done: z.boolean() }),
      404: "None",
    };
    override PUT(): never {
      return handle() as never;
    }
    validator(): { readonly etag: string } {
      return { etag: `"${version++}"` };
    }
  }
  const stop = new AbortController();
  const app = Application.builder()
    .resources(Files as never)
    .onError(() => {})
    .build();
  const server = await serve(app, { port: 0, signal: stop.signal });
  onTestFinished(() => {
    stop.abort();
    rmSync(folder, { recursive: true });
  });
  return { url: `http://127.0.0.1:${portOf(server)}/files`, port: portOf(server), names: () => readdirSync(folder) };
}

const part = (disposition: string, content: string): string =>
  `--B\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
const file = (name: string, content: string): string => part(`name="${name}"; filename="f"`, content);
const first = file("first", "GIF89a".padEnd(100_000, "x"));
const end = "--B--\r\n";

async function put(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<number> {
  const response = await fetch(url, {
    method: "PUT",
    headers: { "Content-Type": "multipart/form-data; boundary=B", ...headers },
    body,
  });
  await response.body?.cancel();
  return response.status;
}

/** Sends the beginning of a request, and leaves. */
async function leaveAfter(port: number, framing: string, sent: string, names: () => readonly string[]): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  const head = `PUT /files HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=B\r\n${framing}\r\n\r\n`;
  socket.write(head + sent);
  await vi.waitFor(() => expect(names().length).toBeGreaterThan(0), { timeout: 5_000 });
  socket.destroy();
}

describe("C16.6 a declared form that fails leaves no file", () => {
  it("stores the files of one that does not", async () => {
    const { url, names } = await started();
    expect(await put(url, first + file("second", "GIF89a") + part('name="note"', "x") + end)).toBe(200);
    expect(names()).toHaveLength(2);
  });

  const latin1 = Uint8Array.from(`${first}${file("second", "caf\xe9")}${end}`, (character) => character.charCodeAt(0));

  it.each<[because: string, body: string | Uint8Array<ArrayBuffer>, status: number]>([
    ["a file that is too long", first + file("second", "GIF89a".padEnd(1_001)) + end, 413],
    ["a form that is too long", first + file("first", "x".repeat(2_000_000)) + end, 413],
    ["too many parts", first + part('name="note"', "x").repeat(4) + end, 413],
    ["a field that is too long", first + part('name="note"', "x".repeat(101)) + end, 413],
    ["a head that is too long", first + part(`name="note"; x="${"x".repeat(500)}"`, "x") + end, 413],
    ["a part without a name", first + part("x=y", "x") + end, 400],
    [
      "a part in base64",
      `${first}--B\r\nContent-Disposition: form-data; name="note"\r\nContent-Transfer-Encoding: ` +
        `base64\r\n\r\neA==\r\n${end}`,
      400,
    ],
    ["a boundary that goes on", `${first}--Bad\r\n`, 400],
    ["no last boundary", first, 400],
    ["a member that is not declared", first + part('name="other"', "x") + end, 422],
    ["a repeated file", first + first + end, 422],
    ["a field in place of a file", first + part('name="second"', "x") + end, 422],
    ["a file in place of a field", first + file("note", "x") + end, 422],
    ["a file of another type", first + file("second", "%PDF-1.7") + end, 422],
    ["a file that is not UTF-8", latin1, 422],
    ["a field that does not fit", first + part('name="note"', "too long") + end, 422],
    ["a missing file", file("second", "GIF89a") + end, 422],
  ])("after %s", async (_, body, status) => {
    const { url, names } = await started();
    expect(await put(url, body)).toBe(status);
    expect(names()).toEqual([]);
  });

  it.each<[because: string, handle: Handle, status: number]>([
    ["throws", () => Promise.reject(new HTTPError(Status.Conflict)), 409],
    ["fails", () => Promise.reject(new Error("The database is gone")), 500],
    ["answers 404", () => reply(404), 404],
    ["answers what does not fit", () => ({ done: 1 }), 500],
    ["answers what is not declared", () => reply(202), 500],
  ])("after its handler %s", async (_, handle, status) => {
    const { url, names } = await started(handle);
    expect(await put(url, first + end)).toBe(status);
    expect(names()).toEqual([]);
  });

  it("after a precondition that fails when the form is there", async () => {
    const { url, names } = await started();
    expect(await put(url, first + end, { "If-Match": '"0"' })).toBe(412);
    expect(names()).toEqual([]);
  });

  it("after a sink that fails", async () => {
    let stored = 0;
    const { url, names } = await started(undefined, (sink) => ({
      ...sink,
      store: (incoming, signal) =>
        stored++ === 1 ? Promise.reject(new Error("The disk is full")) : sink.store(incoming, signal),
    }));
    expect(await put(url, first + file("second", "GIF89a") + end)).toBe(500);
    expect(names()).toEqual([]);
  });

  it.each([
    ["within a file", "Content-Length: 500000", file("first", "x".repeat(300_000)).slice(0, -2)],
    [
      "within a file of a chunked form",
      "Transfer-Encoding: chunked",
      `30d40\r\n${file("first", "x".repeat(190_000)).padEnd(200_000)}`,
    ],
    ["after a file", "Content-Length: 500000", first],
  ])("after a client that leaves %s", async (_, framing, sent) => {
    const { port, names } = await started();
    await leaveAfter(port, framing, sent, names);
    await vi.waitFor(() => expect(names()).toEqual([]), { timeout: 5_000 });
  });
});
