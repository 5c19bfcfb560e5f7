import { answerDescriptions } from "./answer-descriptions.ts";
import type { DescribedOperation } from "./described-operation.ts";

/**
 * Lists the statuses that follow from a declaration: the refusals of the line (RFC 9110 §15.5), and its answers to
 * conditions and ranges. 405 is not among them: it is the answer to methods that a path does not have.
 */
export function impliedAnswersOf({
  plan,
  template,
  isOnLine,
  mounted,
}: DescribedOperation): [status: number, description: string][] {
  const { method, operation, content, isRead, takesPreconditions, produces, answers, isDeclared } = plan;
  if (!isDeclared) return isOnLine && template.params.length > 0 ? [[400, answerDescriptions.unreadable]] : [];
  const implied: [number, string][] = [];
  const hasValidator =
    isOnLine && takesPreconditions && (mounted.resource as { validator?: unknown }).validator !== undefined;
  const isTagged = isOnLine && isRead && operation.etag === "content";
  const isSchemaContent = content?.media.some(({ schema }) => schema !== null) === true;
  const isBytes = answers.get(200)?.some(({ declared }) => "kind" in declared && declared.kind === "bytes") === true;

  if (isBytes && isOnLine && method === "GET") {
    implied.push([206, answerDescriptions.part], [416, answerDescriptions.noSuchRange]);
  }
  if (isRead && (hasValidator || isTagged)) implied.push([304, answerDescriptions.notModified]);
  if (
    operation.query !== undefined ||
    operation.headers !== undefined ||
    operation.cookies !== undefined ||
    content !== null ||
    template.params.length > 0
  ) {
    implied.push([400, answerDescriptions.unreadable]);
  }
  if (operation.path !== undefined || template.params.some(({ expression }) => expression !== null))
    implied.push([404, answerDescriptions.noResource]);
  if (isOnLine && produces.length > 0) implied.push([406, answerDescriptions.notAcceptable(produces)]);
  if (hasValidator || isTagged) implied.push([412, answerDescriptions.failedPrecondition]);
  if (content !== null) {
    implied.push([413, answerDescriptions.tooLarge], [415, answerDescriptions.otherType(content.types)]);
  }
  if (isSchemaContent) implied.push([422, answerDescriptions.unfit]);
  if (isOnLine && takesPreconditions && operation.conditional === "required")
    implied.push([428, answerDescriptions.noPrecondition]);
  return implied;
}
