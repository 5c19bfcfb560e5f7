import { isBlob, isBytes, isStream } from "../../http/javascript/any-realm.ts";
import { parseEntityTag } from "../../fields/entity-tag.ts";
import { evaluatePreconditions, type Preconditions, type Validators } from "../../fields/preconditions.ts";
import { contentTag, unmodifiedAnswer } from "../../fields/representation.ts";
import type { RequestFields } from "../../fields/request-fields.ts";
import type { Answer } from "../../http/answer/carried-answer.ts";
import { readerOf } from "../../http/message/content-reader.ts";
import { refusal } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import { isOpened } from "../declaration/opened-values.ts";
import type { OperationModel } from "../operation/operation-model.ts";
import { knownLengthOf } from "./written-content.ts";

/** Concludes an answer: a tag of its content where that is declared, 304, a part of it, and no content for HEAD. */
export async function concludedAnswer(
  model: OperationModel,
  sent: RequestFields,
  method: string,
  answer: Answer,
  preconditions: Preconditions | null,
  current: Validators | null,
): Promise<Answer> {
  const { status, content, fields } = answer;
  const length = knownLengthOf(content);
  let validators = current;
  if (
    model.declaration.etag === "content" &&
    model.isRead &&
    status === 200 &&
    !fields.has("etag") &&
    (typeof content === "string" || isBytes(content))
  ) {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    fields.set("etag", await contentTag(bytes, fields.get("content-type")!));
    validators = { etag: parseEntityTag(fields.get("etag")!), lastModified: current?.lastModified ?? null };
    const verdict = evaluatePreconditions(preconditions!, true, validators);
    if (verdict === "failed") throw refusal(Status.PreconditionFailed);
    if (verdict === "not modified") return unmodifiedAnswer(fields);
  }
  if (length !== null) fields.set("content-length", String(length));
  if (model.method === "GET" && status === 200 && (isBlob(content) || isBytes(content))) {
    const media = model.answers.get(status)!.media.flatMap(({ raw }) => (raw?.kind === "bytes" ? raw : []));
    media[0]!.sending.part(answer, method === "GET" ? sent : null, length!, validators);
  }
  if (method === "HEAD") {
    cancel(content);
    answer.content = null;
  }
  return answer;
}

/** Cancels content that nobody will read. */
export function cancel(content: unknown): void {
  if (isOpened(content)) content.return().catch(ignore);
  else if (isStream(content)) readerOf(content).cancel().catch(ignore);
}

/** Nobody waits for content that was canceled. */
function ignore(): void {}
