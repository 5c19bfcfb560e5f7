import { Params } from "../../dispatch/params.ts";
import { isFieldValue, isToken } from "../../fields/token.ts";
import { framing } from "../../http/message/framed-content.ts";
import type { UnmadeResponse } from "../../http/message/unmade-response.ts";
import { unmadeResponse, isMadeLast, textResponse } from "../../http/message/response.ts";
import type { ReplyFields } from "../declaration/reply.ts";
import type { AnswerMedium } from "../operation/answer-model.ts";
import type { LineResource } from "./allowed.ts";
import type { Answered } from "./answer-response.ts";
import type { LineRequest } from "./line-call.ts";
import type { Plan } from "./plan.ts";

/** What the response of a plain answer is made of. */
interface PlainParts {
  /** Names and values by turns. */
  readonly fields: readonly string[];
  /** Null where the answer has no content. */
  readonly text: string | null;
}

/**
 * Makes the response of a plain answer; null where it is none, or is not as it should be: then all steps look at it.
 *
 * @param isFinished whether the caller makes the response.
 */
export function plainResponse(
  resource: LineResource,
  plan: Plan,
  answer: Answered,
  request: LineRequest,
  isFinished: boolean,
): Response | UnmadeResponse | null {
  const parts = plainParts(resource, plan, answer);
  if (parts === null) return null;
  const { status } = answer;
  const { fields, text } = parts;
  // Middleware, here or further out, adds fields.
  return isFinished && isMadeLast && Params.carriedBy(request.params) !== null
    ? unmadeResponse(status, fields, text)
    : textResponse(status, fields, text, !isForServer(request));
}

/**
 * Returns whether nobody but the server of Bun or Deno gets an answer: no middleware, here or further out. The server
 * writes the length.
 *
 * PERF: 8 us of 39 on Deno, 1 us of 32 on Bun (`node bench/requests.js --measure=sockets`, R3 and R2).
 */
function isForServer(request: LineRequest): boolean {
  return framing?.isServed(request) === true && Params.carriedBy(request.params) === null;
}

/** Returns what `plainResponse()` makes a response of. */
export function plainParts(
  resource: LineResource,
  plan: Plan,
  { status, content, headers }: Answered,
): PlainParts | null {
  const plain = plan.plainAnswers.get(status);
  if (plain === undefined) return null;
  const fields = headers === undefined ? plain.fields : withFields(plain.fields, headers);
  if (fields === null) return null;
  if (plain.media === null) return { fields, text: null };
  const text = textOf(resource, plain.media, content);
  return text === null ? null : { fields, text };
}

function textOf({ replies }: LineResource, { schema, isJson, writer }: AnswerMedium, content: unknown): string | null {
  if (schema === null) return typeof content === "string" ? content : null;
  if (replies !== "plan" || !isJson || writer!.isPartial) return null;
  const text = writer!.write(content);
  return typeof text === "string" ? text : null;
}

/**
 * Adds fields besides the fixed ones. Returns null if one replaces a fixed field or the length, or has several values.
 */
function withFields(fixed: readonly string[], given: ReplyFields): string[] | null {
  const fields = [...fixed];
  for (const [name, value] of Object.entries(given)) {
    const key = name.toLowerCase();
    if (typeof value !== "string" || !isFieldValue(value) || !isToken(key) || fields.includes(key)) return null;
    // The content has its own length, and the server its own framing: what a handler says is compared.
    if (key === "content-length" || key === "transfer-encoding") return null;
    fields.push(key, value);
  }
  return fields;
}
