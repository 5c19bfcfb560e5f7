import { unshared } from "../../fields/cache-control.ts";
import { described } from "../../http/javascript/described.ts";
import { sharedBehind, type OperationModel } from "../operation/operation-model.ts";

/**
 * Returns the `Cache-Control` of an answer whose class says one itself. Where shared caches would keep by it what is
 * for one user, it becomes private: `build()` refuses such a `cache`.
 *
 * @param where the place where the class says it.
 * @throws {TypeError} for such a one where answers are checked.
 */
export function cacheFor(model: OperationModel, said: string, where: string, isChecked: boolean): string {
  const asking = sharedBehind(model, said);
  if (asking === null) return said;
  if (!isChecked) return unshared(said);
  throw new TypeError(
    `Cannot answer ${model.method} of ${model.mounted.name}: ${where} has ${described(said)} for Cache-Control ` +
      `behind ${asking}, so that caches may give one user's answer to another; write "private, …", or shared: true ` +
      "where all users get the same",
  );
}
