import type { MessageFormat } from "./messages.ts";

/** A connection, as far as topics are concerned. */
export interface TopicListener {
  sendWritten(data: string | Uint8Array): unknown;
}

/** The connections of one resource, and the topics that they listen to. */
export class Topics {
  /** How messages to them are written. */
  readonly sends: MessageFormat;
  /** The open connections. */
  readonly open: Set<TopicListener> = new Set();
  readonly #topics = new Map<string, Set<TopicListener>>();

  constructor(sends: MessageFormat) {
    this.sends = sends;
  }

  add(topic: string, connection: TopicListener): void {
    const listeners = this.#topics.get(topic);
    if (listeners === undefined) this.#topics.set(topic, new Set([connection]));
    else listeners.add(connection);
  }

  delete(topic: string, connection: TopicListener): void {
    const listeners = this.#topics.get(topic);
    if (listeners?.delete(connection) === true && listeners.size === 0) this.#topics.delete(topic);
  }

  /** Sends a message, which was written once, to all that listen to a topic, but to the one that it came from. */
  publish(topic: string, data: string | Uint8Array, from: TopicListener | null): void {
    for (const connection of this.#topics.get(topic) ?? []) {
      if (connection !== from) connection.sendWritten(data);
    }
  }
}

/** By mounted resource: a topic belongs to its class, in one application. */
const topics = new WeakMap<object, Topics>();

/** The topics of a mounted resource, made at its first connection. */
export function topicsOf(mounted: object, sends: () => MessageFormat): Topics {
  const known = topics.get(mounted) ?? new Topics(sends());
  topics.set(mounted, known);
  return known;
}

/** Returns the topics of a mounted resource that had a connection, or were set. */
export function knownTopicsOf(mounted: object): Topics | undefined {
  return topics.get(mounted);
}

/** Sets the topics of a mounted resource before its first connection. */
export function setTopics(mounted: object, own: Topics): void {
  topics.set(mounted, own);
}

/** Sends a message to all peers of a topic of a resource; without a connection there is nobody. */
export function publishTo(mounted: object, topic: string, message: unknown): void {
  const known = topics.get(mounted);
  known?.publish(topic, known.sends.write(message), null);
}
