import { described } from "../http/javascript/described.ts";
import { hexOf } from "../http/javascript/digest.ts";

/**
 * A client of Redis or Valkey that you made: of `redis` (or `@redis/client`), or of `ioredis`. It can be one of a
 * cluster, too.
 */
export type RedisClient = NodeRedisClient | IORedisClient;

/** The members that are used of a client of `redis`. */
interface NodeRedisClient {
  eval(script: string, options: { readonly keys: string[]; readonly arguments: string[] }): Promise<unknown>;
  evalSha?(digest: string, options: { readonly keys: string[]; readonly arguments: string[] }): Promise<unknown>;
}

/** The members that are used of a client of `ioredis`. */
interface IORedisClient {
  eval(script: string, keys: number, ...keysAndArguments: string[]): Promise<unknown>;
  evalsha?(digest: string, keys: number, ...keysAndArguments: string[]): Promise<unknown>;
  /** `redis` has no method of this name. */
  call(command: string, ...args: string[]): Promise<unknown>;
}

/** Runs a script of Lua on one key. It runs as one step. */
export type RunScript = (script: string, key: string, ...args: readonly (string | number)[]) => Promise<unknown>;

/** Returns a function that runs scripts by a client. @throws {TypeError} when it is not a client. */
export function scriptsBy(caller: string, given: RedisClient): RunScript {
  const client = (given ?? {}) as Partial<NodeRedisClient & IORedisClient>;
  if (typeof client.eval !== "function") {
    throw new TypeError(`Cannot call ${caller}(): expected a client of redis or ioredis, got ${described(given)}`);
  }
  const isIORedis = typeof client.call === "function";
  const byDigest = isIORedis ? client.evalsha : client.evalSha;
  const call = (run: Run, script: string, key: string, args: readonly (string | number)[]): Promise<unknown> =>
    isIORedis
      ? run.call(given, script, 1, key, ...args.map(String))
      : run.call(given, script, { keys: [key], arguments: args.map(String) });
  return async (script, key, ...args) => {
    if (byDigest === undefined) return call(client.eval as Run, script, key, args);
    try {
      return await call(byDigest as Run, digests.get(script) ?? (await digestOf(script)), key, args);
    } catch (error) {
      // A server that does not know the script ran nothing of it. EVAL makes it known.
      if (!/^NOSCRIPT\b/.test(String((error as Error | null)?.message))) throw error;
      return call(client.eval as Run, script, key, args);
    }
  };
}

type Run = (...args: unknown[]) => Promise<unknown>;

/** Digests by their scripts, of which there are as many as there are in the code. */
const digests = /* @__PURE__ */ new Map<string, string>();

async function digestOf(script: string): Promise<string> {
  const digest = hexOf(new Uint8Array(await crypto.subtle.digest("SHA-1", new TextEncoder().encode(script))));
  digests.set(script, digest);
  return digest;
}

/** Reads a list of texts that a script returned. */
export function textsOf(reply: unknown): string[] {
  return Array.isArray(reply) ? reply.map(String) : [];
}
