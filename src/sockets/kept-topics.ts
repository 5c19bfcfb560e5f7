import type { MountedResource } from "../dispatch/mounted-resource.ts";
import { end, isOver, keepWith, keptWith, overOf, tellOver, type HibernatableSocket } from "./kept-socket.ts";
import { formatOf } from "./messages.ts";
import { knownTopicsOf, reached, setTopics, Topics, type TopicListener } from "./topics.ts";

/** The sockets of the Durable Object that runs. */
export interface Sockets {
  getWebSockets(): readonly HibernatableSocket[];
}

interface Place {
  readonly socket: HibernatableSocket;
  readonly sockets: Sockets;
}

type MountedAt = (url: string) => MountedResource | null;

/**
 * The topics of a resource in Durable Objects. They are kept with the sockets, so that a message reaches peers whose
 * handlers are gone, and wakes none.
 */
export class KeptTopics extends Topics {
  readonly mounted: MountedResource;
  readonly #mountedAt: MountedAt;
  readonly #owned = new WeakMap<HibernatableSocket, boolean>();
  readonly #places = new WeakMap<TopicListener, Place>();
  /** The connections that have handlers. An evicted instance takes its own with it. */
  readonly #awake = new WeakMap<HibernatableSocket, TopicListener>();
  /**
   * The object that was made last. Outside of a connection any will do: the runtime returns the sockets of the object
   * that runs.
   */
  #sockets: Sockets;

  private constructor(mounted: MountedResource, sockets: Sockets, mountedAt: MountedAt) {
    super(formatOf(mounted));
    this.mounted = mounted;
    this.#sockets = sockets;
    this.#mountedAt = mountedAt;
  }

  /**
   * Makes the topics of a resource kept, by the sockets of an object.
   * @param mountedAt says to which resource a URL leads.
   */
  static of(mounted: MountedResource, sockets: Sockets, mountedAt: MountedAt): void {
    const known = knownTopicsOf(mounted);
    if (known instanceof KeptTopics) known.#sockets = sockets;
    else if (known?.isShared !== true) setTopics(mounted, new KeptTopics(mounted, sockets, mountedAt));
    else {
      throw new TypeError(
        `Cannot call hibernating(): shareTopics() shares the topics of ${mounted.name}; leave it out, as a Durable ` +
          "Object has all peers of its topics",
      );
    }
  }

  join(connection: TopicListener, place: Place): void {
    this.#places.set(connection, place);
    this.#awake.set(place.socket, connection);
  }

  /** The runtime knows the connections of its objects. A list would hold the connections of evicted instances, too. */
  override opened(connection: TopicListener): void {
    if (!this.#places.has(connection)) super.opened(connection);
  }

  /** @throws {TypeError} where no object runs. */
  override close(reason: string): void {
    super.close(reason);
    for (const socket of this.#own()) {
      const connection = this.#awake.get(socket);
      if (connection === undefined) end(socket, 1001, reason);
      else connection.leave(reason);
    }
  }

  override closed(connection: TopicListener): void {
    const place = this.#places.get(connection);
    if (place === undefined) super.closed(connection);
    else tellOver(place.socket);
  }

  /** @throws {TypeError} where no object runs. */
  override async leave(): Promise<void> {
    const ends = this.#own().map(overOf);
    await Promise.all([super.leave(), ...ends]);
  }

  override cut(): void {
    super.cut();
    // Connections whose handlers sleep have their close frame, and the runtime cuts nothing.
    reached(() => this.#own().forEach((socket) => this.#awake.get(socket)?.cut()));
  }

  override add(topic: string, connection: TopicListener): void {
    const place = this.#places.get(connection);
    if (place === undefined) return super.add(topic, connection);
    // A connection that is over subscribes to nothing.
    const kept = keptWith(place.socket)!;
    if (kept.topics.includes(topic)) return;
    try {
      keepWith(place.socket, { ...kept, topics: [...kept.topics, topic] });
    } catch (cause) {
      throw new RangeError(
        `Cannot subscribe a peer of ${this.mounted.name} to "${topic.slice(0, 80)}": with its handshake and ` +
          `${kept.topics.length} topics it is more than the runtime keeps; subscribe to fewer`,
        { cause },
      );
    }
  }

  override delete(topic: string, connection: TopicListener): void {
    const place = this.#places.get(connection);
    if (place === undefined) return super.delete(topic, connection);
    const kept = keptWith(place.socket);
    if (kept !== null) keepWith(place.socket, { ...kept, topics: kept.topics.filter((one) => one !== topic) });
  }

  override publish(topic: string, data: string | Uint8Array, from: TopicListener | null): void {
    super.publish(topic, data, from);
    const place = from === null ? undefined : this.#places.get(from);
    for (const socket of this.#socketsOf(place?.sockets ?? this.#sockets)) {
      if (socket === place?.socket) continue;
      const kept = keptWith(socket);
      if (kept?.topics.includes(topic) !== true || !this.#owns(socket, kept.url)) continue;
      if (isOver(kept)) end(socket, 1008, "The time is over");
      else if (socket.readyState === 1) socket.send(data);
    }
  }

  /** The sockets of the object that runs which belong to the resource. */
  #own(): HibernatableSocket[] {
    let sockets: readonly HibernatableSocket[];
    try {
      sockets = this.#sockets.getWebSockets();
    } catch (cause) {
      throw new TypeError(
        `Cannot close the WebSockets of ${this.mounted.name} here: no Durable Object of it runs; call closeSockets() ` +
          "in a method of the object",
        { cause },
      );
    }
    return sockets.filter((socket) => {
      const kept = keptWith(socket);
      return kept !== null && this.#owns(socket, kept.url);
    });
  }

  #owns(socket: HibernatableSocket, url: string): boolean {
    let isOwned = this.#owned.get(socket);
    if (isOwned === undefined) this.#owned.set(socket, (isOwned = this.#mountedAt(url) === this.mounted));
    return isOwned;
  }

  #socketsOf(sockets: Sockets): readonly HibernatableSocket[] {
    try {
      return sockets.getWebSockets();
    } catch (cause) {
      throw new TypeError(
        `Cannot publish to ${this.mounted.name} here: no Durable Object of it runs; send a request to the object, ` +
          "and publish there",
        { cause },
      );
    }
  }
}
