import type { AnswerMembers, Operation } from "../declaration/operation.ts";
import type { StandardSchema } from "../../json-schema/shape/standard-schema.ts";
import { problemIn } from "../declaration/problem-content.ts";
import type { GivenContent } from "../declaration/raw-content.ts";
import { AnswerPlan } from "../../json-schema/answer/answer-plan.ts";
import type { Conversions } from "../../json-schema/library/conversions.ts";
import { isContent, mediaOf, Medium, type Media } from "./media.ts";

/** The answer with one status, as it is declared. */
export interface AnswerModel {
  readonly status: number;
  readonly description: string | null;
  /** Problem details are its content: it is an error that declares none. */
  readonly isProblem: boolean;
  readonly media: readonly AnswerMedium[];
  /** The fields that are declared, by their names as they are declared. */
  readonly headers: readonly (readonly [name: string, schema: StandardSchema])[];
  /** Examples of the content, by name; null without any. */
  readonly examples: Readonly<Record<string, unknown>> | null;
}

export class AnswerMedium extends Medium {
  declare readonly raw: GivenContent | null;
  /** The schema that validates the content, or each event or line; null for other raw kinds. */
  readonly answered: StandardSchema | null;
  readonly #conversions: Conversions;
  #writer: AnswerPlan | null | undefined;

  constructor(media: Media, conversions: Conversions) {
    super(media);
    const { raw, schema } = this;
    this.answered = raw !== null && "schema" in raw ? raw.schema : schema;
    this.#conversions = conversions;
  }

  /** Writes JSON as its schema shows it; null where the content is not JSON. Made on first use. */
  get writer(): AnswerPlan | null {
    return this.#writer === undefined ? (this.#writer = this.#made()) : this.#writer;
  }

  #made(): AnswerPlan | null {
    const { answered } = this;
    if (answered === null || !(this.isJson || this.raw !== null)) return null;
    const shown = this.#conversions.shown(answered, "output") ?? {};
    return new AnswerPlan(shown, this.#conversions.mayChangeValues(answered), this.#conversions.isCut(answered));
  }
}

/** Reads the answers that an operation declares, or a guard. */
export function answersOf(declared: Operation, conversions: Conversions): Map<number, AnswerModel> {
  const answers = new Map<number, AnswerModel>();
  for (const key of Object.keys(declared)) {
    if (!isStatus(key)) continue;
    const status = Number(key);
    const answer = declared[status];
    if (answer === undefined) continue;
    const {
      description = problemIn(answer)?.title ?? null,
      content,
      headers = {},
      examples = null,
    } = (
      typeof answer === "string" ? { description: answer } : isContent(answer) ? { content: answer } : answer
    ) as AnswerMembers;
    answers.set(status, {
      status,
      description,
      isProblem: content === undefined && status >= 400,
      media: content === undefined ? [] : mediaOf(content).map((one) => new AnswerMedium(one, conversions)),
      headers: Object.entries(headers),
      examples,
    });
  }
  return answers;
}

export function isStatus(member: string): boolean {
  return statuses.test(member);
}

// A literal in the function is another object for each call.
const statuses = /^(?:101|[2-5]\d\d)$/;
