import { capturedContext } from "../../http/javascript/captured-context.ts";
import { isReply, type Reply } from "./reply.ts";

const opened = new WeakSet();

/** Asks without the class, so that a bundle without such values does not hold it. */
export function isOpened(content: unknown): content is OpenedValues {
  return opened.has(Object(content) as object);
}

/** Asks what a handler returned for its first value: it hangs on the declaration, as `pieces` and `stream` do. */
export type Opening = (
  given: AsyncIterable<unknown>,
  name: string,
  call: { readonly signal: AbortSignal; readonly hasLeft: boolean },
) => Promise<unknown>;

/** The values of a handler whose first one is there. */
export class OpenedValues implements AsyncIterableIterator<unknown> {
  readonly #iterator: AsyncIterator<unknown>;
  #first: IteratorResult<unknown> | null = null;
  #isLeft = false;
  readonly #name: string;

  constructor(iterator: AsyncIterator<unknown>, name: string) {
    opened.add(this);
    this.#iterator = iterator;
    this.#name = name;
  }

  /** Returns itself when the first value is there, or the reply that came in its place. */
  async open(): Promise<this | Reply> {
    const first = await this.#iterator.next();
    if (first.done === true && isReply(first.value)) return first.value;
    this.#first = first;
    return this;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<unknown>> {
    const result = this.#first ?? (await this.#iterator.next());
    this.#first = null;
    if (result.done === true && isReply(result.value)) {
      throw new TypeError(
        `Cannot end ${this.#name} with reply(${result.value.status}): values were sent before; return it before the ` +
          "first yield",
      );
    }
    return result;
  }

  /** Leaves the iterator, once. */
  async return(): Promise<IteratorResult<unknown>> {
    const isLeft = this.#isLeft;
    this.#isLeft = true;
    if (!isLeft) await this.#iterator.return?.();
    return { done: true, value: undefined };
  }
}

/**
 * Asks what a handler returned for its first value, which decides the status: a reply before it is the answer. The
 * iterable is left when the client leaves, also while nobody reads it. When the server stops, it goes on. If it was
 * left then, it would end like a complete one, and the client would take a part for the whole.
 * @param name the method and its resource, for messages.
 */
export const openedBy: Opening = async (given, name, call) => {
  const values = new OpenedValues(given[Symbol.asyncIterator](), name);
  const within = capturedContext();
  const leave = (): void => {
    // Nobody is there any more to be told of what fails now.
    if (call.hasLeft) void within(() => values.return()).catch(() => {});
  };
  call.signal.addEventListener("abort", leave);
  return values.open();
};
