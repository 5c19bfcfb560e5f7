import { OptionCheck } from "../http/javascript/option-check.ts";
import { forgettingEnded, knownIn, nowMs, putIn } from "./ending-entries.ts";
import type { NewSession, SessionEntry, SessionStore, StoredSession } from "./sessions/session-store.ts";

/** Options of `memorySessions()`. */
export interface MemorySessionsOptions {
  /** Maximum number of sessions. Beyond it, a new session gets 503. Default: 100,000. */
  readonly maxSessions?: number | undefined;
}

interface Entry extends NewSession {
  /** Is counted up by each change. */
  readonly version: number;
  readonly startedAt: Date;
  readonly seenAt: Date;
  readonly seenMs: number;
  readonly endMs: number;
  readonly absoluteEndMs: number;
}

/**
 * Makes a store of sessions in the memory of this process: for tests, and for one process that may forget.
 *
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * const session = new Attribute<Session<{ user: string }>>("session");
 * const schema = z.object({ user: z.string() });
 * const app = Application.builder()
 *   .middleware(sessions({ session, schema, store: memorySessions() }))
 *   .build();
 * ```
 */
export function memorySessions(options: MemorySessionsOptions = {}): SessionStore {
  const check = new OptionCheck("memorySessions", options, ["maxSessions"]);
  const { maxSessions = 100_000 } = check.options;
  check.positive("maxSessions");
  return new MemorySessions(maxSessions);
}

class MemorySessions implements SessionStore {
  readonly #maxSessions: number;
  readonly #entries = new Map<string, Entry>();
  readonly #forgetEnded = forgettingEnded(this.#entries, (old) => this.delete(old));
  readonly #keysOf = new Map<string, Set<string>>();

  constructor(maxSessions: number) {
    this.#maxSessions = maxSessions;
  }

  find(key: string, idleMs: number, everyMs: number): StoredSession | null {
    const entry = knownIn(this.#entries, key);
    if (entry === null) return null;
    if (nowMs() - entry.seenMs > everyMs) this.#extend(key, entry, idleMs);
    return { data: entry.data, version: String(entry.version), leftMs: entry.absoluteEndMs - nowMs() };
  }

  begin(key: string, session: NewSession, idleMs: number, absoluteMs: number): void {
    this.#forgetEnded();
    if (this.#entries.size >= this.#maxSessions) {
      throw new Error(`Cannot start a session: there are ${this.#maxSessions} already; raise "maxSessions"`);
    }
    const startedAt = new Date();
    const times = { startedAt, seenAt: startedAt, seenMs: nowMs(), endMs: 0, absoluteEndMs: nowMs() + absoluteMs };
    this.#extend(key, { ...session, version: 1, ...times }, idleMs);
    if (session.owner === null) return;
    const keys = this.#keysOf.get(session.owner) ?? new Set();
    this.#keysOf.set(session.owner, keys.add(key));
  }

  replace(key: string, version: string, data: string, idleMs: number): string | null {
    const entry = knownIn(this.#entries, key);
    if (entry === null || String(entry.version) !== version) return null;
    this.#extend(key, { ...entry, data, version: entry.version + 1 }, idleMs);
    return String(entry.version + 1);
  }

  delete(key: string): void {
    const owner = this.#entries.get(key)?.owner ?? null;
    this.#entries.delete(key);
    if (owner === null) return;
    const keys = this.#keysOf.get(owner)!;
    keys.delete(key);
    if (keys.size === 0) this.#keysOf.delete(owner);
  }

  list(owner: string): readonly SessionEntry[] {
    return [...(this.#keysOf.get(owner) ?? [])].flatMap((id) => {
      const entry = knownIn(this.#entries, id);
      return entry === null ? [] : [{ id, startedAt: entry.startedAt, seenAt: entry.seenAt, label: entry.label }];
    });
  }

  #extend(key: string, entry: Entry, idleMs: number): void {
    const endMs = Math.min(nowMs() + idleMs, entry.absoluteEndMs);
    putIn(this.#entries, key, { ...entry, seenAt: new Date(), seenMs: nowMs(), endMs });
  }
}
