import { described } from "../../http/javascript/described.ts";
import { refusal, type HTTPError } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import { after } from "../../http/javascript/thenable.ts";
import { formatBase64url } from "../../http/javascript/base64url.ts";
import { dateOf, endAt } from "../../http/javascript/end-at.ts";
import { askedStore } from "../../http/protocol/asked-store.ts";
import type { Follower, Followers } from "./followers.ts";
import type { SessionData } from "./session-data.ts";
import type { SessionFields } from "./session-fields.ts";
import type { SessionStore, StoredSession } from "./session-store.ts";
import type { Session, StartOptions } from "./session.ts";

export interface StoredRules<Data> {
  readonly store: SessionStore;
  readonly data: SessionData<Data>;
  readonly idleMs: number;
  readonly absoluteMs: number;
  readonly everyMs: number;
  readonly ownerOf: ((data: Data) => string) | undefined;
  /** Digests an id or an owner, together with the name of the cookie: several kinds of sessions may share a store. */
  readonly digest: (text: string) => string | Promise<string>;
  /** The connections of this process that sessions have begun. */
  readonly followers: Followers;
}

interface Known<Data> {
  readonly key: string;
  readonly version: string;
  readonly text: string;
  readonly data: Data;
  readonly endsAtMs: number;
}

const mostTries = 10;

/** The session of a request, by a store. */
export class OpenedSession<Data> implements Session<Data> {
  readonly #rules: StoredRules<Data>;
  readonly #fields: SessionFields;
  /** The key of the cookie that came, whatever it leads to. */
  #sentKey: string | null = null;
  #known: Known<Data> | null = null;

  constructor(rules: StoredRules<Data>, fields: SessionFields) {
    this.#rules = rules;
    this.#fields = fields;
  }

  /** Finds the session of a cookie. @throws {HTTPError} 503 when the store fails. */
  open(id: string): void | Promise<void> {
    return after(this.#rules.digest(id), (key) => {
      this.#sentKey = key;
      return after(this.#found(key), (known) => {
        this.#known = known;
      });
    });
  }

  get data(): Data | null {
    this.#fields.read();
    return this.#known === null ? null : this.#known.data;
  }

  get id(): string | null {
    this.#fields.read();
    return this.#known === null ? null : this.#known.key;
  }

  get endsAt(): Date | null {
    this.#fields.read();
    return this.#known === null ? null : dateOf(this.#known.endsAtMs);
  }

  /** Calls a function when the session ends in this process, has ended, or is too old. Returns how to stop that. */
  follow(end: () => void, at: typeof endAt = endAt): () => void {
    const known = this.#known;
    if (known === null) return () => {};
    const { followers } = this.#rules;
    const follower: Follower = { key: known.key, owner: null, end };
    followers.add(follower);
    void this.#endIfOver(follower, known).catch(() => {
      // A store that fails says nothing of the session.
    });
    const stop = at(known.endsAtMs, end);
    return () => {
      stop();
      followers.delete(follower);
    };
  }

  /** The session may have ended since the request read it, in another process, too. */
  async #endIfOver(follower: Follower, { key, data }: Known<Data>): Promise<void> {
    const { store, idleMs, everyMs } = this.#rules;
    follower.owner = await this.#ownerOf(data);
    if (((await store.find(key, idleMs, everyMs)) ?? null) === null) follower.end();
  }

  async start(given: Data, { label = "" }: StartOptions = {}): Promise<void> {
    this.#fields.refuseLate();
    const { store, absoluteMs, idleMs } = this.#rules;
    const { text, data } = await this.#rules.data.written(given);
    const id = formatBase64url(crypto.getRandomValues(new Uint8Array(32)));
    const key = await this.#rules.digest(id);
    const owner = await this.#ownerOf(data);
    const session = { data: key + text, owner, label: JSON.stringify(label) };
    await askedStore(() => store.begin(key, session, idleMs, absoluteMs));
    // The new one first: if the store fails here, the client still has the old one.
    const old = this.#sentKey;
    if (old !== null) await this.#delete(old);
    this.#fields.set(id);
    this.#sentKey = key;
    this.#known = { key, version: "1", text, data, endsAtMs: Date.now() + absoluteMs };
  }

  async update(change: (data: Data) => Data | Promise<Data>): Promise<Data> {
    this.#fields.read();
    const { store, idleMs, data } = this.#rules;
    let known = this.#known;
    if (known === null) throw new Error("Cannot update a session: there is none; call start()");
    for (let tries = 1; tries <= mostTries; tries++) {
      const { key, version } = known;
      // Read again: what a function changes in place, and does not finish, is no data of this session.
      const before = (await data.read(known.text))!.data;
      const written = await data.rewritten(await change(before), known.text);
      await this.#refuseOwnerChange(known.data, written.data);
      const next = await askedStore(() => store.replace(key, version, key + written.text, idleMs));
      if (next !== null) {
        this.#known = { ...known, ...written, version: next };
        return written.data;
      }
      await turnAfter(tries);
      known = await this.#found(key);
      this.#known = known;
      if (known === null) throw ended();
    }
    throw refusal(Status.ServiceUnavailable, undefined, { "retry-after": "1" });
  }

  async end(): Promise<void> {
    const key = this.#sentKey;
    if (key !== null) await this.#delete(key);
    this.#known = null;
    this.#fields.set(null);
  }

  async #delete(key: string): Promise<void> {
    const { store, followers } = this.#rules;
    await askedStore(() => store.delete(key));
    await askedStore(() => followers.end(key));
  }

  #found(key: string): Known<Data> | null | Promise<Known<Data> | null> {
    const { store, data, idleMs, everyMs } = this.#rules;
    const finding = askedStore(() => after(store.find(key, idleMs, everyMs), (found) => checkedIfAny(found, key)));
    return after(finding, (stored) => {
      if (stored === null) return null;
      const text = stored.data.slice(key.length);
      const { version, leftMs } = stored;
      return after(
        data.read(text),
        (fit) => fit && { key, version, text, data: fit.data, endsAtMs: Date.now() + leftMs },
      );
    });
  }

  async #ownerOf(data: Data): Promise<string | null> {
    const { ownerOf } = this.#rules;
    if (ownerOf === undefined) return null;
    const owner: unknown = ownerOf(data);
    if (typeof owner === "string" && owner !== "") return this.#rules.digest(owner);
    throw new TypeError(`Cannot start a session: expected a string from "ownerOf", got ${described(owner)}`);
  }

  async #refuseOwnerChange(before: Data, data: Data): Promise<void> {
    if ((await this.#ownerOf(before)) === (await this.#ownerOf(data))) return;
    throw new TypeError("Cannot update a session: it would belong to somebody else; call start()");
  }
}

/** A store of somebody else may say `undefined`. */
function checkedIfAny(found: StoredSession | null | undefined, key: string): StoredSession | null {
  return (found ?? null) === null ? null : checked(found!, key);
}

/** The session of another key must not pass for this one, whatever a store or a cache in between returns. */
function checked(found: StoredSession, key: string): StoredSession {
  const { data, version, leftMs } = found as Partial<Record<keyof StoredSession, unknown>>;
  const isText = typeof data === "string" && typeof version === "string" && typeof leftMs === "number";
  if (isText && data.startsWith(key)) return found;
  throw new Error("Cannot read a session: the store returned something else than it was given");
}

/** RFC 9110 §15.5.2. */
function ended(): HTTPError {
  return refusal(Status.Unauthorized, undefined, { "www-authenticate": "Session" });
}

/** Lets faster requests finish, by a random wait, so that the same requests do not meet again. */
function turnAfter(tries: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * tries * 4));
}
