import type { AnySignal } from "../../http/javascript/any-signal.ts";
import { isAsyncIterable } from "../../http/javascript/async-iterable.ts";
import { described } from "../../http/javascript/described.ts";

/**
 * Makes the content of lines: what `write` makes of each value of an iterable, as fast as the client reads. The
 * iterable is left when the client leaves: `finally` runs in a generator.
 */
export function linesFrom(
  open: () => AsyncIterable<unknown>,
  write: (value: unknown) => string | Promise<string>,
  leaving: AnySignal,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let values: AsyncIterator<unknown> | null = null;
  const begin = (): AsyncIterator<unknown> => {
    const iterable = open();
    if (isAsyncIterable(iterable)) return iterable[Symbol.asyncIterator]();
    leaving.release();
    throw new TypeError(`Cannot send lines: expected an async iterable, got ${described(iterable)}`);
  };
  const leave = async (): Promise<void> => {
    leaving.release();
    await values?.return?.();
  };
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        values ??= begin();
        try {
          const { done, value } = await values.next();
          if (done !== true) return controller.enqueue(encoder.encode(`${await write(value)}\n`));
          leaving.release();
          controller.close();
        } catch (error) {
          // Nobody is there any more to be told of what fails now.
          leave().catch(() => {});
          throw error;
        }
      },
      async cancel(reason) {
        leaving.abort(reason);
        await leave();
      },
    },
    { highWaterMark: 0 },
  );
}
