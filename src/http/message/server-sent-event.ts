import { described } from "../javascript/described.ts";
import { OptionCheck } from "../javascript/option-check.ts";

/** One server-sent event, as `event()` makes it and an `Inbox` yields it. */
export interface ServerSentEvent<Data = unknown> {
  /** Distinguishes an event from data. */
  readonly kind: "event";
  /** The data of the event. */
  readonly data: Data;
  /** The id of the event, which a client sends as `Last-Event-ID` when it connects again. */
  readonly id: string | undefined;
  /** The type of the event. Default: `message`. */
  readonly event: string | undefined;
}

/** Options of `event()`. */
export interface EventOptions {
  /** The id of the event, which a client sends as `Last-Event-ID` when it connects again. */
  readonly id?: string | undefined;
  /** The type of the event, for which a browser has listeners. Default: `message`. */
  readonly event?: string | undefined;
}

/** On the prototype, so that an event of another copy of the package is recognized. JSON can never hold it. */
const mark = Symbol.for("fingerpost.ServerSentEvent");

class EventValue<Data> implements ServerSentEvent<Data> {
  readonly kind = "event";
  readonly data: Data;
  readonly id: string | undefined;
  readonly event: string | undefined;

  constructor(data: Data, id: string | undefined, type: string | undefined) {
    this.data = data;
    this.id = id;
    this.event = type;
  }
}
Object.defineProperty(EventValue.prototype, mark, { value: true });

/**
 * Makes a server-sent event that has an id or a type.
 *
 * A handler with declared `events()` yields it instead of the data alone.
 *
 * @throws {TypeError} when the id or the type is not a string, or holds a line break or NUL, or an option does not
 * exist.
 * @example
 * ```ts
 * class Prices extends Resource {
 *   paths = ["/prices"] as const;
 *
 *   static GET = { 200: events(z.object({ cents: z.int() })) };
 *   async *GET() {
 *     yield event({ cents: 1_500 }, { id: "1", event: "price" });
 *   }
 * }
 * ```
 */
export function event<Data>(data: Data, options: EventOptions = {}): ServerSentEvent<Data> {
  const { id, event: type } = new OptionCheck<EventOptions>("event", options, ["id", "event"]).options;
  checkEventField("id", id);
  checkEventField("event", type);
  return new EventValue(data, id, type);
}

/** Returns whether a value came from `event()`, of this copy of the package or of another one. */
export function isServerSentEvent(value: unknown): value is ServerSentEvent {
  return typeof value === "object" && value !== null && mark in value;
}

/**
 * Requires that an id or a type is a string of one line. A client would take the next line for another field.
 * @throws {TypeError} The message does not hold the string, which may come from a client.
 */
function checkEventField(name: "id" | "event", value: unknown): void {
  if (value === undefined) return;
  if (typeof value !== "string") {
    throw new TypeError(`Cannot send an event: its ${name} must be a string, got ${described(value)}`);
  }
  if (/[\r\n\0]/.test(value)) {
    throw new TypeError(`Cannot send an event: its ${name} must not hold a line break or NUL`);
  }
}

export interface EventText {
  readonly data: string | undefined;
  readonly id: string | undefined;
  readonly event: string | undefined;
}

/** Writes an event (HTML §9.2.5). @throws {TypeError} when its id or type is not a string of one line. */
export function eventText({ data, id, event: type }: EventText): string {
  checkEventField("id", id);
  checkEventField("event", type);
  const lines: string[] = [];
  if (id !== undefined) lines.push(`id: ${id}`);
  if (type !== undefined) lines.push(`event: ${type}`);
  // Without a line of data, a client dispatches no event (HTML §9.2.6), whatever its type.
  const text = data ?? (type === undefined ? undefined : "");
  if (text !== undefined) for (const line of text.split(/\r\n|\r|\n/)) lines.push(`data: ${line}`);
  return `${lines.join("\n")}\n\n`;
}
