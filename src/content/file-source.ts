/** A content coding that a file may be stored in (RFC 9110 §8.4.1). */
export type FileCoding = "br" | "zstd" | "gzip";

/**
 * A place where files are stored: a folder, an archive, a bucket, the rows of a database.
 *
 * @example
 * ```ts
 * import type { FileSource } from "fingerpost/files";
 *
 * const greeting = new TextEncoder().encode("Hello");
 * const source: FileSource = {
 *   codings: [],
 *   find: ([name, ...more]) =>
 *     name !== "hello.txt" || more.length > 0
 *       ? undefined
 *       : {
 *           length: greeting.byteLength,
 *           etag: '"1"',
 *           lastModified: null,
 *           type: "text/plain; charset=utf-8",
 *           coding: null,
 *           read: (start, end) => greeting.subarray(start, end),
 *           close: () => {},
 *         },
 * };
 * ```
 */
export interface FileSource {
  /**
   * The content codings that files may be stored in, the preferred one first. `find` is called with them besides
   * `null`.
   */
  readonly codings: readonly FileCoding[];

  /**
   * Opens a file for one response. Returns `undefined` if the file does not exist.
   *
   * @param segments the names on the way to the file, decoded. Each can be joined to a path: none is empty, `.` or
   * `..`, or holds a slash, a backslash, a colon or a control character.
   * @param coding the content coding to find the file in; null for the file as it is.
   * @throws any error that is the server's fault, such as a disk that fails. For a file that is not available, return
   * `undefined`.
   */
  find(segments: readonly string[], coding: FileCoding | null): FoundFile | undefined | Promise<FoundFile | undefined>;
}

/** One state of a file, opened for one response. */
export interface FoundFile {
  /** Number of bytes to read, in the coding of `coding`. */
  readonly length: number;
  /**
   * The value of `ETag`, quotes included. Null without one. A strong one says that the bytes are the same (RFC 9110
   * §8.8.1).
   */
  readonly etag: string | null;
  /** When the file was last written. Null if unknown. */
  readonly lastModified: Date | null;
  /** The value of `Content-Type`. */
  readonly type: string;
  /** The content coding of the bytes. Null without one. */
  readonly coding: string | null;

  /**
   * Returns the bytes from `start` up to, but without, `end`. Returns them in parts that are read on demand, or all at
   * once if they are in memory.
   *
   * The stream ends in an error when the bytes are missing, or no longer belong to this state. `read` is called at most
   * once at a time, and again only after its last result has ended.
   */
  read(start: number, end: number): Content;

  /**
   * Closes the file. It is called once, whatever happened. It is also called while bytes are being read, if the client
   * has left.
   */
  close(): void | Promise<void>;
}

/** Bytes as `FoundFile.read()` returns them. Never write to them afterwards: they are not copied. */
export type Content = Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;
