import { described } from "../http/javascript/described.ts";
import { refusal } from "../http/protocol/http-error.ts";
import { Status } from "../http/protocol/status.ts";
import { refuseLong } from "./message-length.ts";
import type { MessageFormat } from "./messages.ts";

/** A connection, as far as topics are concerned. */
export interface TopicListener {
  sendWritten(data: string | Uint8Array): unknown;
  leave(reason: string): void;
  cut(): void;
}

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
  readonly #topics = new Map<string, Set<TopicListener>>();

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

  cut(): void {
    for (const connection of this.#open) reached(() => connection.cut());
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

  /**
   * Sends a message, which was written once, to all that listen to a topic, but to the one that it came from.
   * @throws {RangeError} when it has more than 16 MiB.
   */
  publish(topic: string, data: string | Uint8Array, from: TopicListener | null): void {
    refuseLong(data);
    for (const connection of this.#topics.get(topic) ?? []) {
      if (connection !== from) reached(() => connection.sendWritten(data));
    }
  }
}

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
  let timer: ReturnType<typeof setTimeout> | undefined;
  const grace = new Promise((resolve) => (timer = setTimeout(resolve, Math.min(graceMs, 2_147_483_647))));
  const errors: unknown[] = [];
  const left = all.map((one) => one.leave().catch((error: unknown) => void errors.push(error)));
  await Promise.race([Promise.all(left), grace]);
  clearTimeout(timer);
  for (const one of all) one.cut();
  if (errors.length > 0) throw errors[0];
}
