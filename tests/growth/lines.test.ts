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
const count = Number(process.env["LINES"] ?? "180000");

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

/**
 * Measures memory again and again. What fetch() of Node has sent waits for its collection until some 60,000 lines are
 * there, so that memory goes up and down: what is kept shows in the least of it.
 */
class MemoryWatch {
  readonly #name: string;
  readonly #begin = performance.now();
  readonly #heaps: number[] = [];
  readonly #residents: number[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  see(at: number): void {
    if (at % 2_000 !== 0) return;
    collect();
    const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
    this.#heaps.push(heapUsed + arrayBuffers);
    this.#residents.push(rss);
  }

  /** How many bytes of heap are in use at least in the second half, beyond the least in the first half. */
  get grownHeap(): number {
    const [first, second] = halves(this.#heaps);
    return Math.min(...second) - Math.min(...first);
  }

  /** How many bytes the process has at most in the second half, beyond the most in the first half. */
  get grownResident(): number {
    const [first, second] = halves(this.#residents);
    return Math.max(...second) - Math.max(...first);
  }

  tell(): void {
    if (process.env["LINES"] === undefined) return;
    const megabytes = (values: readonly number[]): string => {
      const tenths = Array.from({ length: 10 }, (_, at) => values[Math.floor((values.length / 10) * at)]!);
      return tenths.map((value) => (value / 1e6).toFixed(1)).join(" ");
    };
    const seconds = ((performance.now() - this.#begin) / 1000).toFixed(0);
    console.log(`${this.#name}: ${count} lines in ${seconds} s`);
    console.log(`  MB of heap at each tenth: ${megabytes(this.#heaps)}; resident: ${megabytes(this.#residents)}`);
  }
}

function halves(sizes: readonly number[]): [readonly number[], readonly number[]] {
  const half = sizes.length / 2;
  return [sizes.slice(0, half), sizes.slice(half)];
}

it("C17.5 lines go both ways over a socket in flat memory", { timeout: 60_000 + count }, async () => {
  const stop = new AbortController();
  const app = Application.builder().resources(Notes).build();
  const server = await serve(app, { port: 0, signal: stop.signal });
  onTestFinished(() => stop.abort());
  // 10 million lines take longer than the five minutes that a request may take by default.
  server.requestTimeout = 0;
  const api = client<typeof app>(`http://127.0.0.1:${portOf(server)}`, { lines: clientLines });

  const reading = new MemoryWatch("read");
  let read = 0;
  for await (const { id } of (await api["/notes"].GET()).orThrow()) {
    if (id === read) reading.see(read++);
  }
  expect(read).toBe(count);
  reading.tell();

  const writing = new MemoryWatch("written");
  function* values() {
    for (let id = 0; id < count; id++) {
      writing.see(id);
      yield { id, text };
    }
  }
  const written = await api["/notes"].POST({ type: "application/jsonl", content: values() });
  expect(written.orThrow()).toBe(count);
  writing.tell();

  // What was sent is 65 bytes a line, and values are more: half of the lines would be 5.9 MB here.
  for (const { grownHeap } of [reading, writing]) expect(grownHeap).toBeLessThan(4_000_000);
  // The allocator of the system keeps pages for a while.
  for (const { grownResident } of [reading, writing]) expect(grownResident).toBeLessThan(40_000_000);
});
