import type { LinePlace, LineWrites } from "./allowed.ts";
import type { LineCall } from "./line-call.ts";
import type { LineWrite, writeOf } from "./line-write.ts";
import type { Plan } from "./plan.ts";
import type { RequestMedium } from "../operation/input-model.ts";

let loaded: Promise<{ readonly writeOf: typeof writeOf }> | undefined;

/**
 * Reads the key of a request. Returns null without one.
 *
 * @throws {HTTPError} 400 when it is not a key, or there is none where it is required.
 */
export async function lineWriteOf(
  writes: LineWrites,
  place: LinePlace,
  plan: Plan,
  call: LineCall,
  media: RequestMedium | null,
): Promise<LineWrite | null> {
  // By need: applications whose operations take no keys are smaller (npm run size).
  const engine = await (loaded ??= import("./line-write.ts"));
  return engine.writeOf(writes, place, plan, call, media);
}
