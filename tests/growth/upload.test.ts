import { request } from "node:http";
import { json } from "node:stream/consumers";
import { type Sink } from "fingerpost/files";
import { Application, Resource, type RequestOf } from "fingerpost/native";
import { partsOf } from "fingerpost/native/content";
import { serve } from "fingerpost/node";
import { expect, it, onTestFinished } from "vitest";
import { portOf } from "../support/sockets.ts";
import { MemoryWatch } from "./memory-watch.ts";

/** Nightly 1 GiB: `MEGABYTES=1024`. */
const megabytes = Number(process.env["MEGABYTES"] ?? "64");
const isWhole = process.env["MEGABYTES"] !== undefined;
const chunk = Buffer.alloc(2 ** 18, "a file that has what looks like a boundary now and then\r\n--");
const chunks = megabytes * 4;

const watch = new MemoryWatch("upload", 16);

/** Waits after each chunk, and now and then for longer. */
const slow: Sink<{ readonly read: number }> = {
  async store({ content }) {
    let read = 0;
    let seen = 0;
    for await (const part of content) {
      read += part.length;
      if (Math.floor(read / chunk.length) <= seen) continue;
      watch.see(seen++);
      await new Promise((resolve) => setTimeout(resolve, seen % 8 === 0 ? 2 : 0));
    }
    return { read };
  },
  discard() {},
};

class Files extends Resource {
  paths = ["/files"] as const;

  async POST(sent: RequestOf<Files>): Promise<Response> {
    for await (const part of partsOf(sent, { maxBytes: 2 ** 31, maxFileBytes: 2 ** 31 })) {
      const { read, size } = await part.store(slow);
      return Response.json({ read, size });
    }
    throw new Error("there is no part");
  }
}

it("C16.5 a file goes through a slow sink in flat memory", { timeout: 60_000 + megabytes * 1_000 }, async () => {
  const stop = new AbortController();
  const server = await serve(Application.builder().resources(Files).build(), { port: 0, signal: stop.signal });
  onTestFinished(() => stop.abort());
  server.requestTimeout = 0;
  const headers = { "content-type": "multipart/form-data; boundary=B" };
  const sending = request({ port: portOf(server), path: "/files", method: "POST", headers });
  const answered = new Promise<unknown>((resolve, reject) => {
    sending.on("error", reject).on("response", (response) => resolve(json(response)));
  });
  sending.write("--B\r\nContent-Disposition: form-data; name=a; filename=a\r\n\r\n");
  for (let at = 0; at < chunks; at++) {
    if (!sending.write(chunk)) await new Promise((resolve) => sending.once("drain", resolve));
  }
  sending.end("\r\n--B--\r\n");
  const bytes = chunks * chunk.length;
  expect(await answered).toEqual({ read: bytes, size: bytes });
  if (isWhole) watch.tell();
  // Half of the file would be 32 MB here.
  expect(watch.grownHeap).toBeLessThan(4_000_000);
  // The allocator of the system keeps pages for a while.
  expect(watch.grownResident).toBeLessThan(24_000_000);
});
