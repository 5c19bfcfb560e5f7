import { reportServerFault } from "./error-response.ts";
import { latestOf } from "./input-exchange.ts";
import type { Input } from "./input.ts";

/**
 * Reports an error of a request that is answered without it: to the observer of the application, or to the console.
 * @param input what middleware was given.
 */
export function reportLateError(error: unknown, input: object): void {
  const { chain, first } = latestOf(input)!;
  const { onLateError } = chain[0]!.dispatcher;
  (onLateError ?? reportServerFault)(error, first.input as Input);
}
