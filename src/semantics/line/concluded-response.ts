import { isBlob, isBytes, isStream } from "../../http/javascript/any-realm.ts";
import { parseEntityTag } from "../../fields/entity-tag.ts";
import { evaluatePreconditions, type Preconditions, type Validators } from "../../fields/preconditions.ts";
import { formatContentRange } from "../../fields/range.ts";
import { askedRanges, contentTag, notModified } from "../../fields/representation.ts";
import type { RequestFields } from "../../fields/request-fields.ts";
import { codedAlready } from "../../http/message/coded-content.ts";
import { readerOf } from "../../http/message/content-reader.ts";
import { refusal } from "../../http/protocol/http-error.ts";
import { Response } from "../../http/message/response.ts";
import { Status } from "../../http/protocol/status.ts";
import { OpenedValues } from "./opened-values.ts";
import type { OperationModel } from "../operation/operation-model.ts";

/** An answer, and its content where that is whole. */
export interface WholeResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly content: string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array> | null;
}

/** Concludes an answer: a tag of its content where that is declared, 304, a part of it, and no content for HEAD. */
export async function concludedResponse(
  model: OperationModel,
  fields: RequestFields,
  method: string,
  whole: WholeResponse,
  preconditions: Preconditions | null,
  current: Validators | null,
): Promise<Response> {
  const { status, headers } = whole;
  let { content } = whole;
  const bytes = bytesOf(content);
  const length = isBlob(content) ? content.size : (bytes?.byteLength ?? null);
  let validators = current;
  if (
    model.declaration.etag === "content" &&
    model.isRead &&
    status === 200 &&
    !headers.has("etag") &&
    bytes !== null
  ) {
    headers.set("etag", await contentTag(bytes, headers.get("content-type")!));
    validators = { etag: parseEntityTag(headers.get("etag")!), lastModified: current?.lastModified ?? null };
    const verdict = evaluatePreconditions(preconditions!, true, validators);
    if (verdict === "failed") throw refusal(Status.PreconditionFailed);
    if (verdict === "not modified") return notModified(headers);
  }
  if (model.method === "GET" && status === 200 && (isBlob(content) || isBytes(content))) {
    headers.set("accept-ranges", "bytes");
    const ranges = method === "GET" ? askedRanges(fields, length!, validators) : null;
    // Several ranges may be answered by the whole (RFC 9110 §14.2).
    if (ranges !== null && ranges.length === 1) {
      const [one] = ranges as [{ start: number; end: number }];
      headers.set("content-range", formatContentRange(one, length!));
      headers.set("content-length", String(one.end - one.start));
      content = content.slice(one.start, one.end) as Blob | Uint8Array<ArrayBuffer>;
      return new Response(content, { status: 206, headers, ...codedAlready });
    }
  }
  if (length !== null) headers.set("content-length", String(length));
  if (method === "HEAD") {
    cancel(content);
    content = null;
  }
  return new Response(content, { status, headers, ...codedAlready });
}

/** Cancels content that nobody will read. */
export function cancel(content: unknown): void {
  if (content instanceof OpenedValues) content.return().catch(ignore);
  else if (isStream(content)) readerOf(content).cancel().catch(ignore);
}

/** Nobody waits for content that was canceled. */
function ignore(): void {}

/** The bytes of content that is there; null for a Blob, a stream, or nothing. */
function bytesOf(content: WholeResponse["content"]): Uint8Array | null {
  if (typeof content === "string") return new TextEncoder().encode(content);
  return isBytes(content) ? content : null;
}
