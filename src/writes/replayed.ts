import { answerMade, type Answer } from "../http/answer/carried-answer.ts";
import { codedAlready } from "../http/message/coded-content.ts";
import { HTTPError } from "../http/protocol/http-error.ts";
import { Status } from "../http/protocol/status.ts";
import type { KeptAnswer } from "./kept-answer.ts";

/**
 * Returns the answer of a write that was answered before. @throws {HTTPError} when that was an error, or is no longer
 * known.
 */
export function replayed(answer: KeptAnswer): Answer {
  const headers = new Headers(answer.fields as [string, string][]);
  headers.set("Idempotent-Replayed", "true");
  if ("error" in answer) {
    const { status, message, errors } = answer.error;
    const constant = Object.values(Status).find((one) => one.status === status)!;
    const error = new HTTPError(constant, message, { headers });
    if (errors !== undefined) error.errors = errors;
    throw error;
  }
  const { status, statusText, content } = answer;
  // The platform would make up a type for a string.
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  if (bytes !== undefined) return answerMade(new Response(bytes, { status, statusText, headers, ...codedAlready }));
  throw new HTTPError(Status.Conflict, "The request was answered, and its answer was too long to keep");
}
