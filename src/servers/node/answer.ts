import type { Readable } from "node:stream";
import { letGo, openReader } from "./reader.ts";

/** What of a `Response` is sent. */
export interface Answer {
  readonly status: number;
  readonly statusText: string;
  /** Names and values by turns. */
  readonly fields: readonly string[];
  readonly body: ReadableStream<Uint8Array> | Readable | string | Uint8Array | null;
}

/** What a `Response` of Node's own class is made of. */
export function answerOf({ status, statusText, headers, body }: Response): Answer {
  return { status, statusText, fields: [...headers].flat(), body };
}

export function alreadyRead(): TypeError {
  return new TypeError("Cannot send the response: its content was read already");
}

/** Lets go of content that nobody will read. */
export function discard({ body, fields }: Pick<Answer, "body" | "fields">): void {
  if (body instanceof ReadableStream && body.locked) return;
  if (body instanceof ReadableStream || (typeof body === "object" && body !== null && "destroy" in body))
    letGo(openReader(body, fields));
}
