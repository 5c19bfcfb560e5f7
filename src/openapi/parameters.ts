import { credential, isCredential } from "../semantics/operation/guards-model.ts";
import { describedMembersOf, type RequestField } from "../semantics/operation/described-members.ts";
import { isValidated, mayBeMinimal, type OperationModel } from "../semantics/operation/operation-model.ts";
import type { Components } from "./components.ts";
import type { DescribedOperation } from "./described-operation.ts";
import type { DocumentedParameter } from "./openapi-document.ts";

/**
 * Returns the parameters of an operation, from its path, query, header fields and cookies.
 * @param template the template that paths of the same shape share, which names the params.
 */
export function parametersOf(
  { model, template: own }: DescribedOperation,
  owner: string,
  template: DescribedOperation["template"],
  components: Components,
): DocumentedParameter[] {
  const { path, query, headers, cookies, page } = model;
  const ofPath = path === null ? [] : components.membersOf(path.schema, `${owner} path`);
  const parameters = own.params.map(({ name, expression, description, isRest }, at): DocumentedParameter => {
    const known = ofPath.find((member) => member.name === name)?.schema;
    const text = expression === null ? { type: "string" } : { type: "string", pattern: `^(?:${expression})$` };
    return {
      name: template.params[at]!.name,
      in: "path",
      ...(description === null ? {} : { description }),
      required: true,
      ...(isRest ? { "x-rest": true as const } : {}),
      style: "simple",
      explode: false,
      schema: known ?? text,
    };
  });
  for (const [part, place, style] of [
    [query, "query", "form"],
    [headers, "header", "simple"],
    [cookies, "cookie", "form"],
  ] as const) {
    const members = part === null ? [] : components.membersOf(part.schema, `${owner} ${place}`);
    for (const { name, isRequired, schema } of members) {
      // OpenAPI has other places for these.
      if (place === "header" && /^(?:accept|content-type|authorization)$/i.test(name)) continue;
      const { description } = schema;
      parameters.push({
        name,
        in: place,
        ...(typeof description === "string" ? { description } : {}),
        ...(isRequired ? { required: true as const } : {}),
        ...(schema["deprecated"] === true ? { deprecated: true as const } : {}),
        style,
        explode: style === "form",
        schema: isCredential(model, place, name) ? credential : schema,
      });
    }
  }
  if (page !== null) parameters.push(...parametersOfPages(page.limits));
  const ofMembers = describedMembersOf(model).flatMap(({ parameters: all }) => all?.(model) ?? []);
  for (const { name, description, isRequired, schema } of [
    ...ofMembers,
    ...preconditionsOf(model),
    ...preferencesOf(model),
  ]) {
    if (parameters.some((one) => one.in === "header" && one.name.toLowerCase() === name.toLowerCase())) continue;
    const required = isRequired ? { required: true as const } : {};
    parameters.push({ name, in: "header", description, ...required, style: "simple", explode: false, schema });
  }
  const others = query === null ? null : components.othersOf(query.schema, `${owner} query`);
  // No client sends the name: it sends those of the members (OpenAPI 3.1 §4.8.12.3, `form` and `explode`).
  if (others !== null) {
    let name = "others";
    while (parameters.some((one) => one.name === name && one.in === "query")) name += "_";
    const description = "Parameters of other names";
    parameters.push({ name, in: "query", description, style: "form", explode: true, schema: others });
  }
  return parameters;
}

export function parametersOfPages({ limit, maxLimit }: PageLimits): DocumentedParameter[] {
  const common = { in: "query", style: "form", explode: true } as const;
  return [
    {
      ...common,
      name: "cursor",
      description: "Where the page begins: next of the page before it",
      schema: { type: "string" },
    },
    {
      ...common,
      name: "limit",
      description: "How many items the page has at most",
      schema: { type: "integer", minimum: 1, maximum: maxLimit, default: limit },
    },
  ];
}

interface PageLimits {
  readonly limit: number;
  readonly maxLimit: number;
}

const tags = { type: "string", pattern: String.raw`^(?:\*|(?:W/)?"[!#-~]*"(?:, (?:W/)?"[!#-~]*")*)$` };

/** The fields by which a client says which representation it knows, where the operation compares them. */
export function preconditionsOf(model: OperationModel): RequestField[] {
  if (!isValidated(model) && (model.isRead || !model.hasValidator)) return [];
  const description = "An entity tag, or several (RFC 9110 §13.1)";
  return ["If-Match", "If-None-Match"].map((name) => ({ name, description, isRequired: false, schema: tags }));
}

/** The fields by which a client asks for a part of the content, or for less of an answer. */
function preferencesOf(model: OperationModel): RequestField[] {
  const { answers, isOnLine, method } = model;
  if (!isOnLine) return [];
  const all: RequestField[] = [];
  const add = (name: string, description: string): void =>
    void all.push({ name, description, isRequired: false, schema: { type: "string" } });
  if (method === "GET" && answers.get(200)?.media.some(({ raw }) => raw?.kind === "bytes") === true) {
    add("Range", "The bytes that are asked for (RFC 9110 §14.2)");
    add("If-Range", "The entity tag, or the date, of which the parts are known (RFC 9110 §13.1.5)");
  }
  if (answers.has(200) && mayBeMinimal(model, 200)) add("Prefer", '"return=minimal" asks for 204 (RFC 7240 §4.2)');
  return all;
}
