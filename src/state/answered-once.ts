import { Attribute } from "../application/attribute.ts";
import { reportLateError } from "../dispatch/late-error.ts";
import { responseOf } from "../middleware/lib/response-fields.ts";
import { errorKept, isKept, type KeptAnswer } from "../writes/kept-answer.ts";
import { readKept } from "../writes/kept-content.ts";
import type { Lease } from "../writes/write-line.ts";

/** The right of each request to run its write. */
export const writes: Attribute<Lease> = new Attribute("write");

/**
 * Runs a write, and keeps its answer. If the store fails then, the client gets the answer, and the observer the error.
 *
 * @param keeps returns whether an answer with a status is kept, of those that can be.
 */
export async function answeredOnce(
  lease: Lease,
  input: object,
  run: () => unknown,
  keeps: (status: number) => boolean = () => true,
): Promise<unknown> {
  let response: Response;
  lease.extend();
  try {
    response = responseOf(await run());
    if (lease.committed !== null && lease.committed !== response) {
      throw new TypeError("Cannot answer a write: the handler returned another response than it committed");
    }
  } catch (error) {
    const answer = errorKept(error);
    await kept(lease, answer !== null && keeps(answer.error.status) ? answer : null, input);
    throw error;
  }
  if (lease.committed !== null) {
    lease.end();
    return response;
  }
  if (!isKept(response.status, response.headers) || !keeps(response.status)) {
    await kept(lease, null, input);
    return response;
  }
  const [content, answer] = await readKept(response).catch(async (error: unknown) => {
    await kept(lease, null, input);
    throw error;
  });
  const { status, statusText, headers } = response;
  await kept(lease, { status, statusText, fields: [...headers], content }, input);
  return answer;
}

async function kept(lease: Lease, answer: KeptAnswer | null, input: object): Promise<void> {
  try {
    await (answer === null ? lease.release() : lease.finish(answer));
  } catch (error) {
    reportLateError(error, input);
  }
}
