import type { Bytes, BytesView } from "../../http/javascript/bytes.ts";
import type { ClientSocket } from "../../sockets/client-socket.ts";
import type { FormContent } from "./form-content.ts";
import type { LinesContent } from "./lines-content.ts";
import type { JsonOf } from "./json-of.ts";
import type { EventsContent } from "./events-content.ts";
import type { BytesContent, RawContent, TextContent } from "./raw-content.ts";
import type { SocketContent, SocketSide } from "./socket-content.ts";
import type { InferInput, InferOutput } from "../../json-schema/shape/standard-schema.ts";

/** The declared content that a client sends: the input of its schema, or the values that the raw kind writes. */
export type SentContent<Declared> = Declared extends { readonly "~standard": unknown }
  ? InferInput<Declared>
  : Declared extends BytesContent
    ? Blob | ArrayBuffer | BytesView | ReadableStream<Uint8Array>
    : Declared extends TextContent
      ? string
      : Declared extends FormContent<infer Sent>
        ? Sent
        : Declared extends LinesContent<infer Schema>
          ? AsyncIterable<InferInput<Schema>> | Iterable<InferInput<Schema>>
          : { [MediaType in keyof Declared]: SentContent<Declared[MediaType]> }[keyof Declared];

/**
 * The answer with a status that a client gets. It is the output of its schema as JSON has it, or the values that the
 * raw kind reads. Without declared content it is `undefined`, or the content of errors from 400 on.
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
        : Declared extends SocketContent<infer Receives, infer Sends>
          ? ClientSocket<ReceivedMessage<Sends>, SentMessage<Receives>, TextSides<Receives, Sends>>
          : NothingReceived<Status, Failure>;

/** A class whose GET may be answered by a WebSocket. */
export interface SocketClass {
  readonly GET: { readonly 101: SocketContent };
}

/** The end of a client of what a class declares. */
export type SocketOf<Of extends SocketClass> = ReceivedAnswer<101, Of["GET"][101], never>;

/** The value of a message that a client gets: JSON, a string or bytes. */
type ReceivedMessage<Side extends SocketSide> = Side extends TextContent
  ? string
  : Side extends BytesContent
    ? Bytes
    : JsonOf<InferOutput<Side>>;

/** The value of a message that a client sends. */
type SentMessage<Side extends SocketSide> = Side extends TextContent
  ? string
  : Side extends BytesContent
    ? BytesView
    : InferInput<Side>;

/** No frame says whether its text is JSON. */
type TextSides<Receives, Sends> = Receives extends TextContent
  ? Sends extends TextContent
    ? "both"
    : "receives"
  : Sends extends TextContent
    ? "sends"
    : unknown;

type NothingReceived<Status extends number, Failure> = `${Status}` extends `${4 | 5}${string}` ? Failure : undefined;

/** The declared content that a client gets: of a media type by itself, or of several. */
type ReceivedContent<Declared> = Declared extends { readonly "~standard": unknown }
  ? JsonOf<InferOutput<Declared>>
  : Declared extends RawContent
    ? ReceivedRawContent<Declared>
    : { [MediaType in keyof Declared]: ReceivedAs<MediaType, Declared[MediaType]> }[keyof Declared];

/** In a map the key is the media type. A schema of another type than JSON is written as text. */
type ReceivedAs<MediaType, Declared> = Declared extends EventsContent<infer Schema> | LinesContent<infer Schema>
  ? AsyncIterable<JsonOf<InferOutput<Schema>>>
  : ReadAs<MediaType, Declared extends { readonly "~standard": unknown } ? JsonOf<InferOutput<Declared>> : unknown>;

type ReceivedRawContent<Declared extends RawContent> = ReceivedAs<Declared["type"], Declared>;

/**
 * What a client makes of content, by its media type as `client()` does: JSON is parsed, other text is a string, and all
 * else a `Blob`. Of a range that covers JSON, it may be any of them.
 */
type ReadAs<MediaType, Json> = string extends MediaType
  ? Json | string | Blob
  : Lowercase<MediaType & string> extends "*/*" | "application/*"
    ? unknown
    : Lowercase<MediaType & string> extends `${string}${"/" | "+"}json${"" | `${" " | ";"}${string}`}`
      ? Json
      : Lowercase<MediaType & string> extends `text/event-stream${string}`
        ? AsyncIterable<unknown>
        : Lowercase<MediaType & string> extends `text/${string}`
          ? string
          : Blob;
