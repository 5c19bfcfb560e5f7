import type { AnySignal } from "../../http/javascript/any-signal.ts";
import type { StandardSchema } from "../../json-schema/shape/standard-schema.ts";
import type { Opening } from "./opened-values.ts";
import type { SentValues } from "./content-sending.ts";

/** JSON lines, each with a value of one schema: what `lines()` returns. */
export interface LinesContent<Schema extends StandardSchema = StandardSchema, OnInvalid = unknown> {
  /** Distinguishes the kinds. */
  readonly kind: "lines";
  /** The media type that clients get by default. They may ask for `application/x-ndjson`, and send it. */
  readonly type: "application/jsonl";
  /** The schema of the value of each line. */
  readonly schema: Schema;
  /** Maximum size of a request body in bytes. */
  readonly maxBytes: number | undefined;
  /** What happens to a value that does not fit: see `lines()`. It is here for its type. */
  readonly whenInvalid?: OnInvalid | undefined;
  /**
   * Reads the values of a request as they are asked for. Part of the declaration, so that a bundle without lines leaves
   * it out.
   */
  readonly read: (input: object) => AsyncIterable<unknown>;
  /** Makes the stream of the values that a handler returned, by a function that writes one. */
  readonly stream: (
    values: AsyncIterable<unknown>,
    write: (value: unknown) => Promise<string>,
    leaving: AnySignal,
    headers: Pick<Headers, "set">,
  ) => ReadableStream<Uint8Array>;
  /** Asks what a handler returned for its first value, which decides the status. */
  readonly open: Opening;
  /** The values that a handler may return. */
  readonly sending: SentValues;
}

/** A line that was read where `whenInvalid` is `"yield"`: its value, or what is wrong with it. */
export type CheckedLine<Value> =
  | { readonly value: Value; readonly errors?: undefined }
  | { readonly value?: undefined; readonly errors: readonly LineError[] };

/** One error of a line. */
export interface LineError {
  /**
   * The place: a JSON Pointer in a URI fragment (RFC 6901 §6), whose first member is the place of the value among all.
   */
  readonly pointer: string;
  /** The value that is expected there; never the value that was sent. */
  readonly detail: string;
  /** The name of the fault in the validation library. */
  readonly code?: string | undefined;
}
