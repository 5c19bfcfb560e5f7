import type { AnySignal } from "../../http/javascript/any-signal.ts";
import { capturedContext } from "../../http/javascript/captured-context.ts";
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
  const within = capturedContext();
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
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): Promise<void> => {
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
  };
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: (controller) => within(() => pull(controller)),
      cancel: (reason) =>
        within(() => {
          leaving.abort(reason);
          return leave();
        }),
    },
    { highWaterMark: 0 },
  );
}
