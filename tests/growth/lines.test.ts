import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { client } from "fingerpost/client";
import { clientLines } from "fingerpost/client/lines";
import { serve } from "fingerpost/node";
import { Application, lines, Resource, type Answer, type Call, type Yields } from "fingerpost/semantics";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { portOf } from "../support/sockets.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Nightly 10 million: `LINES=10000000`. */
const count = Number(process.env["LINES"] ?? "60000");

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

/** Measures the heap after a tenth of the lines, and at the end of them. */
class HeapWatch {
  #first = 0;
  grown = 0;

  see(at: number): void {
    if (at !== Math.floor(count / 10) && at !== count - 1) return;
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    if (this.#first === 0) this.#first = heapUsed + arrayBuffers;
    else this.grown = heapUsed + arrayBuffers - this.#first;
  }
}

it("C17.5 lines go both ways over a socket in flat memory", { timeout: 60_000 + count }, async () => {
  const stop = new AbortController();
  const app = Application.builder().resources(Notes).build();
  const server = await serve(app, { port: 0, signal: stop.signal });
  onTestFinished(() => stop.abort());
  const api = client<typeof app>(`http://127.0.0.1:${portOf(server)}`, { lines: clientLines });

  const reading = new HeapWatch();
  let read = 0;
  for await (const { id } of (await api["/notes"].GET()).orThrow()) {
    if (id === read) reading.see(read++);
  }
  expect(read).toBe(count);

  const writing = new HeapWatch();
  function* values() {
    for (let id = 0; id < count; id++) {
      writing.see(id);
      yield { id, text };
    }
  }
  const written = await api["/notes"].POST({ type: "application/jsonl", content: values() });
  expect(written.orThrow()).toBe(count);

  // What was sent is 65 bytes a line, and values are more. What is under way differs by a megabyte.
  expect(reading.grown).toBeLessThan(2_000_000);
  expect(writing.grown).toBeLessThan(2_000_000);
});
