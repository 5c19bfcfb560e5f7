import { textTypeOf } from "./media.ts";
import type { AnswerMedia, StatusPlan } from "./status-plan.ts";

/** An answer that takes no decision: of one media type, with fields that are known. */
export interface PlainAnswer {
  /** Names and values by turns. */
  readonly fields: readonly string[];
  /** Null where it has no content. */
  readonly media: AnswerMedia | null;
}

/** The parts of a plan that are known before its plain answers. */
interface Planned {
  readonly weighs: boolean;
  readonly isRead: boolean;
  readonly answers: ReadonlyMap<number, StatusPlan>;
  readonly produces: readonly string[];
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** Decides whether answers of a status take no decision: no validators, no preferences, no fields that a schema reads. */
export function plainAnswerOf(plan: Planned, { status, isProblem, media, headers }: StatusPlan): PlainAnswer | null {
  const [one = null] = media;
  if (
    isProblem ||
    plan.weighs ||
    mayBeMinimal(plan, status) ||
    media.length > 1 ||
    headers.length > 0 ||
    plan.produces.length > 1
  )
    return null;
  const type = one === null ? "" : typeOf(one);
  if (type === null) return null;
  const own = status < 400 ? plan.fields.flat() : [];
  return { fields: one === null ? own : [...own, "content-type", type], media: one };
}

/** Returns whether 204 may be the answer to a client that prefers little, in place of a status: of 200 only. */
export function mayBeMinimal({ isRead, answers }: Pick<Planned, "isRead" | "answers">, status: number): boolean {
  return status === 200 && !isRead && answers.has(204);
}

/** Null if the content is not a string that is known when the handler returns. */
function typeOf({ type, raw }: AnswerMedia): string | null {
  if (raw === null) return type;
  return raw.kind === "text" ? textTypeOf(type) : null;
}
