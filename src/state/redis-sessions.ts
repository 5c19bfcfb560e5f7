import { scriptsBy, textsOf, type RedisClient, type RunScript } from "./redis-client.ts";
import type { NewSession, SessionEntry, SessionStore, StoredSession } from "./sessions/session-store.ts";

/**
 * Makes a store of sessions in Redis (6.2 or later) or Valkey, which processes share.
 *
 * Each session is a hash below `fingerpost:session:`, and the sessions of an owner are a sorted set below
 * `fingerpost:sessions-of:`. Redis forgets both by itself. The clock is the server's.
 *
 * @param client a connected client that you made.
 * @throws {TypeError} when it is not a client.
 * @example
 * ```ts
 * import { createClient } from "@redis/client";
 *
 * const session = new Attribute<Session<{ user: string }>>("session");
 * const schema = z.object({ user: z.string() });
 * const store = redisSessions(createClient({ url: "redis://127.0.0.1" }));
 * const app = Application.builder().middleware(sessions({ session, schema, store })).build();
 * ```
 */
export function redisSessions(client: RedisClient): SessionStore {
  return new RedisSessions(scriptsBy("redisSessions", client));
}

class RedisSessions implements SessionStore {
  readonly #run: RunScript;

  constructor(run: RunScript) {
    this.#run = run;
  }

  async find(key: string, idleMs: number, everyMs: number): Promise<StoredSession | null> {
    const [data, version, leftMs] = textsOf(await this.#run(scripts.find, nameOf(key), idleMs, everyMs));
    return data === undefined ? null : { data, version: version!, leftMs: Number(leftMs) };
  }

  async begin(key: string, session: NewSession, idleMs: number, absoluteMs: number): Promise<void> {
    const { data, owner, label } = session;
    // The list first: a session that is not listed could not be revoked. A name without its session is skipped.
    if (owner !== null) await this.#run(scripts.add, listOf(owner), key, absoluteMs);
    await this.#run(scripts.begin, nameOf(key), data, owner ?? "", label, idleMs, absoluteMs);
  }

  async replace(key: string, version: string, data: string, idleMs: number): Promise<string | null> {
    const [next] = textsOf(await this.#run(scripts.replace, nameOf(key), version, data, idleMs));
    return next ?? null;
  }

  async delete(key: string): Promise<void> {
    const [owner = ""] = textsOf(await this.#run(scripts.delete, nameOf(key)));
    if (owner !== "") await this.#run(scripts.remove, listOf(owner), key);
  }

  async list(owner: string): Promise<readonly SessionEntry[]> {
    const keys = textsOf(await this.#run(scripts.list, listOf(owner)));
    const found = await Promise.all(keys.map((key) => this.#entry(key)));
    return found.flat();
  }

  async #entry(id: string): Promise<SessionEntry[]> {
    const [started, seen, label] = textsOf(await this.#run(scripts.entry, nameOf(id)));
    return label === undefined ? [] : [{ id, startedAt: dateOf(started), seenAt: dateOf(seen), label }];
  }
}

function nameOf(key: string): string {
  return `fingerpost:session:${key}`;
}

function listOf(owner: string): string {
  return `fingerpost:sessions-of:${owner}`;
}

function dateOf(microseconds: string | undefined): Date {
  return new Date(Number(microseconds) / 1000);
}

// `d` is the data, `v` the version, `o` the owner, `l` the label, `s`, `n` and `e` the start, the last time it was seen
// and the absolute end, in microseconds.
const clock = `
  local time = redis.call("TIME")
  local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
  local function digits(number) return string.format("%.0f", number) end
  local function extend(idle, left)
    redis.call("HSET", KEYS[1], "n", digits(now))
    redis.call("PEXPIRE", KEYS[1], digits(math.max(1, math.min(tonumber(idle), left))))
  end`;

const scripts = {
  find: `${clock}
  local d, v, n, e = unpack(redis.call("HMGET", KEYS[1], "d", "v", "n", "e"))
  if not e then return {} end
  local left = math.floor((tonumber(e) - now) / 1000)
  if left <= 0 then return {} end
  local ago = now - tonumber(n)
  if ago < 0 or ago > ARGV[2] * 1000 then extend(ARGV[1], left) end
  return { d, v, digits(left) }`,
  begin: `${clock}
  redis.call("HSET", KEYS[1], "d", ARGV[1], "v", "1", "o", ARGV[2], "l", ARGV[3], "s", digits(now),
    "e", digits(now + ARGV[5] * 1000))
  extend(ARGV[4], tonumber(ARGV[5]))
  return 1`,
  replace: `${clock}
  local v, e = unpack(redis.call("HMGET", KEYS[1], "v", "e"))
  if v ~= ARGV[1] or tonumber(e) <= now then return {} end
  local next = digits(tonumber(v) + 1)
  redis.call("HSET", KEYS[1], "d", ARGV[2], "v", next)
  extend(ARGV[3], math.floor((tonumber(e) - now) / 1000))
  return { next }`,
  delete: `
  local owner = redis.call("HGET", KEYS[1], "o")
  redis.call("DEL", KEYS[1])
  return owner and { owner } or {}`,
  add: `${clock}
  redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", digits(now))
  redis.call("ZADD", KEYS[1], digits(now + ARGV[2] * 1000), ARGV[1])
  if redis.call("PTTL", KEYS[1]) < tonumber(ARGV[2]) then redis.call("PEXPIRE", KEYS[1], ARGV[2]) end
  return 1`,
  remove: `
  redis.call("ZREM", KEYS[1], ARGV[1])
  return 1`,
  list: `${clock}
  redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", digits(now))
  return redis.call("ZRANGE", KEYS[1], 0, -1)`,
  entry: `
  local s, n, l = unpack(redis.call("HMGET", KEYS[1], "s", "n", "l"))
  return s and { s, n, l } or {}`,
} as const;
