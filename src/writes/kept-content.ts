import { parseMediaType } from "../fields/media-type.ts";
import { readerOf } from "../http/message/content-reader.ts";
import { resumedContent } from "../http/message/resumed-content.ts";
import { lightContent, type LightResponse } from "../http/message/light-response.ts";
import { JoinedBytes } from "../http/javascript/joined-bytes.ts";
import { bytesIn } from "../fields/whole-content.ts";
import { keptText, mostKeptBytes } from "./kept-answer.ts";

/**
 * Reads the content of a response that is to be kept. Returns it, and a response with the same content.
 *
 * The content is `undefined` if it is longer than what is kept, or a stream of events, which may not end.
 */
export async function readKept(
  response: Response,
): Promise<[content: string | Uint8Array<ArrayBuffer> | null | undefined, response: Response]> {
  const type = parseMediaType(response.headers.get("content-type") ?? "");
  const isEvents = type?.type === "text" && type.subtype === "event-stream";
  // PERF: content that is there already is not read off a stream: 38 us of 172 (`node bench/middleware.js
  // --only=idempotency`, with this package's `Response` in place of the platform's).
  const { [lightContent]: light } = response as Partial<LightResponse>;
  const known = light === undefined || isEvents ? undefined : keptText(light);
  if (known !== undefined) return [known, response];
  const { body } = response;
  if (body === null) return [null, response];
  if (isEvents) return [undefined, response];
  const reader = readerOf(body);
  const early = new JoinedBytes(mostKeptBytes);
  for (;;) {
    const read = reader.read();
    const { done, value } = await read;
    if (done) return [early.bytes, copyOf(response, early.bytes)];
    if (early.length + bytesIn(value, reader) > mostKeptBytes) {
      return [undefined, copyOf(response, resumedContent(early.bytes, read, reader))];
    }
    early.add(value);
  }
}

function copyOf(response: Response, content: BodyInit): Response {
  // Workers keep with it whether the content is coded already.
  return new Response(content, response);
}
