import { vary, type FixedField } from "./answer-field.ts";
import { fieldsReadBy } from "./guards-model.ts";
import { memberFieldsOf } from "./members.ts";
import { isPersonal, type OperationModel } from "./operation-model.ts";

/** Returns the fields of all answers below 400: `Vary`, and the fields of members. */
export function fixedFieldsOf(model: OperationModel): FixedField[] {
  const fields = memberFieldsOf(model).filter((field): field is FixedField => "value" in field);
  const names = varyOf(model, isPersonal(model) ? fieldsReadBy(model.guards, model.declaration) : []);
  return names.length === 0 ? fields : [...fields, { ...vary, value: names.join(", ") }];
}

/** The fields by which a representation is selected: what is read of a request beside its URL (RFC 9110 §12.5.5). */
function varyOf({ produces, isRead, headers, cookies }: OperationModel, ofGuards: readonly string[]): string[] {
  const declared = isRead ? (headers?.names ?? []) : [];
  const names = [
    ...(produces.length > 1 ? ["Accept"] : []),
    ...declared.filter((name) => !conditional.test(name)),
    ...(isRead && cookies !== null ? ["Cookie"] : []),
    ...ofGuards,
  ];
  return names.filter((name, at) => names.findIndex((one) => one.toLowerCase() === name.toLowerCase()) === at);
}

/**
 * Fields that select no representation: caches evaluate them themselves (RFC 9111 §4.3), or `Authorization` (§3.5), if
 * no guard reads it.
 */
const conditional = /^(?:if-.*|range|authorization)$/i;
