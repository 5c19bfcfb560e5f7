import { print } from "../dispatch/error-response.ts";
import type { MountedResource } from "../dispatch/mounted-resource.ts";
import { formatBase64, parseBase64 } from "../http/javascript/base64.ts";
import type { ProcessFeed } from "../http/message/process-feed.ts";
import { isThenable } from "../http/javascript/thenable.ts";
import { namelessOf } from "../routing/pattern/nameless-pattern.ts";
import { formatOf } from "./messages.ts";
import { knownTopicsOf, setTopics, Topics, type TopicListener } from "./topics.ts";

/** What processes tell each other: a message that was written once, as text or as Base64. */
interface SharedMessage {
  /** The process that it comes from. */
  readonly from?: unknown;
  /** The number of the message in that process, because a feed may deliver a message again. */
  readonly number?: unknown;
  /** The first pattern of the resource. */
  readonly at?: unknown;
  readonly topic?: unknown;
  readonly text?: unknown;
  readonly bytes?: unknown;
}

/**
 * Shares the topics of resources with all processes that have the feed.
 * @throws {TypeError} when a resource had a connection before.
 */
export function shareBy(
  resources: readonly MountedResource[],
  feed: ProcessFeed,
  onError: (error: unknown) => unknown,
): void {
  const known = resources.find((mounted) => knownTopicsOf(mounted) !== undefined);
  if (known !== undefined) {
    throw new TypeError(
      `Cannot call shareTopics(): ${known.name} has topics already; call it once, before the application is served`,
    );
  }
  const shared = new SharedTopics(feed, onError);
  for (const mounted of resources) if (mounted.patterns.length > 0) setTopics(mounted, shared.topicsOf(mounted));
}

/** The messages of others that are remembered, and not delivered again. */
const mostKnown = 1_000;
/** Characters and bytes that wait for the feed before nothing more is sent to it. */
const mostWaiting = 16_777_216;
/** What a message takes besides its topic and its content. */
const ownLength = 200;

/** The topics of an application, in all processes that have the feed. */
class SharedTopics {
  readonly #feed: ProcessFeed;
  readonly #onError: (error: unknown) => unknown;
  readonly #topics = new Map<string, TopicsOfProcess>();
  /** Made when it is needed: Workers have no random numbers before a request. */
  #ownId: string | null = null;
  #isListening = false;
  /** Ends listening. Null before it has begun. */
  #leaving: AbortController | null = null;
  #hasLeft = false;
  #sent = 0;
  #waiting = 0;
  #isBehind = false;
  /** The latest messages of others, the oldest first. */
  readonly #known = new Set<string>();

  constructor(feed: ProcessFeed, onError: (error: unknown) => unknown) {
    this.#feed = feed;
    this.#onError = onError;
  }

  topicsOf(mounted: MountedResource): Topics {
    const at = mounted.patterns[0]!;
    const own = new TopicsOfProcess(mounted, this, at);
    this.#topics.set(at, own);
    return own;
  }

