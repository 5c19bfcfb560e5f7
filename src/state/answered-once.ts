import { Attribute } from "../application/attribute.ts";
import { routedBy } from "../dispatch/input-exchange.ts";
import { reportLateError } from "../dispatch/late-error.ts";
import { patternOf } from "../middleware/lib/outcome.ts";
import { responseOf as givenResponse } from "../middleware/lib/response-fields.ts";
import { answerMade } from "../http/answer/carried-answer.ts";
import { responseOf } from "../http/message/response.ts";
import { keptOf } from "../writes/kept-content.ts";
import { WriteRun, type Write } from "../writes/write-run.ts";

export const writes: Attribute<WriteRun> = new Attribute("write");

/** Runs the write of a request, or repeats its first answer. */
export async function answeredOnce(
  input: object,
  write: Pick<Write, "names" | "fingerprint" | "rules">,
  handle: () => unknown,
): Promise<Response> {
  const run = new WriteRun({
    ...write,
    method: routedBy(input).method,
    resource: patternOf(input)!,
    made: (given) => keptOf(answerMade(givenResponse(given)), write.rules),
    tell: (error) => reportLateError(error, input),
  });
  writes.set(input, run);
  return responseOf(await run.answered(handle));
}
