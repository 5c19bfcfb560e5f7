import { answerMade, type Answer } from "../http/answer/carried-answer.ts";
import { pairsOf } from "../http/answer/field-list.ts";
import { countedLines, responseOf } from "../http/message/response.ts";
import { parseMediaType } from "../fields/media-type.ts";
import { readerOf } from "../http/message/content-reader.ts";
import { resumedContent } from "../http/message/resumed-content.ts";
import { lightContent, type LightResponse } from "../http/message/light-response.ts";
import { JoinedBytes } from "../http/javascript/joined-bytes.ts";
import { bytesIn } from "../fields/whole-content.ts";
import { keptText, mostKeptBytes, type KeptResponse } from "./kept-answer.ts";
import { isKept, type WriteRules } from "./write-rules.ts";

/** An answer, and what is kept of it. */
export interface Made {
  /** Null where a further try may go otherwise. */
  readonly kept: KeptResponse | null;
  readonly sent: Answer;
}

/** Makes of an answer what is kept of it, and an answer with the same content. Goes on at once where that is there. */
export function keptOf(answer: Answer, { keeps }: Pick<WriteRules, "keeps">): Made | Promise<Made> {
  const { status, made } = answer;
  const statusText = made?.statusText ?? answer.reason;
  // PERF: a list of fields, and no `Headers` of it: 2 of 20 us (`node bench/middleware.js --only=idempotency`).
  const fields = made === null ? pairsOf(countedLines(answer)) : [...made.headers];
  const valueOf = (name: string): string | undefined => fields.find(([one]) => one === name)?.[1];
  if (!isKept(status, { has: (name) => valueOf(name) !== undefined }) || !keeps(status))
    return { kept: null, sent: answer };
  const madeOf = (content: KeptResponse["content"], sent: Answer): Made => ({
    kept: { status, statusText, fields, content },
    sent,
  });
  const type = parseMediaType(valueOf("content-type") ?? "");
  const isEvents = type?.type === "text" && type.subtype === "event-stream";
  // PERF: content that is there already is not read off a stream: 38 us of 172 (`node bench/middleware.js
  // --only=idempotency`, with this package's `Response` in place of the platform's).
  const known = made === null ? answer.content : (made as Partial<LightResponse>)[lightContent];
  const content = isEvents ? undefined : keptText(known);
  if (content !== undefined) return madeOf(content, answer);
  const response = responseOf(answer);
  if (response.body === null) return madeOf(null, answer);
  // Events may not end.
  return isEvents ? madeOf(undefined, answer) : readKept(response.body, response, madeOf);
}

/** Reads the content: it is `undefined` where it is longer than what is kept. */
async function readKept(
  body: ReadableStream<Uint8Array>,
  response: Response,
  madeOf: (content: KeptResponse["content"], sent: Answer) => Made,
): Promise<Made> {
  const reader = readerOf(body);
  const early = new JoinedBytes(mostKeptBytes);
  for (;;) {
    const read = reader.read();
    const { done, value } = await read;
    if (done) return madeOf(early.bytes, copyOf(response, early.bytes));
    if (early.length + bytesIn(value, reader) > mostKeptBytes) {
      return madeOf(undefined, copyOf(response, resumedContent(early.bytes, read, reader)));
    }
    early.add(value);
  }
}

function copyOf(response: Response, content: BodyInit): Answer {
  // Workers keep with it whether the content is coded already.
  return answerMade(new Response(content, response));
}
