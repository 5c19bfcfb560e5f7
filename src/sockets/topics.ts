import { described } from "../http/javascript/described.ts";
import { measuring } from "../http/javascript/measuring.ts";
import { refusal } from "../http/protocol/http-error.ts";
import { Status } from "../http/protocol/status.ts";
import { refuseLong } from "./message-length.ts";
import type { MessageFormat } from "./messages.ts";
import type { Published, Wire } from "./wire.ts";

/** A connection, as far as topics are concerned. */
export interface TopicListener {
  /** Null before it opens. */
  readonly wire: Wire | null;
  sendWritten(data: string | Uint8Array, published: Published): unknown;
  /** Takes note of a message that the server has sent, and gives up a client that does not read. */
  weigh(data: string | Uint8Array): void;
  leave(reason: string): void;
  cut(): void;
}

/** A topic, and who listens to it. */
interface Topic {
  readonly listeners: Set<TopicListener>;
  /** The name that servers know it by. */
  readonly name: string;
  /** What was published since its listeners were weighed, in bytes or characters. */
  unweighed: number;
}

/**
 * What is published before listeners are weighed. Bun 1.4 tells when messages wait for one of them, and 1.3 does not.
 */
const mostUnweighed = 1_048_576;
let made = 0;

/** The connections of one resource, and the topics that they listen to. */
export class Topics {
  /** How messages to them are written. */
  readonly sends: MessageFormat;
  /** Whether other processes have them, too. */
  readonly isShared: boolean = false;
  /** Whether connections are closed as soon as they open. */
  isStopping = false;
  readonly #open = new Set<TopicListener>();
  #emptied: (() => void)[] = [];
  readonly #topics = new Map<string, Topic>();
  readonly #number = ++made;

  constructor(sends: MessageFormat) {
    this.sends = sends;
  }

  /** How many connections are open. */
  get size(): number {
    return this.#open.size;
  }

  opened(connection: TopicListener): void {
    this.#open.add(connection);
  }

  closed(connection: TopicListener): void {
    this.#open.delete(connection);
    if (this.#open.size > 0) return;
    for (const tell of this.#emptied) tell();
    this.#emptied = [];
  }

  /** Closes all connections with 1001. */
  close(reason: string): void {
    for (const connection of this.#open) reached(() => connection.leave(reason));
  }

  /** Closes all connections, and those that open. Fulfills when the last one is over. */
  async leave(): Promise<void> {
    this.isStopping = true;
    this.close(stops);
    if (this.#open.size > 0) await new Promise<void>((resolve) => this.#emptied.push(resolve));
  }

  /** Leaves with all others: here, so that programs without connections do not contain it. */
  async leaveWith(all: readonly Topics[], graceMs: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const grace = new Promise((resolve) => (timer = setTimeout(resolve, Math.min(graceMs, 2_147_483_647))));
    const errors: unknown[] = [];
    const left = all.map((one) => one.leave().catch((error: unknown) => void errors.push(error)));
    await Promise.race([Promise.all(left), grace]);
    clearTimeout(timer);
    for (const one of all) one.cut();
    if (errors.length > 0) throw errors[0];
  }

  cut(): void {
    for (const connection of this.#open) reached(() => connection.cut());
  }

  add(topic: string, connection: TopicListener): void {
    let known = this.#topics.get(topic);
    if (known === undefined) {
      known = { listeners: new Set(), name: `fp${this.#number}.${topic}`, unweighed: 0 };
      this.#topics.set(topic, known);
    }
    known.listeners.add(connection);
    connection.wire?.join?.(known.name);
  }

  delete(topic: string, connection: TopicListener): void {
    const known = this.#topics.get(topic);
    if (known?.listeners.delete(connection) !== true) return;
    connection.wire?.part?.(known.name);
    if (known.listeners.size === 0) this.#topics.delete(topic);
  }

  /**
   * Sends a message, which was written once, to all that listen to a topic, but to the one that it came from.
   * @throws {RangeError} when it has more than 16 MiB.
   */
  publish(topic: string, data: string | Uint8Array, from: TopicListener | null): void {
    refuseLong(data);
    const known = this.#topics.get(topic);
    if (known === undefined || isPublished(known, data, from)) return;
    const published = {};
    for (const connection of known.listeners) {
      if (connection !== from) reached(() => connection.sendWritten(data, published));
    }
  }
}

/**
 * Has the server send a message to all at once, if all listeners are connections of one server that has topics. Each is
 * weighed when messages wait for one of them. PERF: a delivery on Bun takes 0.5 us instead of 7 (`bench/sockets`).
 */
function isPublished(topic: Topic, data: string | Uint8Array, from: TopicListener | null): boolean {
  const { listeners, name } = topic;
  const [first] = listeners;
  const { wire } = from ?? first!;
  if (wire?.joined?.(name) !== listeners.size) return false;
  const isRead = wire.publish!(name, data, from === null);
  const others = from !== null && listeners.has(from) ? listeners.size - 1 : listeners.size;
  measuring.measure?.("fingerpost.sockets.messages", others, sent);
  topic.unweighed += data.length;
  if (isRead && topic.unweighed < mostUnweighed) return true;
  topic.unweighed = 0;
  for (const connection of listeners) if (connection !== from) connection.weigh(data);
  return true;
}

/** The attributes of messages that are measured. */
export const sent = { "network.io.direction": "transmit" };

/**
 * Does something to one of several connections. Several Durable Objects may share an application, and the runtime lets
 * none of them write to connections of another one. That must not keep anything from the next connection.
 */
export function reached(act: () => unknown): void {
  try {
    act();
  } catch {
    // A socket of another Durable Object cannot be written to. That object finds out when the next message comes.
  }
}

/**
 * Refuses a topic that other processes would not know: there it is text.
 * @throws {TypeError} when it is not a string.
 */
export function checkTopic(topic: unknown): void {
  if (typeof topic === "string") return;
  throw new TypeError(`Cannot use ${described(topic)} as a topic: expected a string; write String(value)`);
}

/** Why connections are closed, for their clients. */
export const stops = "The server stops";

/** By mounted resource: a topic belongs to its class, in one application. */
const topics = new WeakMap<object, Topics>();

/** Mounted resources that accept no more handshakes. */
const stopped = new WeakSet<object>();

/**
 * The topics of a mounted resource, made at its first connection.
 * @param isOpen whether the connection exists already: then it is closed as the others are.
 * @throws {HTTPError} 503 when it accepts no more.
 */
export function topicsOf(mounted: object, sends: () => MessageFormat, isOpen: boolean = false): Topics {
  if (stopped.has(mounted) && !isOpen) throw refusal(Status.ServiceUnavailable);
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
  checkTopic(topic);
  const known = topics.get(mounted);
  known?.publish(topic, known.sends.write(message), null);
}

/**
 * Closes the connections of mounted resources with 1001, and cuts those that are left after the time of grace.
 * @throws {TypeError} when a resource has connections in Durable Objects, and no object runs.
 */
export async function leaveAll(mounts: readonly object[], graceMs: number): Promise<void> {
  for (const mounted of mounts) stopped.add(mounted);
  const all = mounts.flatMap((mounted) => topics.get(mounted) ?? []);
  await all[0]?.leaveWith(all, graceMs);
}
