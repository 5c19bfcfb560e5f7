import { parseMediaType } from "../fields/media-type.ts";
import { readerOf } from "../http/message/content-reader.ts";
import { resumedContent } from "../http/message/resumed-content.ts";
import { lightContent, type LightResponse } from "../http/message/light-response.ts";
import { JoinedBytes } from "../http/javascript/joined-bytes.ts";
import { bytesIn } from "../fields/whole-content.ts";
import { isKept, keptText, mostKeptBytes, type KeptResponse } from "./kept-answer.ts";
import type { WriteRules } from "./write-rules.ts";

/** A response, and what is kept of it. */
export interface Made {
  /** Null where a further try may go otherwise. */
  readonly kept: KeptResponse | null;
  readonly sent: Response;
}

/**
 * Makes of a response what is kept of it, and a response with the same content. Goes on at once where the content is
 * there.
 *
 * @param known the content of the response, if the caller has it.
 */
export function keptOf(
  response: Response,
  { keeps }: Pick<WriteRules, "keeps">,
  known: Parameters<typeof keptText>[0] | undefined = (response as Partial<LightResponse>)[lightContent],
): Made | Promise<Made> {
  const { status, statusText, headers } = response;
  if (!isKept(status, headers) || !keeps(status)) return { kept: null, sent: response };
  const made = (content: KeptResponse["content"], sent: Response): Made => ({
    kept: { status, statusText, fields: [...headers], content },
    sent,
  });
  const type = parseMediaType(headers.get("content-type") ?? "");
  const isEvents = type?.type === "text" && type.subtype === "event-stream";
  // PERF: content that is there already is not read off a stream: 38 us of 172 (`node bench/middleware.js
  // --only=idempotency`, with this package's `Response` in place of the platform's).
  const content = isEvents ? undefined : keptText(known);
  if (content !== undefined) return made(content, response);
  if (response.body === null) return made(null, response);
  // Events may not end.
  return isEvents ? made(undefined, response) : readKept(response.body, response, made);
}

/** Reads the content: it is `undefined` where it is longer than what is kept. */
async function readKept(
  body: ReadableStream<Uint8Array>,
  response: Response,
  made: (content: KeptResponse["content"], sent: Response) => Made,
): Promise<Made> {
  const reader = readerOf(body);
  const early = new JoinedBytes(mostKeptBytes);
  for (;;) {
    const read = reader.read();
    const { done, value } = await read;
    if (done) return made(early.bytes, copyOf(response, early.bytes));
    if (early.length + bytesIn(value, reader) > mostKeptBytes) {
      return made(undefined, copyOf(response, resumedContent(early.bytes, read, reader)));
    }
    early.add(value);
  }
}

function copyOf(response: Response, content: BodyInit): Response {
  // Workers keep with it whether the content is coded already.
  return new Response(content, response);
}
