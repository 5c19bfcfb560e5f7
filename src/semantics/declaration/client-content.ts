import type { JsonOf } from "./json-of.ts";
import type { BytesContent, EventsContent, RawContent, TextContent } from "./raw-content.ts";
import type { InferInput, InferOutput } from "./standard-schema.ts";

/** The declared content that a client sends: the input of its schema, or the values that the raw kind writes. */
export type SentContent<Declared> = Declared extends { readonly "~standard": unknown }
  ? InferInput<Declared>
  : Declared extends BytesContent
    ? Blob | ArrayBuffer | ArrayBufferView<ArrayBuffer> | ReadableStream<Uint8Array>
    : Declared extends TextContent
      ? string
      : { [MediaType in keyof Declared]: SentContent<Declared[MediaType]> }[keyof Declared];

/**
 * The answer with a status that a client gets. It is the output of its schema as JSON has it, or the values that the
 * raw kind reads.
 *
 * Without declared content it is `undefined`, or the content of errors from 400 on.
 */
export type ReceivedAnswer<Status extends number, Declared, Failure> = Declared extends {
  readonly "~standard": unknown;
}
  ? JsonOf<InferOutput<Declared>>
  : Declared extends string
    ? NothingReceived<Status, Failure>
    : Declared extends RawContent
      ? ReceivedRawContent<Declared>
      : Declared extends { readonly content: infer Content }
        ? ReceivedContent<Content>
        : NothingReceived<Status, Failure>;

type NothingReceived<Status extends number, Failure> = `${Status}` extends `${4 | 5}${string}` ? Failure : undefined;

/** The declared content that a client gets. */
type ReceivedContent<Declared> = Declared extends { readonly "~standard": unknown }
  ? JsonOf<InferOutput<Declared>>
  : Declared extends RawContent
    ? ReceivedRawContent<Declared>
    : { [MediaType in keyof Declared]: ReceivedContent<Declared[MediaType]> }[keyof Declared];

type ReceivedRawContent<Declared> = Declared extends BytesContent
  ? Blob
  : Declared extends EventsContent<infer Schema>
    ? AsyncIterable<JsonOf<InferOutput<Schema>>>
    : string;
