import type { AnswerMedium, AnswerModel } from "../operation/answer-model.ts";
import { textTypeOf } from "../declaration/content-sending.ts";
import type { Media } from "../operation/media.ts";
import { mayBeMinimal, type OperationModel } from "../operation/operation-model.ts";

/** An answer that takes no decision: of one media type, with fields that are known. */
export interface PlainAnswer {
  /** Names and values by turns. */
  readonly fields: readonly string[];
  /** Null where it has no content. */
  readonly media: AnswerMedium | null;
}

/** Decides whether answers of a status take no decision: no preferences, no fields that a schema reads. */
export function plainAnswerOf(
  model: OperationModel,
  { status, isProblem, media, headers }: AnswerModel,
  fields: readonly (readonly [name: string, value: string])[],
): PlainAnswer | null {
  // 401 needs the challenge of its guard.
  if (isProblem || status === 401 || mayBeMinimal(model, status) || media.length > 1 || headers.length > 0) return null;
  const own = fields.flat();
  const [one] = media;
  if (one === undefined) return { fields: own, media: null };
  const type = typeOf(one);
  return type === null ? null : { fields: [...own, "content-type", type], media: one };
}

/** Null if the content is not a string that is known when the handler returns. */
function typeOf({ type, raw }: Media): string | null {
  if (raw === null) return type;
  return raw.kind === "text" ? textTypeOf(type) : null;
}
