import type { keyedWriteOf, LineWrite } from "./keyed-write.ts";

/** Is loaded by need: applications whose operations take no keys are smaller (npm run size). */
let loaded: typeof keyedWriteOf | undefined;

/**
 * Reads the key of a request. Returns null without one.
 * @throws {HTTPError} 400 when it is not a key, or there is none where it is required.
 */
export async function lineWriteOf(...args: Parameters<typeof keyedWriteOf>): Promise<LineWrite | null> {
  loaded ??= (await import("./keyed-write.ts")).keyedWriteOf;
  return loaded(...args);
}
