/** Sends data to all processes, as `redisFeed()` and `postgresFeed()` of the examples do. */
export interface ProcessFeed {
  /** What any process has sent: an `Inbox`. When the signal aborts, nobody reads any more. */
  readonly inbox: { listen(signal?: AbortSignal): AsyncIterable<{ readonly data: unknown }> };
  /** Sends data, which JSON can write, to all processes. */
  send(data: unknown): unknown;
}

export function isProcessFeed(feed: unknown): boolean {
  const { inbox, send } = (feed ?? {}) as {
    readonly inbox?: { readonly listen?: unknown } | null;
    readonly send?: unknown;
  };
  return typeof inbox?.listen === "function" && typeof send === "function";
}
