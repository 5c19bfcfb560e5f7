import type { Conversions } from "../../json-schema/library/conversions.ts";
import { joinedAccess } from "./access-model.ts";
import { isMade, methodsOfPatch, type PatchHandlerFor } from "./made-operation.ts";
import type { OperationModel } from "./operation-model.ts";

/**
 * Makes PATCH of GET and PUT. It hangs on the declaration, so that a bundle without it does not hold it.
 * @param models the operations of the class, by method.
 * @throws {TypeError} which says what to write, for a class in which it cannot work.
 */
export type PatchMaking = (models: ReadonlyMap<string, OperationModel>, conversions: Conversions) => PatchHandlerFor;

/**
 * Makes PATCH, if it is declared by `patch()`. It exists where GET and PUT do.
 * @throws {TypeError} when the class cannot have it.
 */
export function makePatch(models: Map<string, OperationModel>, conversions: Conversions): void {
  const model = models.get("PATCH");
  if (model === undefined || !isMade(model.declaration)) return;
  const { "~patch": making } = model.declaration as { readonly "~patch"?: PatchMaking };
  const patch = making!(models, conversions);
  const all = methodsOfPatch.map((method) => models.get(method)!);
  models.set("PATCH", {
    ...model,
    ...joinedAccess(all),
    patch,
    isAt: (pattern) => all.every(({ isAt }) => isAt(pattern)),
  });
}