  /** Listens as long as the feed lasts, or until the application is left. */
  listen(): void {
    if (this.#isListening || this.#hasLeft) return;
    this.#isListening = true;
    this.#leaving = new AbortController();
    void this.#take(this.#leaving.signal);
  }

  /** Listens no more: the application closes its connections, and accepts no others. */
  leave(): void {
    this.#hasLeft = true;
    this.#leaving?.abort();
  }

  send(mounted: MountedResource, at: string, topic: string, data: string | Uint8Array): void {
    if (this.#waiting > mostWaiting) return this.#drop(mounted);
    this.#isBehind = false;
    const content = typeof data === "string" ? { text: data } : { bytes: formatBase64(data) };
    const length = ownLength + topic.length + data.length;
    try {
      const sent = this.#feed.send({ from: this.#id, number: ++this.#sent, at, topic, ...content });
      if (!isThenable(sent)) return;
      this.#waiting += length;
      const isSent = (): void => void (this.#waiting -= length);
      Promise.resolve(sent)
        .catch((error: unknown) => this.#tell(error))
        .then(isSent, isSent);
    } catch (error) {
      this.#tell(error);
    }
  }

  /** A feed that has stopped must not take all memory. It is told once, until the feed goes on. */
  #drop(mounted: MountedResource): void {
    if (this.#isBehind) return;
    this.#isBehind = true;
    this.#tell(
      new RangeError(
        `Cannot send messages of ${mounted.name} to other processes: ${mostWaiting} characters or bytes wait for the ` +
          "feed; look at its connection",
      ),
    );
  }

  /** An observer that fails must not end what it observes. */
  #tell(error: unknown): void {
    try {
      const told = this.#onError(error);
      if (isThenable(told)) Promise.resolve(told).catch(print);
    } catch (fault) {
      print(error);
      print(fault);
    }
  }

  get #id(): string {
    return (this.#ownId ??= crypto.randomUUID());
  }

  async #take(signal: AbortSignal): Promise<void> {
    try {
      for await (const event of this.#feed.inbox.listen(signal)) {
        if (signal.aborted) return;
        this.#deliver(event);
      }
    } catch (error) {
      if (!signal.aborted) this.#tell(error);
    }
    // A feed may fail at once, when a connection is about to open.
    await Promise.resolve();
    this.#isListening = false;
    // Messages of other processes are lost from now on. A client that connects again reads what it has missed.
    for (const topics of this.#topics.values()) topics.close("Connect again: messages of other servers are lost");
  }

  /** A message that cannot be delivered ends nothing: those after it are others. */
  #deliver(event: { readonly data: unknown } | null | undefined): void {
    const { from, number, at, topic, text, bytes } = Object(event?.data) as SharedMessage;
    if (from === this.#id || typeof at !== "string" || typeof topic !== "string") return;
    const data = typeof text === "string" ? text : typeof bytes === "string" ? parseBase64(bytes) : null;
    const topics = this.#topics.get(at) ?? this.#topicsLike(at);
    if (data !== null && topics !== undefined && this.#isNew(from, number)) topics.deliver(topic, data);
  }

  /** Finds the topics of a pattern whose params have other names in another release. */
  #topicsLike(at: string): TopicsOfProcess | undefined {
    try {
      const shape = namelessOf(at);
      return [...this.#topics.values()].find((topics) => namelessOf(topics.at) === shape);
    } catch {
      // Another program may send what is no pattern.
      return undefined;
    }
  }

  /** Remembers a message. Returns whether it has not come before. */
  #isNew(from: unknown, number: unknown): boolean {
    if (typeof from !== "string" || typeof number !== "number") return true;
    const name = `${number} ${from}`;
    if (this.#known.has(name)) return false;
    this.#known.add(name);
    for (const oldest of this.#known) {
      if (this.#known.size <= mostKnown) break;
      this.#known.delete(oldest);
    }
    return true;
  }
}

class TopicsOfProcess extends Topics {
  override readonly isShared = true;
  readonly #mounted: MountedResource;
  readonly #shared: SharedTopics;
  /** The first pattern of the resource. */
  readonly at: string;

  constructor(mounted: MountedResource, shared: SharedTopics, at: string) {
    super(formatOf(mounted));
    this.#mounted = mounted;
    this.#shared = shared;
    this.at = at;
  }

  override opened(connection: TopicListener): void {
    super.opened(connection);
    this.#shared.listen();
  }

  override publish(topic: string, data: string | Uint8Array, from: TopicListener | null): void {
    super.publish(topic, data, from);
    this.#shared.send(this.#mounted, this.at, topic, data);
  }

  override leave(): Promise<void> {
    this.#shared.leave();
    return super.leave();
  }

  /** Sends what another process has published. */
  deliver(topic: string, data: string | Uint8Array): void {
    super.publish(topic, data, null);
  }
}
