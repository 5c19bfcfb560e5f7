import type { DocumentedResponse } from "./openapi-document.ts";

/**
 * Returns the response of a status that is declared and answered by a guard or the framework, too. An error has the
 * content of both. Of other statuses the declared one counts.
 */
export function joinedResponse(
  status: number,
  declared: DocumentedResponse | undefined,
  other: DocumentedResponse,
): DocumentedResponse {
  if (declared === undefined) return other;
  if (status < 400) return declared;
  // Errors without declared content have that of all errors.
  const content = { ...declared.content };
  for (const [type, medium] of Object.entries(other.content!)) {
    const own = content[type];
    const schemas = [own, medium].map((one) => one?.["schema"]);
    if (own === undefined) content[type] = medium;
    // References to problem details are completed at the end, and are the same until then.
    else if (JSON.stringify(schemas[0]) !== JSON.stringify(schemas[1]))
      content[type] = { ...own, schema: { anyOf: schemas } };
  }
  return { ...declared, content };
}
