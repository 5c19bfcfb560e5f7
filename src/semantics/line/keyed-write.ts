import type { Answer } from "../../http/answer/carried-answer.ts";
import { after } from "../../http/javascript/thenable.ts";
import type { Bytes } from "../../http/javascript/bytes.ts";
import { fingerprintOf, targetOf } from "../../writes/fingerprint.ts";
import { formPartsOf } from "../../writes/form-parts.ts";
import { keyOf } from "../../writes/idempotency-key.ts";
import { keptOf, type Made } from "../../writes/kept-content.ts";
import { WriteRun } from "../../writes/write-run.ts";
import { keyedNamesOf } from "../../writes/write-names.ts";
import { checkedOwner, type WriteRules } from "../../writes/write-rules.ts";
import { isReply, reply } from "../declaration/reply.ts";
import type { RequestMedium } from "../operation/input-model.ts";
import type { LineResource, LineWrites } from "./allowed.ts";
import type { Answered } from "./answer-under-way.ts";
import { answeredBy, declaredAnswer } from "./declared-answer.ts";
import type { LineCall } from "./line-call.ts";
import type { Plan } from "./plan.ts";
import { knownLengthOf } from "./written-content.ts";

export interface LineWrite {
  /** The bytes of the content, which are read once. @throws {HTTPError} 413 when there are more than declared. */
  content(): Bytes | Promise<Bytes>;
  /** Finds the first answer; null if there is none. @throws {HTTPError} that answer; 409, 422 or 503. */
  found(): Promise<Answer | null>;
  /** Calls the handler, and keeps its answer. */
  answered(): Promise<Answer>;
}

/** Reads the key of a request; see `lineWriteOf()`. */
export async function keyedWriteOf(
  { rules, ownerOf }: LineWrites,
  resource: LineResource,
  plan: Plan,
  call: LineCall,
  media: RequestMedium | null,
): Promise<LineWrite | null> {
  const { request, fields } = call;
  const { method, mounted, declaration, content: declared } = plan.model;
  const key = keyOf(request, declaration.idempotency === true, rules);
  if (key === null) return null;
  const names = await keyedNamesOf(checkedOwner(await ownerOf(call)), method, request.params.pattern, key);
  let reading: Bytes | Promise<Bytes> | undefined;
  const content = (): Bytes | Promise<Bytes> =>
    (reading ??= media === null ? new Uint8Array() : call.carried.bytes(media.maxBytes));
  const run = new WriteRun({
    names,
    method,
    resource: mounted.name,
    rules,
    async fingerprint() {
      const type = declared === null ? "" : (fields.get("content-type") ?? "");
      return fingerprintOf({ method, target: targetOf(request.url), type, content: await content() }, formPartsOf);
    },
    made: (given) => madeOf(resource, plan, call, answeredBy(given, plan.emptyStatus), rules),
    tell: (error) => resource.onError(error, request),
  });
  const commit = async (transaction: unknown, given: unknown): Promise<unknown> => {
    // A driver may return another list than it was given.
    const passed = isReply(given) ? given : reply(answeredBy(given, plan.emptyStatus).status, given);
    await run.commit(transaction, given, passed);
    return passed;
  };
  return {
    content,
    found: () => run.found(),
    answered: () =>
      run.answered(() => {
        call.idempotency = { commit };
        return plan.handler(call);
      }),
  };
}

/** Makes an answer of what a handler answered with, and what is kept of it. */
function madeOf(
  resource: LineResource,
  plan: Plan,
  call: LineCall,
  answered: Answered,
  rules: WriteRules,
): Made | Promise<Made> {
  return after(declaredAnswer(resource, plan, call, answered, null, null), (answer) => {
    const { content, fields } = answer;
    const length = knownLengthOf(content);
    if (length !== null) fields.set("content-length", String(length));
    return keptOf(answer, rules);
  });
}
