import { memberAnswersOf } from "../semantics/operation/described-members.ts";
import type { OperationModel } from "../semantics/operation/operation-model.ts";

/**
 * Says what a status means that an operation answers without declaring it; `undefined` for one whose phrase says
 * enough. Middleware says its own.
 */
export function impliedDescriptionOf(status: number, model: OperationModel): string | undefined {
  const { produces, content } = model;
  switch (status) {
    case 406:
      return `Nothing that is accepted: there is ${produces.join(", ")}`;
    case 415:
      return `Content of another type: ${content!.types} is taken`;
    case 422: {
      const all = [content === null ? [] : descriptions[422]!, memberAnswersOf(model)[422] ?? []].flat();
      return all.join("; or: ");
    }
    case 403:
      return forbiddenOf(model);
    default:
      return descriptions[status] ?? memberAnswersOf(model)[status];
  }
}

/** Says for whom an operation is, as far as anybody can be told. */
function forbiddenOf({ scopes, mays }: OperationModel): string | undefined {
  const all = [
    ...(scopes.length > 0 ? [`A scope lacks: ${scopes.join(", ")} ${scopes.length > 1 ? "are" : "is"} needed`] : []),
    ...(mays.some(({ hides }) => !hides) ? ["The sender may not do this"] : []),
  ];
  return all.length === 0 ? undefined : all.join("; or: ");
}

const descriptions: Readonly<Record<number, string>> = {
  206: "A part of the content",
  304: "The client has the current representation",
  400: "The request cannot be read, or does not fit",
  401: "Credentials are needed",
  404: "There is no such resource",
  412: "A precondition does not hold",
  413: "The content is too large",
  416: "The content does not have the range that was asked for",
  422: "The content does not fit",
};
