import type { RecordStore, WriteLease, WriteRecord } from "../writes/record-store.ts";
import { scriptsBy, textsOf, type RedisClient, type RunScript } from "./redis-client.ts";

/**
 * Makes a store of records in Redis (6.2 or later) or Valkey, which processes share.
 *
 * Each record is a hash below `fingerpost:write:`, which Redis forgets by itself. The clock is the server's. The
 * handler's effect and the record are two steps: `commit()` is for databases.
 *
 * @param client a connected client that you made.
 * @throws {TypeError} when it is not a client.
 * @example
 * ```ts
 * import { createClient } from "@redis/client";
 *
 * const store = redisRecords(createClient({ url: "redis://127.0.0.1" }));
 * const once = idempotency({ store, ownerOf: () => "everyone" });
 * ```
 */
export function redisRecords(client: RedisClient): RecordStore {
  return new RedisRecords(scriptsBy("redisRecords", client));
}

class RedisRecords implements RecordStore {
  readonly #run: RunScript;

  constructor(run: RunScript) {
    this.#run = run;
  }

  async find(key: string): Promise<WriteRecord | null> {
    return recordIn(await this.#run(scripts.find, nameOf(key)));
  }

  async begin(key: string, fingerprint: string, leaseMs: number, ttlMs: number): Promise<WriteLease | WriteRecord> {
    const reply = textsOf(await this.#run(scripts.begin, nameOf(key), fingerprint, leaseMs, ttlMs));
    return reply.length === 1 ? { fence: reply[0]! } : recordIn(reply)!;
  }

  async extend(key: string, fence: string, leaseMs: number): Promise<boolean> {
    return Number(await this.#run(scripts.extend, nameOf(key), fence, leaseMs)) === 1;
  }

  async finish(key: string, fence: string, answer: string, ttlMs: number): Promise<boolean> {
    return Number(await this.#run(scripts.finish, nameOf(key), fence, answer, ttlMs)) === 1;
  }

  async release(key: string, fence: string): Promise<void> {
    await this.#run(scripts.release, nameOf(key), fence);
  }
}

function nameOf(key: string): string {
  return `fingerpost:write:${key}`;
}

function recordIn(reply: unknown): WriteRecord | null {
  const [fingerprint, state, answer = ""] = textsOf(reply);
  return fingerprint === undefined ? null : { fingerprint, answer: state === "done" ? answer : null };
}

// `f` is the fingerprint, `n` the fence, `u` the end of the lease in microseconds, `a` the answer. A fence is the time,
// or one more than the last one: it grows even where the clock was set back, or the record was forgotten.
const known = `
  local time = redis.call("TIME")
  local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
  local f, n, u, a = unpack(redis.call("HMGET", KEYS[1], "f", "n", "u", "a"))
  local isOver = f and not a and tonumber(u) <= now
  local function record() return a and { f, "done", a } or { f, "running" } end`;

const scripts = {
  find: `${known}
  if not f or isOver then return {} end
  return record()`,
  begin: `${known}
  if f and not (isOver and f == ARGV[1]) then return record() end
  local fence = string.format("%.0f", math.max(now, tonumber(n or 0) + 1))
  redis.call("HSET", KEYS[1], "f", ARGV[1], "n", fence, "u", string.format("%.0f", now + ARGV[2] * 1000))
  redis.call("PEXPIRE", KEYS[1], ARGV[3])
  return { fence }`,
  extend: `${known}
  if a or n ~= ARGV[1] then return 0 end
  redis.call("HSET", KEYS[1], "u", string.format("%.0f", now + ARGV[2] * 1000))
  if redis.call("PTTL", KEYS[1]) < tonumber(ARGV[2]) then redis.call("PEXPIRE", KEYS[1], ARGV[2]) end
  return 1`,
  finish: `${known}
  if a or n ~= ARGV[1] then return 0 end
  redis.call("HSET", KEYS[1], "a", ARGV[2])
  redis.call("PEXPIRE", KEYS[1], ARGV[3])
  return 1`,
  release: `${known}
  if not a and n == ARGV[1] then redis.call("DEL", KEYS[1]) end
  return 1`,
} as const;
