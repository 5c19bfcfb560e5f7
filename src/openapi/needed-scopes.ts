import type { RequestRunner } from "../dispatch/mounted-resource.ts";
import { unguardedIn } from "../semantics/operation/access-rules.ts";
import type { OperationModel } from "../semantics/operation/operation-model.ts";
import { operationsOf } from "../semantics/operation/reading.ts";
import { placedOperationsOf } from "./described-operation.ts";

/** Lists the handlers that nobody guards, in an application that guards others, or says of some that everybody may. */
export function unguardedOf({ resources }: RequestRunner): readonly OperationModel[] {
  const open = unguardedIn(resources, (mounted) => operationsOf(mounted).values());
  const all = resources.flatMap((mounted) => [...operationsOf(mounted).values()]);
  return open.length < all.length ? open : [];
}

/** Finds the scopes that each method needs at a pattern of a resource. */
export function scopesAt(dispatcher: RequestRunner, owner: string, pattern: string): Record<string, readonly string[]> {
  const here = placedOperationsOf(dispatcher).filter(
    ({ model, source }) => model.mounted.name === owner && source === pattern && model.scopes.length > 0,
  );
  return Object.fromEntries(here.map(({ model }) => [model.method, model.scopes]));
}

/** Lists the scopes that operations need, each once. */
export function scopesOf(operations: readonly { readonly model: OperationModel }[]): string[] {
  return [
    ...new Set(operations.flatMap(({ model }) => [...model.guards.flatMap(({ scopes }) => scopes), ...model.scopes])),
  ];
}
