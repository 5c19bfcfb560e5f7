import type { Conversions } from "../../json-schema/library/conversions.ts";
import { joinedAccess } from "./access-model.ts";
import { methodsOfPatch, type PlanMaking } from "./made-operation.ts";
import type { OperationModel } from "./operation-model.ts";

/**
 * Makes PATCH of GET and PUT. Part of the declaration, so that a bundle without it leaves it out.
 * @param models the operations of the class, by method.
 * @throws {TypeError} which says what to write, for a class in which it cannot work.
 */
export type PatchMaking = (models: Map<string, OperationModel>, conversions: Conversions) => void;

/** Makes the model of PATCH, which exists where GET and PUT do. */
export function makePatch(models: Map<string, OperationModel>, patch: PlanMaking): void {
  const all = methodsOfPatch.map((method) => models.get(method)!);
  models.set("PATCH", {
    ...models.get("PATCH")!,
    ...joinedAccess(all),
    patch,
    isAt: (pattern) => all.every(({ isAt }) => isAt(pattern)),
  });
}
