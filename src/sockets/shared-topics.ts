import type { MountedResource } from "../dispatch/mounted-resource.ts";
import { formatBase64, parseBase64 } from "../http/javascript/base64.ts";
import type { ProcessFeed } from "../http/message/process-feed.ts";
import { isThenable } from "../http/javascript/thenable.ts";
import { formatOf } from "./messages.ts";
import { knownTopicsOf, setTopics, Topics, type TopicListener } from "./topics.ts";

/** What processes tell each other: a message that was written once, as text or as Base64. */
interface SharedMessage {
  /** The process that it comes from. */
  readonly from?: unknown;
  /** The first pattern of the resource. */
  readonly at?: unknown;
  readonly topic?: unknown;
  readonly text?: unknown;
  readonly bytes?: unknown;
}

/**
 * Shares the topics of resources with all processes that have the feed.
 *
 * @throws {TypeError} when a resource had a connection before.
 */
export function shareBy(
  resources: readonly MountedResource[],
  feed: ProcessFeed,
  onError: (error: unknown) => void,
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

/** The topics of an application, in all processes that have the feed. */
class SharedTopics {
  readonly #feed: ProcessFeed;
  readonly #onError: (error: unknown) => void;
  readonly #topics = new Map<string, TopicsOfProcess>();
  /** Made when it is needed: Workers have no random numbers before a request. */
  #ownId: string | null = null;
  #isListening = false;

  constructor(feed: ProcessFeed, onError: (error: unknown) => void) {
    this.#feed = feed;
    this.#onError = onError;
  }

  topicsOf(mounted: MountedResource): Topics {
    const at = mounted.patterns[0]!;
    const own = new TopicsOfProcess(mounted, this, at);
    this.#topics.set(at, own);
    return own;
  }

  /** Listens as long as the feed lasts. */
  listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    void this.#take();
  }

  send(at: string, topic: string, data: string | Uint8Array): void {
    const content = typeof data === "string" ? { text: data } : { bytes: formatBase64(data) };
    try {
      const sent = this.#feed.send({ from: this.#id, at, topic, ...content });
      if (isThenable(sent)) Promise.resolve(sent).catch((error: unknown) => this.#onError(error));
    } catch (error) {
      this.#onError(error);
    }
  }

  get #id(): string {
    return (this.#ownId ??= crypto.randomUUID());
  }

  async #take(): Promise<void> {
    try {
      for await (const { data } of this.#feed.inbox.listen()) this.#deliver(Object(data) as SharedMessage);
    } catch (error) {
      this.#onError(error);
    }
    this.#isListening = false;
    // What others send is lost from now on. A client that connects again reads what it has missed.
    for (const topics of this.#topics.values()) topics.close("Connect again: messages of other servers are lost");
  }

  #deliver({ from, at, topic, text, bytes }: SharedMessage): void {
    if (from === this.#id || typeof topic !== "string") return;
    const data = typeof text === "string" ? text : typeof bytes === "string" ? parseBase64(bytes) : null;
    if (data !== null) this.#topics.get(String(at))?.deliver(topic, data);
  }
}

/** The topics of a resource in this process. */
class TopicsOfProcess extends Topics {
  readonly #shared: SharedTopics;
  readonly #at: string;

  constructor(mounted: MountedResource, shared: SharedTopics, at: string) {
    super(formatOf(mounted));
    this.#shared = shared;
    this.#at = at;
  }

  override opened(connection: TopicListener): void {
    super.opened(connection);
    this.#shared.listen();
  }

  override publish(topic: string, data: string | Uint8Array, from: TopicListener | null): void {
    super.publish(topic, data, from);
    this.#shared.send(this.#at, topic, data);
  }

  /** Sends what another process has published. */
  deliver(topic: string, data: string | Uint8Array): void {
    super.publish(topic, data, null);
  }
}
