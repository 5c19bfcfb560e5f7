import { isUnshared, unshared } from "../../fields/cache-control.ts";
import { described } from "../../http/javascript/described.ts";
import type { Audience } from "./audience.ts";
import type { OperationModel } from "../operation/operation-model.ts";

/**
 * Returns the `Cache-Control` of an answer whose class says one itself. Where shared caches would keep by it what is
 * for one user, it becomes private: `build()` refuses such a `cache`.
 *
 * @param where the place where the class says it.
 * @throws {TypeError} for such a one where answers are checked.
 */
export function cacheFor(
  { model, audience: { asking } }: { readonly model: OperationModel; readonly audience: Audience },
  said: string,
  where: string,
  isChecked: boolean,
): string {
  if (asking === null || isUnshared(said)) return said;
  if (!isChecked) return unshared(said);
  throw new TypeError(
    `Cannot answer ${model.method} of ${model.mounted.name}: ${where} has ${described(said)} for Cache-Control ` +
      `behind ${asking}, so that caches may give one user's answer to another; write "private, …", or shared: true ` +
      "where all users get the same",
  );
}
