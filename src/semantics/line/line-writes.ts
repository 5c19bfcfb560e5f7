import type { LineWrite, writeOf } from "./line-write.ts";

let loaded: Promise<{ readonly writeOf: typeof writeOf }> | undefined;

/**
 * Reads the key of a request. Returns null without one.
 *
 * @throws {HTTPError} 400 when it is not a key, or there is none where it is required.
 */
export async function lineWriteOf(...args: Parameters<typeof writeOf>): Promise<LineWrite | null> {
  // By need: applications whose operations take no keys are smaller (npm run size).
  const engine = await (loaded ??= import("./line-write.ts"));
  return engine.writeOf(...args);
}
