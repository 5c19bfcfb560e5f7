import type { AnySignal } from "../javascript/any-signal.ts";
import { capturedContext } from "../javascript/captured-context.ts";
import { openedStream } from "../javascript/measuring.ts";

/**
 * Makes a stream of what `write` makes of each value of an iterable, as fast as the client reads. The iterable is left
 * when the client leaves: `finally` runs in a generator.
 * @param given the iterable. One that has begun has `return()`, for clients that leave before they read.
 */
export function streamedValues(
  given: AsyncIterable<unknown> & Pick<AsyncIterator<unknown>, "return">,
  write: (value: unknown) => string | Uint8Array | Promise<string>,
  leaving: AnySignal,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const within = capturedContext();
  let values: AsyncIterator<unknown> | null = null;
  let close: (() => void) | null = null;
  const end = (): void => {
    close?.();
    leaving.release();
  };
  const leave = async (): Promise<void> => {
    end();
    await (values ?? given).return?.();
  };
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): Promise<void> => {
    try {
      values ??= given[Symbol.asyncIterator]();
      close ??= openedStream();
      // A stream asks again only after it got something.
      for (;;) {
        const { done, value } = await values.next();
        if (done === true) break;
        const written = await write(value);
        const bytes = typeof written === "string" ? encoder.encode(written) : (written as Uint8Array<ArrayBuffer>);
        if (bytes.byteLength > 0) return controller.enqueue(bytes);
      }
      end();
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
