import { Application, lines, Resource, type Answer, type Call, type Yields } from "fingerpost";
import { client, clientLines } from "fingerpost/client";
import { serve } from "fingerpost/node";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { portOf } from "../support/sockets.ts";
import { MemoryWatch } from "./memory-watch.ts";

/** Nightly 10 million: `LINES=10000000`. */
const count = Number(process.env["LINES"] ?? "180000");
const isWhole = process.env["LINES"] !== undefined;

const note = z.object({ id: z.int(), text: z.string() });
const text = "a line of some length, as a row of a table has it";

class Notes extends Resource {
  override paths = ["/notes"] as const;
  static GET = { 200: lines(note) };
  override async *GET(): Yields<typeof Notes, "GET"> {
    for (let id = 0; id < count; id++) yield { id, text };
    return undefined;
  }

  static POST = { content: lines(note, { maxBytes: Number.MAX_SAFE_INTEGER }), 200: z.int() };
  override async POST({ content }: Call<typeof Notes, "POST">): Promise<Answer<typeof Notes, "POST">> {
    let read = 0;
    for await (const { id } of content) if (id === read) read++;
    return read;
  }
}

it("C17.5 lines go both ways over a socket in flat memory", { timeout: 60_000 + count }, async () => {
  const stop = new AbortController();
  const app = Application.builder().resources(Notes).build();
  const server = await serve(app, { port: 0, signal: stop.signal });
  onTestFinished(() => stop.abort());
  // 10 million lines take longer than the five minutes that a request may take by default.
  server.requestTimeout = 0;
  const api = client<typeof app>(`http://127.0.0.1:${portOf(server)}`, { lines: clientLines });

  const reading = new MemoryWatch("lines read", 2_000);
  let read = 0;
  for await (const { id } of (await api["/notes"].GET()).orThrow()) {
    if (id === read) reading.see(read++);
  }
  expect(read).toBe(count);
  if (isWhole) reading.tell();

  const writing = new MemoryWatch("lines written", 2_000);
  function* values() {
    for (let id = 0; id < count; id++) {
      writing.see(id);
      yield { id, text };
    }
  }
  const written = await api["/notes"].POST({ type: "application/jsonl", content: values() });
  expect(written.orThrow()).toBe(count);
  if (isWhole) writing.tell();

  // What was sent is 65 bytes a line, and values are more: half of the lines would be 5.9 MB here.
  for (const { grownHeap } of [reading, writing]) expect(grownHeap).toBeLessThan(4_000_000);
  // The allocator of the system keeps pages for a while.
  for (const { grownResident } of [reading, writing]) expect(grownResident).toBeLessThan(40_000_000);
});
