import { parseCacheControl } from "../../fields/cache-control.ts";
import type { FixedField } from "./answer-field.ts";
import { fieldsReadBy } from "./guards-model.ts";
import { memberFieldsOf } from "./members.ts";
import { isPersonal, type OperationModel } from "./operation-model.ts";

/** Returns the fields of all answers below 400: `Vary`, and the fields of members. */
export function fixedFieldsOf(model: OperationModel): FixedField[] {
  const fields = memberFieldsOf(model).filter((field): field is FixedField => "value" in field);
  return [...fields, ...varyOf(model, isPersonal(model))];
}

/**
 * Returns the fields of all other answers to a read, and of what middleware answers: they say for whom it is. Caches
 * may store a 404 without being told how long (RFC 9111 §4.2.2), so none may lack them.
 *
 * Where all users get the same, that holds for good answers only: a guard refuses some of them.
 *
 * @param isForOne whether each user may get another answer.
 */
export function audienceFieldsOf(model: OperationModel, isForOne: boolean = isPersonal(model, false)): FixedField[] {
  if (!model.isRead) return [];
  const directives = parseCacheControl(model.declaration.cache ?? "");
  // How long the good answer is fresh is not said of others.
  const isPrivate = isForOne || directives.has("private");
  const value = directives.has("no-store") ? "no-store" : isPrivate ? "private" : null;
  return [...(value === null ? [] : [{ name: "Cache-Control", value }]), ...varyOf(model, isForOne)];
}

/** The fields by which a representation is selected: what is read of a request beside its URL (RFC 9110 §12.5.5). */
function varyOf({ produces, isRead, headers, cookies, ...model }: OperationModel, isForOne: boolean): FixedField[] {
  const declared = isRead ? (headers?.names ?? []) : [];
  const names = [
    ...(produces.length > 1 ? ["Accept"] : []),
    ...declared.filter((name) => !conditional.test(name)),
    ...(isRead && cookies !== null ? ["Cookie"] : []),
    ...(isForOne ? fieldsReadBy(model.guards, model.declaration, model.mays.length > 0) : []),
  ].filter((name, at, all) => all.findIndex((one) => one.toLowerCase() === name.toLowerCase()) === at);
  return names.length === 0 ? [] : [{ name: "Vary", value: names.join(", ") }];
}

/**
 * Fields that select no representation: caches evaluate them themselves (RFC 9111 §4.3), or `Authorization` (§3.5), if
 * no guard reads it.
 */
const conditional = /^(?:if-.*|range|authorization)$/i;
