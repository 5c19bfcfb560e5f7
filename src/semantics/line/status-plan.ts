import { AnswerPlan } from "../content/answer-plan.ts";
import { mayChangeValues } from "../content/conversions.ts";
import { jsonSchemaOf } from "../content/standard-schema.ts";
import type { AnswerDeclaration, Operation } from "../declaration/operation.ts";
import { isRawContent } from "../declaration/raw-content.ts";
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
    const isText = typeof answer === "string";
    const isWhole = !isText && (isRawContent(answer) || "~standard" in answer);
    const content: unknown = isText ? undefined : isWhole ? answer : (answer as { content?: unknown }).content;
    const headers = isText || isWhole ? {} : ((answer as AnswerDeclaration).headers ?? {});
    const described = isText ? answer : isWhole ? undefined : (answer as { description?: string }).description;
    answers.set(status, {
      status,
      description: described ?? null,
      isProblem: content === undefined && status >= 400,
      headers: Object.entries(headers).map(([name, schema]) => [name.toLowerCase(), schema]),
      media: content === undefined ? [] : mediaOf(content as never).map(answerMediaOf),
    });
  }
  return answers;
}

function answerMediaOf(media: Media): AnswerMedia {
  const { declared, schema, isJson } = media;
  const isEvents = isRawContent(declared) && declared.kind === "events";
  const answered = isEvents ? declared.schema : schema;
  const isWritten = answered !== null && (isJson || isEvents);
  const writer = isWritten ? new AnswerPlan(jsonSchemaOf(answered, "output") ?? {}, mayChangeValues(answered)) : null;
  return { ...media, answered, writer };
}
