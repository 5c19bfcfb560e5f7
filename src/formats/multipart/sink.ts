/** Stores files. `Stored` names a stored file, such as its path or key. */
export interface Sink<Stored extends object = object> {
  /**
   * Stores a file. Reads its content to the end: as fast as this is done, the client is read.
   *
   * When it throws, nothing may be left. So it throws when the content does, which happens when the client leaves or
   * sends more than allowed.
   *
   * @param signal aborts when the upload has failed.
   */
  store(file: IncomingFile, signal: AbortSignal): Stored | Promise<Stored>;
  /** Removes what was stored, since the upload has failed after all. */
  discard(stored: Stored): void | Promise<void>;
}

export function isSink(value: unknown): value is Sink {
  const { store, discard } = (value ?? {}) as Partial<Sink>;
  return typeof store === "function" && typeof discard === "function";
}

/** Reads a file, and keeps nothing. */
export const nowhere: Sink = {
  async store({ content }) {
    await content.pipeTo(new WritableStream());
    return {};
  },
  discard() {},
};

/** A file that comes in. */
export interface IncomingFile {
  /** The name of the member of the form; `content` where the content of a request is the file. */
  readonly name: string;
  /** File name that the client sent. Use it as a label, never as a path. An empty string if it gave none. */
  readonly fileName: string;
  /** The media type, detected from the first bytes. Of the content of a request, it is what the client says. */
  readonly type: string;
  /** The bytes. */
  readonly content: ReadableStream<Uint8Array>;
}

/** A file that was stored, without what its sink returned. */
export interface StoredFile {
  /** File name that the client sent. Use it as a label, never as a path. An empty string if it gave none. */
  readonly fileName: string;
  /** The media type, detected from the first bytes. */
  readonly type: string;
  /** Size in bytes. */
  readonly size: number;
  /** The SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string;
}
