import { isKept } from "../../writes/kept-answer.ts";
import type { OperationModel } from "./operation-model.ts";

/**
 * Returns whether a repeat may get an answer of a status again. It is apart from the model, so that a bundle without
 * keys does not hold what keeps answers.
 */
export function mayBeReplayed({ isOnce, answers }: OperationModel, status: number): boolean {
  return isOnce && answers.has(status) && isKept(status, noFields);
}

const noFields = new Headers();
