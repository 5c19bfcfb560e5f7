import type { LineWrite, writeOf } from "./line-write.ts";

/** Is loaded by need: applications whose operations take no keys are smaller (npm run size). */
let write: typeof writeOf | undefined;

/**
 * Reads the key of a request. Returns null without one.
 *
 * @throws {HTTPError} 400 when it is not a key, or there is none where it is required.
 */
export function lineWriteOf(...args: Parameters<typeof writeOf>): LineWrite | null | Promise<LineWrite | null> {
  return write === undefined ? firstWriteOf(args) : write(...args);
}

async function firstWriteOf(args: Parameters<typeof writeOf>): Promise<LineWrite | null> {
  write = (await import("./line-write.ts")).writeOf;
  return write(...args);
}
