import type { LinesCall, LinesOfClient } from "./client-options.ts";
import { JoinedText } from "./joined-text.ts";
import { ResponseError } from "./response-error.ts";

/**
 * Reads and writes JSON lines: the `lines` of the options of `client()`.
 *
 * An answer is an async iterable of values, and so may be the content of a request. Values are read and sent as fast as
 * the other side takes them. Browsers send no streams: there, all values are collected before they are sent.
 *
 * Leaving the loop cancels the answer. The loop throws if the answer breaks off.
 *
 * @throws {ResponseError} for a line that is not JSON, for an answer that breaks off, and for a line of more than
 * 16,777,216 characters.
 * @throws {TypeError} when a value cannot be written as JSON.
 * @example
 * ```ts
 * class Books extends Resource {
 *   paths = ["/books"] as const;
 *
 *   static GET = { 200: lines(z.object({ title: z.string() })) };
 *   async *GET() {
 *     yield { title: "Emma" };
 *   }
 * }
 * const app = Application.builder().resources(Books).build();
 *
 * const api = client<typeof app>("http://localhost", { fetch: app.fetch, lines: clientLines });
 * for await (const { title } of (await api["/books"].GET()).orThrow()) console.log(title); // Emma
 * ```
 */
export const clientLines: LinesOfClient = { read, write };

/** How many characters a line may have: as many as an event of `clientEvents()`. */
const maxCharacters = 2 ** 24;

async function* read(response: Response, { key, signal }: LinesCall): AsyncGenerator<unknown, void, undefined> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  const cancel = (): Promise<void> => reader.cancel().catch(() => {});
  const refuse = (cause: unknown): never => {
    throw new ResponseError(response, key, undefined, cause);
  };
  const valueOf = (line: string): unknown => {
    try {
      return JSON.parse(line);
    } catch (cause) {
      return refuse(cause);
    }
  };
  // A function of your own, such as `app.fetch`, may not end what it sent. Then a read would wait for ever.
  signal?.addEventListener("abort", cancel);
  try {
    const begun = new JoinedText();
    for (let isOver = false; !isOver;) {
      signal?.throwIfAborted();
      const { done, value } = await reader.read().catch(refuse);
      signal?.throwIfAborted();
      isOver = done;
      const [first, ...more] = (done ? `${decoder.decode()}\n` : decoder.decode(value, { stream: true })).split("\n");
      begun.add(first!);
      for (const next of more) {
        const line = begun.take();
        begun.add(next);
        if (line.trim()) yield valueOf(line);
      }
      if (begun.length > maxCharacters)
        refuse(new RangeError(`Cannot read the line: it has more than ${maxCharacters} characters`));
    }
  } finally {
    signal?.removeEventListener("abort", cancel);
    await cancel();
  }
}

async function write(values: AsyncIterable<unknown> | Iterable<unknown>): Promise<Blob | ReadableStream<Uint8Array>> {
  const texts = linesOf(values);
  if (typeof document === "object" || typeof importScripts === "function") {
    const all: string[] = [];
    for await (const text of texts) all.push(text);
    return new Blob(all);
  }
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<string, void>> | null = null;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const batch: string[] = [];
        let length = 0;
        let isOver = false;
        const late = new Promise<null>((resolve) => setTimeout(() => resolve(null)));
        while (!isOver && length < mostAtOnce) {
          next ??= texts.next();
          // The first one is waited for. What it fails with later, the next call finds.
          next.catch(() => {});
          const result = await (batch.length === 0 ? next : Promise.race([next, late]));
          if (result === null) break;
          next = null;
          if (result.done === true) isOver = true;
          else {
            batch.push(result.value);
            length += result.value.length;
          }
        }
        if (length > 0) controller.enqueue(encoder.encode(batch.join("")));
        if (isOver) controller.close();
      },
      async cancel() {
        await texts.return();
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * Values that are there are sent together, up to so many characters. A value that is not there after a turn of the
 * event loop holds nothing back. PERF: 200,000 lines take 2.3 s instead of 8 over a socket of Node (`LINES=200000 npx
 * vitest run tests/growth/lines.test.ts`).
 */
const mostAtOnce = 16_384;

declare const document: unknown;
declare const importScripts: unknown;

async function* linesOf(values: AsyncIterable<unknown> | Iterable<unknown>): AsyncGenerator<string, void, undefined> {
  for await (const value of values) {
    const text = JSON.stringify(value) as string | undefined;
    if (text === undefined) throw new TypeError(`Cannot send a line: JSON cannot write ${typeof value}`);
    yield `${text}\n`;
  }
}
