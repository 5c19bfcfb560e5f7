import { formatHttpDate } from "../../fields/http-date.ts";
import { authenticatorOf, fieldsReadBy } from "./guards-model.ts";
import type { OperationModel } from "./operation-model.ts";

/**
 * Returns the fields of all answers below 400. They are `Cache-Control` (RFC 9111 §5.2), `Deprecation` (RFC 9745),
 * `Sunset` (RFC 8594), the `Link` to a page about it, and `Vary`.
 */
export function fixedFieldsOf(model: OperationModel): [string, string][] {
  const { method, guards, declaration, isRead } = model;
  const { deprecated, shared = false } = declaration;
  const isPersonal = isRead && !shared && authenticatorOf(guards, declaration, method) !== null;
  const { cache = isPersonal ? "private" : undefined } = declaration;
  const vary = varyOf(model, isPersonal ? fieldsReadBy(guards, declaration) : []);
  const fields: [string, string][] = [];
  if (cache !== undefined) fields.push(["cache-control", cache]);
  if (typeof deprecated === "object") {
    fields.push(["deprecation", `@${Math.floor(Date.parse(deprecated.since) / 1000)}`]);
    if (deprecated.sunset !== undefined) fields.push(["sunset", formatHttpDate(new Date(deprecated.sunset))]);
    if (deprecated.link !== undefined) fields.push(["link", `<${deprecated.link}>; rel="deprecation"`]);
  }
  if (vary.length > 0) fields.push(["vary", vary.join(", ")]);
  return fields;
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
