import { createRemoteJWKSet, customFetch, errors, type FetchImplementation, type JWTVerifyGetKey } from "jose";
import { discard } from "../../http/message/discarded-content.ts";

/**
 * Finds keys at the place where an issuer publishes them (RFC 7517 §5). `jose` keeps them, and asks for a missing key
 * at most once in half a minute. If the issuer's endpoint fails, `jose` would ask again for every token that anyone
 * makes up.
 * @param staleKeysMs how many milliseconds keys are used after their time while the issuer does not answer.
 */
export function publishedKeys(uri: URL, staleKeysMs: number): JWTVerifyGetKey {
  const source = new KeySource(staleKeysMs);
  const keys = createRemoteJWKSet(uri, { cacheMaxAge: freshMs, [customFetch]: source.fetch });
  return async (header, token) => {
    // `jose` takes old keys for new ones, and would ask again only when these are too old, too.
    if (source.isDue()) await keys.reload().catch(() => {});
    source.refuseExpired();
    try {
      return await keys(header, token);
    } catch (error) {
      // The key may be a new one, that only the issuer knows: this is no fault of the token.
      throw source.failure !== null && error instanceof errors.JWKSNoMatchingKey ? source.failure : error;
    }
  };
}

/**
 * Returns whether keys from a URL can be trusted to be the issuer's. A channel that others can write to cannot, except
 * on your own machine. A URL with credentials cannot be fetched, and the error about it shows them.
 */
export function isTrustworthy(uri: string | URL): boolean {
  if (!URL.canParse(String(uri))) return false;
  const { protocol, hostname, username, password } = new URL(uri);
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || (protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname));
}

// Short: if a failure was temporary, valid tokens are refused for this long.
const pauseMs = 2000;

const freshMs = 600_000;

/** How often an issuer that failed is asked while its old keys are used. */
const againMs = 30_000;

/** Fetches keys, returns the same answer to calls soon after, and the last keys while there is no answer. */
class KeySource {
  /** Why the keys that are known are old ones; null where they are not. */
  failure: Error | null = null;
  readonly #staleMs: number;
  #known = "";
  #knownUntil = -Infinity;
  #pausedUntil = -Infinity;
  #dueAt = -Infinity;
  #again!: () => Promise<Response>;

  constructor(staleMs: number) {
    this.#staleMs = staleMs;
  }

  readonly fetch: FetchImplementation = async (uri, init) => {
    const now = performance.now();
    if (now < this.#pausedUntil) return this.#again();
    try {
      const response = await fetch(uri, init);
      const text = response.status === 200 ? await response.text() : null;
      // Unread, it would keep its connection until garbage collection.
      if (text === null) discard(response);
      if (text === null)
        this.#fail(new TypeError(`Cannot fetch the keys of the issuer: it answered ${response.status}`), async () =>
          Response.error(),
        );
      else this.#take(text);
    } catch (error) {
      this.#fail(error as Error, () => Promise.reject(error));
    }
    this.#pausedUntil = performance.now() + pauseMs;
    return this.#again();
  };

  /** Whether the keys in use are old ones, and the issuer was not asked for a while. */
  isDue(): boolean {
    return this.failure !== null && performance.now() >= this.#dueAt;
  }

  /** @throws what kept the issuer from answering, when its keys are too old. */
  refuseExpired(): void {
    if (this.failure !== null && performance.now() > this.#knownUntil) throw this.failure;
  }

  #take(text: string): void {
    this.failure = null;
    this.#known = text;
    this.#knownUntil = performance.now() + freshMs + this.#staleMs;
    this.#again = async () => new Response(text);
  }

  #fail(failure: Error, again: () => Promise<Response>): void {
    const isKnown = this.#staleMs > 0 && performance.now() <= this.#knownUntil;
    // Also when the keys are too old: `jose` was given them as new ones, and would go on to use them.
    this.failure = this.#staleMs > 0 && this.#known !== "" ? failure : null;
    this.#dueAt = performance.now() + againMs;
    this.#again = isKnown ? async () => new Response(this.#known) : again;
  }
}
