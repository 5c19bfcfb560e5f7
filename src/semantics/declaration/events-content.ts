import type { AnySignal } from "../../http/javascript/any-signal.ts";
import type { StandardSchema } from "../../json-schema/shape/standard-schema.ts";
import type { Opening } from "./opened-values.ts";
import type { SentValues } from "./content-sending.ts";

/** A stream of server-sent events, each with data of one schema. */
export interface EventsContent<Schema extends StandardSchema> {
  /** Distinguishes the kinds. */
  readonly kind: "events";
  /** The media type. */
  readonly type: "text/event-stream";
  /** The schema of the data of each event. */
  readonly schema: Schema;
  /** Makes the stream of the values that a handler returned, by a function that writes one. */
  readonly stream: EventsWriter;
  /** Asks what a handler returned for its first value, which decides the status. */
  readonly open: Opening;
  /** The values that a handler may return. */
  readonly sending: SentValues;
}

/** Makes a stream of events. Part of the declaration, so that a bundle without events leaves it out. */
type EventsWriter = (
  values: AsyncIterable<unknown>,
  write: (data: unknown) => Promise<string>,
  call: { readonly leaving: AnySignal; readonly request: Request },
  headers: Pick<Headers, "set">,
) => ReadableStream<Uint8Array>;
