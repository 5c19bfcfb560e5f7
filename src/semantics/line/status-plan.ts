import { AnswerPlan } from "../content/answer-plan.ts";
import { isContent } from "../declaration/declared-content.ts";
import { mayChangeValues } from "../content/conversions.ts";
import { jsonSchemaOf } from "../content/standard-schema.ts";
import type { AnswerDeclaration, Operation } from "../declaration/operation.ts";
import type { StandardSchema } from "../declaration/standard-schema.ts";
import { mediaOf, type Media } from "./media.ts";

/** How an answer of one status is written. */
export interface StatusPlan {
  readonly status: number;
  readonly description: string | null;
  /** Problem details are its content: it is an error that declares none. */
  readonly isProblem: boolean;
  readonly media: readonly AnswerMedia[];
  /** The fields that are declared, in lower case. */
  readonly headers: readonly (readonly [name: string, schema: StandardSchema])[];
}

/** A media type of answers. */
export interface AnswerMedia extends Media {
  /** The schema that validates the content, or each event; null for other raw kinds. */
  readonly answered: StandardSchema | null;
  /** Writes JSON as its schema shows it; null where the content is not JSON. */
  readonly writer: AnswerPlan | null;
}

export function answersOf(operation: Operation): Map<number, StatusPlan> {
  const answers = new Map<number, StatusPlan>();
  for (const [key, answer] of Object.entries(operation)) {
    const status = Number(key);
    if (!Number.isInteger(status) || answer === undefined) continue;
    const declared =
      typeof answer === "string" ? { description: answer } : isContent(answer) ? { content: answer } : answer;
    const { description = null, content, headers = {} } = declared as AnswerDeclaration;
    answers.set(status, {
      status,
      description,
      isProblem: content === undefined && status >= 400,
      headers: Object.entries(headers).map(([name, schema]) => [name.toLowerCase(), schema]),
      media: content === undefined ? [] : mediaOf(content).map(answerMediaOf),
    });
  }
  return answers;
}

function answerMediaOf(media: Media): AnswerMedia {
  const { raw, schema, isJson } = media;
  const events = raw?.kind === "events" ? raw : null;
  const answered = events?.schema ?? schema;
  const isWritten = answered !== null && (isJson || events !== null);
  const writer = isWritten ? new AnswerPlan(jsonSchemaOf(answered, "output") ?? {}, mayChangeValues(answered)) : null;
  return { ...media, answered, writer };
}
