import { described } from "../http/javascript/described.ts";

/**
 * A client of Redis or Valkey that you made: of `redis` (or `@redis/client`), or of `ioredis`. It can be one of a
 * cluster, too.
 */
export type RedisClient = NodeRedisClient | IORedisClient;

/** The members that are used of a client of `redis`. */
interface NodeRedisClient {
  eval(script: string, options: { readonly keys: string[]; readonly arguments: string[] }): Promise<unknown>;
}

/** The members that are used of a client of `ioredis`. */
interface IORedisClient {
  eval(script: string, keys: number, ...keysAndArguments: string[]): Promise<unknown>;
  /** `redis` has no method of this name. */
  call(command: string, ...args: string[]): Promise<unknown>;
}

/** Runs a script of Lua on one key. It runs as one step. */
export type RunScript = (script: string, key: string, ...args: readonly (string | number)[]) => Promise<unknown>;

/** Returns a function that runs scripts by a client. @throws {TypeError} when it is not a client. */
export function scriptsBy(caller: string, client: RedisClient): RunScript {
  const { eval: run, call } = (client ?? {}) as Partial<IORedisClient>;
  if (typeof run !== "function") {
    throw new TypeError(`Cannot call ${caller}(): expected a client of redis or ioredis, got ${described(client)}`);
  }
  return typeof call === "function"
    ? (script, key, ...args) => (client as IORedisClient).eval(script, 1, key, ...args.map(String))
    : (script, key, ...args) => (client as NodeRedisClient).eval(script, { keys: [key], arguments: args.map(String) });
}

/** Reads a list of texts that a script returned. */
export function textsOf(reply: unknown): string[] {
  return Array.isArray(reply) ? reply.map(String) : [];
}
