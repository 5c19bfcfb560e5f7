import { textResponse } from "../../http/response.ts";
import { isRawContent } from "../declaration/raw-content.ts";
import type { ReplyFields } from "../declaration/reply.ts";
import type { LinePlace } from "./allowed.ts";
import type { Answered } from "./answer-response.ts";
import type { AnswerMedia, Plan, StatusPlan } from "./plan.ts";

/** An answer that takes no decision: of one media type, with fields that are known. */
export interface PlainAnswer {
  /** Names and values by turns. */
  readonly fields: readonly string[];
  /** Null where it has no content. */
  readonly media: AnswerMedia | null;
}

/** Decides whether answers of a status take no decision: no validators, no preferences, no fields that a schema reads. */
export function plainAnswerOf(plan: Plan, { status, isProblem, media, headers }: StatusPlan): PlainAnswer | null {
  const [one = null] = media;
  const mayBeMinimal = status < 300 && !plan.isRead && plan.answers.has(204);
  if (isProblem || plan.weighs || mayBeMinimal || media.length > 1 || headers.length > 0 || plan.produces.length > 1)
    return null;
  const type = one === null ? "" : typeOf(one);
  if (type === null) return null;
  const own = status < 400 ? plan.fields.flat() : [];
  return { fields: one === null ? own : [...own, "content-type", type], media: one };
}

/** Null where content is not a text that is known when the handler returns. */
function typeOf({ type, schema, declared }: AnswerMedia): string | null {
  if (schema !== null) return type;
  if (!isRawContent(declared) || declared.kind !== "text") return null;
  return /;\s*charset=/i.test(type) ? type : `${type};charset=utf-8`;
}

/** Makes the response of such an answer; null where it is none, or is not as it should be: then all steps look at it. */
export function plainResponse(place: LinePlace, plan: Plan, { status, content, headers }: Answered): Response | null {
  const plain = plan.plainAnswers.get(status);
  if (plain === undefined) return null;
  const fields = headers === undefined ? plain.fields : withFields(plain.fields, headers);
  if (fields === null) return null;
  if (plain.media === null) return textResponse(status, fields, null);
  const text = textOf(place, plain.media, content);
  return text === null ? null : textResponse(status, fields, text);
}

function textOf({ replies }: LinePlace, { schema, isJson, writer }: AnswerMedia, content: unknown): string | null {
  if (schema === null) return typeof content === "string" ? content : null;
  if (replies !== "plan" || !isJson || writer === null || writer.isPartial) return null;
  const text = writer.write(content);
  return typeof text === "string" ? text : null;
}

const fieldName = /^[!#$%&'*+\-.^_`|~\w]+$/;
const fieldValue = /^(?:[\x21-\x7e](?:[ \x21-\x7e]*[\x21-\x7e])?)?$/;

/** Adds fields that stand beside the fixed ones; null where they stand for some of them, or are more than one text. */
function withFields(fixed: readonly string[], given: ReplyFields): string[] | null {
  const fields = [...fixed];
  for (const [name, value] of Object.entries(given)) {
    const key = name.toLowerCase();
    if (typeof value !== "string" || !fieldValue.test(value) || !fieldName.test(key) || fields.includes(key))
      return null;
    fields.push(key, value);
  }
  return fields;
}
