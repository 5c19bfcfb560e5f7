import { bothResponses, joinedContent } from "./joined-response.ts";
import type { DocumentedOperation, DocumentedParameter } from "./openapi-document.ts";

/**
 * Joins two operations of one template and method. The text of the params chooses one, and OpenAPI has one place for
 * both (3.1 §4.8.8.1). A member that only one of them has is optional.
 */
export function joinedOperation(one: DocumentedOperation, other: DocumentedOperation): DocumentedOperation {
  const { deprecated, "x-sunset": sunset, requestBody, security, parameters, ...own } = one;
  const isDeprecated = deprecated === true && other.deprecated === true;
  const contentOfBoth =
    requestBody === undefined && other.requestBody === undefined
      ? null
      : {
          required: requestBody?.required === true && other.requestBody?.required === true,
          content: joinedContent(requestBody?.content, other.requestBody?.content),
        };
  return {
    ...own,
    tags: [...new Set([...one.tags, ...other.tags])],
    ...(isDeprecated ? { deprecated, ...(sunset === undefined ? {} : { "x-sunset": sunset }) } : {}),
    // Without a param they would have one pattern, which build() refuses.
    parameters: joinedParameters(parameters!, other.parameters!),
    ...(contentOfBoth === null ? {} : { requestBody: contentOfBoth }),
    responses: joinedResponses(one.responses, other.responses),
    ...(security === undefined && other.security === undefined
      ? {}
      : { security: [...(security ?? [{}]), ...(other.security ?? [{}])] }),
  };
}

function joinedParameters(
  own: readonly DocumentedParameter[],
  others: readonly DocumentedParameter[],
): DocumentedParameter[] {
  const byKey = new Map(others.map((one) => [keyOf(one), one]));
  const joined = own.map((one): DocumentedParameter => {
    const other = byKey.get(keyOf(one));
    byKey.delete(keyOf(one));
    if (other === undefined) return optional(one);
    const isSame = JSON.stringify(one.schema) === JSON.stringify(other.schema);
    const { required, ...rest } = isSame ? one : { ...one, schema: { anyOf: [one.schema, other.schema] } };
    return required === true && other.required === true ? { ...rest, required } : rest;
  });
  return [...joined, ...[...byKey.values()].map(optional)];
}

function keyOf({ name, in: place }: DocumentedParameter): string {
  return `${place} ${name}`;
}

function optional(one: DocumentedParameter): DocumentedParameter {
  return Object.fromEntries(Object.entries(one).filter(([member]) => member !== "required")) as DocumentedParameter;
}

function joinedResponses(
  own: DocumentedOperation["responses"],
  others: DocumentedOperation["responses"],
): DocumentedOperation["responses"] {
  const joined = Object.entries(others).map(([status, other]) => [
    status,
    own[status] === undefined ? other : bothResponses(own[status], other),
  ]);
  return { ...own, ...Object.fromEntries(joined) };
}
