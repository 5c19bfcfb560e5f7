import { isFieldValue, isToken } from "../../fields/token.ts";
import { Answer } from "../../http/answer/carried-answer.ts";
import type { ReplyFields } from "../declaration/reply.ts";
import type { AnswerMedium } from "../operation/answer-model.ts";
import type { LineResource } from "./allowed.ts";
import type { Answered } from "./answer-response.ts";
import type { Plan } from "./plan.ts";

/**
 * Makes a plain answer of what a handler answered with. Null where it is none, or is not as it should be: then all
 * steps look at it.
 */
export function plainAnswer(resource: LineResource, plan: Plan, { status, content, headers }: Answered): Answer | null {
  const plain = plan.plainAnswers.get(status);
  if (plain === undefined) return null;
  const fields = headers === undefined ? plain.fields : withFields(plain.fields, headers);
  if (fields === null) return null;
  if (plain.media === null) return new Answer(status, fields, null);
  const text = textOf(resource, plain.media, content);
  return text === null ? null : new Answer(status, fields, text);
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
