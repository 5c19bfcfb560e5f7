import type { Validators } from "../../fields/preconditions.ts";
import { isFieldValue, isToken } from "../../fields/token.ts";
import { Answer } from "../../http/answer/carried-answer.ts";
import { isReply, type ReplyHeaders } from "../declaration/reply.ts";
import type { AnswerMedium } from "../operation/answer-model.ts";
import type { LineResource } from "./allowed.ts";
import { AnswerUnderWay, type Answered } from "./answer-under-way.ts";
import type { LineCall } from "./line-call.ts";
import type { Plan } from "./plan.ts";
import { fieldsWith } from "./unmodified-fields.ts";

/** Reads what a handler returned: a reply, or the content of 200. */
export function answeredBy(given: unknown, emptyStatus: number): Answered {
  if (isReply(given)) return given;
  return { status: given === undefined ? emptyStatus : 200, content: given, headers: undefined };
}

/**
 * Makes the answer, as declared. It is there at once where it takes no decision, and nothing about it is wrong.
 * Otherwise it comes by a Promise, when all was looked at.
 *
 * @param current the validators of the representation that a read answers with.
 * @param link the value of `Link` for a page.
 * @throws {TypeError} when the status is not declared, or content or fields do not fit: the server is at fault.
 */
export function declaredAnswer(
  resource: LineResource,
  plan: Plan,
  call: LineCall,
  answered: Answered,
  current: Validators | null | undefined,
  link: string | null,
): Answer | Promise<Answer> {
  const plain = plainAnswer(resource, plan, answered);
  if (plain !== null) return plain;
  const { status } = answered;
  const own = status < 400 ? plan.fields : plan.audience.lines;
  const fields = fieldsWith(own, status < 300 && plan.model.isRead ? current : null);
  if (link !== null) fields.push(["link", link]);
  return new AnswerUnderWay(resource, plan, call, answered).answer(fields);
}

function plainAnswer(resource: LineResource, plan: Plan, { status, content, headers }: Answered): Answer | null {
  const plain = plan.plainAnswers.get(status);
  if (plain === undefined) return null;
  const fields =
    headers === undefined ? plain.fields : withFields(plain.fields, headers, plan.audience.asking !== null);
  if (fields === null) return null;
  if (plain.media === null) return new Answer(status, fields, null);
  const text = textOf(resource, plain.media, content);
  return text === null ? null : new Answer(status, fields, text);
}

function textOf({ replies }: LineResource, { schema, isJson, writer }: AnswerMedium, content: unknown): string | null {
  if (schema === null) return typeof content === "string" ? content : null;
  if (replies !== "shape" || !isJson || writer!.isPartial) return null;
  const text = writer!.write(content);
  return typeof text === "string" ? text : null;
}

/**
 * Adds fields besides the fixed ones. Returns null if one replaces a fixed field or the length, or has several values.
 * @param isGuarded whether `Cache-Control` of the handler may share what is for one user.
 */
function withFields(fixed: readonly string[], given: ReplyHeaders, isGuarded: boolean): string[] | null {
  const fields = [...fixed];
  for (const [name, value] of Object.entries(given)) {
    const key = name.toLowerCase();
    if (typeof value !== "string" || !isFieldValue(value) || !isToken(key) || fields.includes(key)) return null;
    // The content has its own length, and the server its own framing: what a handler says is compared.
    if (key === "content-length" || key === "transfer-encoding") return null;
    if (isGuarded && key === "cache-control") return null;
    fields.push(key, value);
  }
  return fields;
}
