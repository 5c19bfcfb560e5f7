import type { DocumentedContent, DocumentedResponse } from "./openapi-document.ts";

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
  return status < 400 ? declared : bothResponses(declared, other);
}

/** Joins two responses of one status. */
export function bothResponses(one: DocumentedResponse, other: DocumentedResponse): DocumentedResponse {
  const headers = { ...other.headers, ...one.headers };
  const content = joinedContent(one.content, other.content);
  return {
    ...one,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(Object.keys(content).length === 0 ? {} : { content }),
  };
}

/** Returns content that may be one or the other, by media type. */
export function joinedContent(declared: DocumentedContent = {}, other: DocumentedContent = {}): DocumentedContent {
  const content = { ...declared };
  for (const [type, medium] of Object.entries(other)) {
    const own = content[type];
    content[type] =
      own === undefined ? medium : { ...medium, ...own, ...joinedSchema(own["schema"], medium["schema"]) };
  }
  return content;
}

/** References to problem details are completed at the end, and are the same until then. */
function joinedSchema(own: unknown, other: unknown): { readonly schema?: unknown } {
  if (JSON.stringify(own) === JSON.stringify(other)) return {};
  return { schema: { anyOf: [own, other] } };
}
