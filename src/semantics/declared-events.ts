import { followsOf } from "../dispatch/followed-end.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import {
  checkEventStreamOptions,
  eventStreamFields,
  eventStreamOf,
  eventStreamOptions,
  type EventStreamOptions,
} from "../http/message/event-stream.ts";
import { eventText, isServerSentEvent } from "../http/message/server-sent-event.ts";
import { isSchema, type StandardSchema } from "../json-schema/shape/standard-schema.ts";
import type { EventsContent } from "./declaration/events-content.ts";
import { openedBy } from "./declaration/opened-values.ts";
import { sentValues } from "./declaration/content-sending.ts";

/**
 * Declares content as server-sent events: a handler returns an async iterable, and each value is the data of one event.
 *
 * To give an event an id or a type, the handler yields an `event()`. The data is written as its schema shows it, like
 * other content; data that does not fit breaks the response off. `signal` of the call aborts when the client leaves or
 * the server stops.
 *
 * @param schema the schema of the data of each event.
 * @throws {TypeError} when an option is wrong, or `schema` is not a schema.
 * @example
 * ```ts
 * class Prices extends Resource {
 *   paths = ["/prices"] as const;
 *
 *   static GET = { 200: events(z.object({ isbn: z.string(), cents: z.int() })) };
 *   async *GET() {
 *     yield { isbn: "9780807083697", cents: 1_500 };
 *   }
 * }
 * ```
 */
export function events<Schema extends StandardSchema>(
  schema: Schema,
  options: EventStreamOptions = {},
): EventsContent<Schema> {
  const check = new OptionCheck<EventStreamOptions>("events", options, eventStreamOptions);
  checkEventStreamOptions(check);
  check.require(isSchema(schema), "schema", "a schema, such as z.string(), or jsonSchema(schema, check)", schema);
  const stream: EventsContent<Schema>["stream"] = (values, write, { leaving, request }, headers) => {
    for (const [name, value] of Object.entries(eventStreamFields)) headers.set(name, value);
    const textOf = async (value: unknown): Promise<string> => {
      const { data, id, event } = isServerSentEvent(value) ? value : { data: value, id: undefined, event: undefined };
      return eventText({ data: await write(data), id, event });
    };
    return eventStreamOf(() => values, textOf, leaving, check.options, request.signal, followsOf(request));
  };
  return Object.freeze({
    kind: "events",
    type: "text/event-stream",
    schema,
    stream,
    open: openedBy,
    sending: sentValues,
  });
}
