import { ownOf } from "../javascript/property.ts";

export interface ContentSource {
  /** Is called when somebody waits for more than came: hands on more, or the end, at once or later. */
  pull(): void;
  /** Is called when nobody reads any more. */
  cancel(reason: unknown): void;
}

/** The content that one of several readers reads. */
interface Branch {
  controller: ReadableByteStreamController;
  /** What came and was not read yet. */
  readonly waiting: Uint8Array[];
  isReading: boolean;
  isUntouched: boolean;
}

/**
 * Content that a request and its clones read, each at its own pace, and each by a reader of any kind. Unlike with the
 * two streams of `tee()`, `cancel()` waits for nobody. Otherwise, a clone that nobody reads would keep a handler
 * waiting.
 */
export class SharedContent {
  readonly #source: ContentSource;
  readonly #branches = new Set<Branch>();
  #hasEnded = false;
  #isPulling = false;

  constructor(source: ContentSource) {
    this.#source = source;
  }

  open(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return this.#branch([]);
  }

  /** Hands on a part. It is copied: what a stream of bytes is given is no longer anybody else's. */
  push(part: Uint8Array): void {
    // A stream of bytes throws for an empty part.
    if (part.byteLength === 0) return this.#source.pull();
    this.#isPulling = false;
    for (const branch of this.#branches) {
      if (branch.isReading) give(branch, part);
      else branch.waiting.push(part);
    }
  }

  close(): void {
    this.#hasEnded = true;
    for (const branch of this.#branches) if (branch.waiting.length === 0) this.#end(branch);
  }

  fail(error: unknown): void {
    for (const { controller } of this.#branches) controller.error(error);
    this.#branches.clear();
  }

  #branch(waiting: Uint8Array[]): ReadableStream<Uint8Array<ArrayBuffer>> {
    const branch = { waiting, isReading: false, isUntouched: true } as unknown as Branch;
    this.#branches.add(branch);
    const source = ownOf<UnderlyingByteSource>({
      type: "bytes",
      start: (controller) => void (branch.controller = controller),
      pull: () => this.#pull(branch),
      cancel: (reason: unknown) => this.#leave(branch, reason),
    });
    const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(source as never, ownOf({ highWaterMark: 0 }));
    const isOpen = (): boolean => branch.isUntouched && this.#branches.has(branch);
    clonings.set(stream, () => (isOpen() && !stream.locked ? this.#branch([...waiting]) : null));
    return stream;
  }

  #pull(branch: Branch): void {
    branch.isUntouched = false;
    const part = branch.waiting.shift();
    if (part !== undefined) give(branch, part);
    else branch.isReading = true;
    if (this.#hasEnded) {
      if (branch.waiting.length === 0) this.#end(branch);
    } else if (part === undefined && !this.#isPulling) {
      this.#isPulling = true;
      this.#source.pull();
    }
  }

  #leave(branch: Branch, reason: unknown): void {
    branch.isUntouched = false;
    this.#branches.delete(branch);
    if (this.#branches.size === 0) this.#source.cancel(reason);
  }

  #end(branch: Branch): void {
    this.#branches.delete(branch);
    try {
      branch.controller.close();
      // A reader with a buffer of its own waits until its request is answered.
      branch.controller.byobRequest?.respond(0);
    } catch {
      // The buffer is a view of units of several bytes, and the last one is not full: the stream has failed already.
    }
  }
}

function give(branch: Branch, part: Uint8Array): void {
  branch.isReading = false;
  branch.controller.enqueue(new Uint8Array(part));
}

/** By stream: the function that makes a copy of it. */
const clonings = new WeakMap<ReadableStream, () => ReadableStream<Uint8Array<ArrayBuffer>> | null>();

/** Another stream of the same content, where that is shared and nobody has begun to read this one; null otherwise. */
export function cloneOf(stream: ReadableStream | null): ReadableStream<Uint8Array<ArrayBuffer>> | null {
  return (stream !== null && clonings.get(stream)?.()) || null;
}
