import { described } from "../http/javascript/described.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import type { Consumption, Limiter } from "../middleware/lib/limiter.ts";
import type { RecordStore } from "../writes/record-store.ts";
import type { SessionEntry, SessionStore } from "./sessions/session-store.ts";
import { sqliteBy, type SqliteStorage } from "./sqlite-client.ts";
import { SqliteLimits } from "./sqlite-limits.ts";
import { sqliteRecords } from "./sqlite-records.ts";
import { sqliteSessions } from "./sqlite-sessions.ts";

/** The part of the state of a Durable Object that the class uses. */
export interface DurableState {
  readonly storage: SqliteStorage;
}

/** A binding to the objects of a class. */
export interface DurableNamespace {
  idFromName(name: string): unknown;
  get(id: never): { fetch(url: string, init: { method: string; body: string }): Promise<Answer> };
}

/** What functions that make stores take besides. */
export interface DurableOptions {
  /**
   * Number of objects that share the keys. Records stored with another number are not found. Default: 16.
   */
  readonly maxObjects?: number | undefined;
}

/** Options of `durableLimiter()`. */
export interface DurableLimiterOptions extends DurableOptions {
  /** Number of requests that a client may send in a window. */
  readonly quota: number;
  /** The window, in milliseconds. */
  readonly windowMs: number;
}

interface Answer {
  json(): Promise<unknown>;
}

/**
 * The class of the Durable Objects that keep writes, sessions and limits. Export it from your Worker, and bind it with
 * storage in SQLite.
 *
 * Only `durableRecords()`, `durableSessions()` and `durableLimiter()` ask it: pass no request of a client to it.
 *
 * @example
 * ```ts
 * export class Stores extends DurableStore {}
 * ```
 */
export class DurableStore {
  readonly #stores: Readonly<Record<string, object>>;
  readonly #created: Promise<unknown>;

  constructor(state: DurableState) {
    const [writes, sessions] = [sqliteRecords(state.storage), sqliteSessions(state.storage)];
    const limits = new SqliteLimits(sqliteBy(state.storage));
    this.#stores = { writes, sessions, limits };
    this.#created = Promise.all([writes.create(), sessions.create(), limits.create()]);
  }

  /** Answers a question of a store. */
  async fetch(request: Pick<Request, "json">): Promise<Response> {
    const [kind, name, args] = (await request.json()) as Question;
    await this.#created;
    const store = this.#stores[kind] as Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;
    return Response.json({ given: await store[name]!(...args) });
  }
}

/**
 * Makes a store of records in Durable Objects. The handler's effect and the record are two steps: where an isolate is
 * killed in between, a repeat runs the handler again.
 *
 * @param namespace the binding to `DurableStore`.
 * @throws {TypeError} when it is not a binding, or an option is wrong.
 * @example
 * ```ts
 * const onceBy = (env: { STORES: DurableNamespace }) =>
 *   idempotency({ store: durableRecords(env.STORES), ownerOf: () => "everyone" });
 * ```
 */
export function durableRecords(namespace: DurableNamespace, options: DurableOptions = {}): RecordStore {
  const ask = askedBy("writes", namespace, new OptionCheck("durableRecords", options, ["maxObjects"]));
  return storeOf<RecordStore>(ask, ["find", "begin", "extend", "finish", "release"]);
}

/**
 * Makes a store of sessions in Durable Objects.
 *
 * @param namespace the binding to `DurableStore`.
 * @throws {TypeError} when it is not a binding, or an option is wrong.
 * @example
 * ```ts
 * const session = new Attribute<Session<{ user: string }>>("session");
 * const schema = z.object({ user: z.string() });
 * const sessionsIn = (env: { STORES: DurableNamespace }) =>
 *   sessions({ session, schema, store: durableSessions(env.STORES) });
 * ```
 */
export function durableSessions(namespace: DurableNamespace, options: DurableOptions = {}): SessionStore {
  const ask = askedBy("sessions", namespace, new OptionCheck("durableSessions", options, ["maxObjects"]));
  return {
    ...storeOf<SessionStore>(ask, ["find", "begin", "replace", "delete"]),
    /** Any object may have sessions of an owner. */
    async list(owner) {
      const each = (await Promise.all(ask.all("list", [owner]))) as SessionEntry[][];
      return each
        .flat()
        .map((entry) => ({ ...entry, startedAt: new Date(entry.startedAt), seenAt: new Date(entry.seenAt) }))
        .toSorted((one, other) => one.startedAt.getTime() - other.startedAt.getTime());
    },
  };
}

/**
 * Makes a limiter for `rateLimit()` that counts in Durable Objects.
 *
 * @param namespace the binding to `DurableStore`.
 * @throws {TypeError} when it is not a binding, or an option is wrong.
 * @example
 * ```ts
 * import { rateLimit } from "fingerpost/middleware/rate-limit";
 *
 * const limitBy = (env: { STORES: DurableNamespace }) =>
 *   rateLimit({ limiter: durableLimiter(env.STORES, { quota: 100, windowMs: 60_000 }) });
 * ```
 */
export function durableLimiter(namespace: DurableNamespace, options: DurableLimiterOptions): Limiter {
  const check = new OptionCheck("durableLimiter", options, ["quota", "windowMs", "maxObjects"]);
  const { quota, windowMs } = check.options;
  for (const option of ["quota", "windowMs"] as const) {
    check.require(check.options[option] !== undefined, option, "given");
    check.positive(option);
  }
  const ask = askedBy("limits", namespace, check);
  return {
    points: quota,
    duration: Math.ceil(windowMs / 1000),
    async consume(key) {
      const [used, msBeforeNext] = (await ask.of(key, "take", [key, windowMs])) as [number, number];
      const consumption: Consumption = { remainingPoints: Math.max(0, quota - used), msBeforeNext };
      if (used <= quota) return consumption;
      // As the limiters of rate-limiter-flexible do.
      throw consumption as unknown as Error;
    },
  };
}

type Question = readonly [kind: string, name: string, args: readonly unknown[]];

interface Asking {
  /** Asks the object of a key. */
  of(key: string, name: string, args: readonly unknown[]): Promise<unknown>;
  /** Asks all objects. */
  all(name: string, args: readonly unknown[]): Promise<unknown>[];
}

function askedBy(kind: string, namespace: DurableNamespace, check: OptionCheck<DurableOptions>): Asking {
  check.positive("maxObjects");
  const { maxObjects = 16 } = check.options;
  if (typeof (Object(namespace) as Partial<DurableNamespace>).idFromName !== "function") {
    throw new TypeError(
      `Cannot ask Durable Objects: expected the binding of DurableStore, got ${described(namespace)}`,
    );
  }
  const at = async (index: number, name: string, args: readonly unknown[]): Promise<unknown> => {
    const object = namespace.get(namespace.idFromName(`${kind}-${index}`) as never);
    const body = JSON.stringify([kind, name, args] satisfies Question);
    const answer = await object.fetch("https://store/", { method: "POST", body });
    return ((await answer.json()) as { readonly given?: unknown }).given;
  };
  return {
    of: (key, name, args) => at(indexOf(key, maxObjects), name, args),
    all: (name, args) => Array.from({ length: maxObjects }, (_, index) => at(index, name, args)),
  };
}

/** A store whose methods ask the object of their first argument. */
function storeOf<Store>({ of }: Asking, names: readonly (keyof Store & string)[]): Store {
  return Object.fromEntries(
    names.map((name) => [name, (...args: readonly [string, ...unknown[]]) => of(args[0], name, args)]),
  ) as Store;
}

function indexOf(key: string, count: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193) >>> 0;
  return hash % count;
}
