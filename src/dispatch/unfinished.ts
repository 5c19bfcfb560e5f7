import { UnmadeResponse } from "../http/message/unmade-response.ts";

/**
 * An error that nobody has thrown yet. It passes what knows it, and is thrown before anybody else gets it.
 *
 * PERF: Promises that reject are 8 % of a 404 on Node (`node bench/requests/kernel-less.js "fingerpost semantics" "R6
 * 404"`).
 */
export class Failed {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/** The result of a handler that leaves it to its caller to finish it. */
export type Unfinished = Response | UnmadeResponse | Failed;

/**
 * Returns the result of a handler as users get it. Results of `MountedResource.unfinished` differ: a response that is
 * not made yet, or an error.
 */
export function finished(result: unknown): unknown {
  if (result instanceof UnmadeResponse) return result.finished();
  if (result instanceof Failed) throw result.error;
  return result;
}
