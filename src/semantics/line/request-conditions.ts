import { evaluatePreconditions, type Preconditions, type Validators } from "../../fields/preconditions.ts";
import { preconditionRequired } from "../../fields/representation.ts";
import { isConditional } from "../../fields/request-preconditions.ts";
import { refusal, type HTTPError } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import type { OperationModel } from "../operation/operation-model.ts";

/**
 * Chooses the media type that a client prefers, of those that an operation produces. @throws {HTTPError} 406 when it
 * accepts none.
 */
export function acceptable({ produces, offered }: OperationModel, accept: string | null): string {
  const mediaType = produces[offered.preferredAt(accept)];
  if (mediaType !== undefined) return mediaType;
  throw notAcceptable(produces);
}

export function notAcceptable(types: readonly string[]): HTTPError {
  return refusal(Status.NotAcceptable, `Available: ${types.join(", ")}`, { vary: "Accept" });
}

/**
 * Evaluates preconditions before a method is performed (RFC 9110 §13.2.2).
 *
 * @param current what the resource says of its representation: null where there is none, `undefined` where it does not
 * say.
 * @param mayBeOther whether the representation may turn out to be another one, so that nothing has failed yet.
 * @throws {HTTPError} 412 when one fails, 428 when one is required and none came (RFC 6585 §3).
 */
export function isModified(
  { declaration, isRead, takesPreconditions }: OperationModel,
  preconditions: Preconditions,
  current: Validators | null | undefined,
  mayBeOther = false,
): boolean {
  const isRequired = declaration.precondition === true && takesPreconditions;
  if (isRequired && current !== null && !isConditional(preconditions, current)) throw preconditionRequired();
  if (current === undefined) return true;
  // Without a representation a read goes on to the 404 of its handler (§13.2.1), but for `If-Match`, which fails.
  const verdict = evaluatePreconditions(preconditions, isRead, current);
  if (verdict === "failed" && !(mayBeOther && current !== null)) throw refusal(Status.PreconditionFailed);
  return verdict !== "not modified";
}
