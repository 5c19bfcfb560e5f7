import type { Bytes } from "../javascript/bytes.ts";
import { FieldList } from "./field-list.ts";

/** Content as it is sent: whole, or a stream. */
export type Content = string | Bytes | Blob | ReadableStream<Uint8Array> | null;

/** The error of an answer that refuses nothing: a program may throw any other value. */
export const noError: unique symbol = Symbol("noError");

/**
 * The answer to a request on its way to who sends it: from the line, from middleware, from a store.
 *
 * Users never get one. They get its `Response`, or its error is thrown.
 */
export class Answer {
  // Fields that the constructor assigns are only declared: V8 would define each before.
  declare status: number;
  /** The reason phrase. HTTP/2 has none. */
  declare reason: string;
  /** Names in lower case, and values, in turn. Several answers may share the list, so `fields` changes a copy. */
  declare lines: readonly string[];
  /** Null where there is none, and of a refusal that is not rendered yet. */
  declare content: Content;
  /** Whether the content is in its `Content-Encoding` already. Workers would apply the coding again. */
  declare isCoded: boolean;
  /** The error of a refusal; `noError` for every other answer. */
  declare error: unknown;
  /** The response that there is: the one of a user, which is sent as the object that it is. */
  declare made: Response | null;
  declare ownFields: FieldList | null;

  /** @param lines names in lower case, and values, in turn. */
  constructor(status: number, lines: readonly string[], content: Content) {
    this.status = status;
    this.reason = "";
    this.lines = lines;
    this.content = content;
    this.isCoded = false;
    this.error = noError;
    this.made = null;
    this.ownFields = null;
  }

  /** Fields of the answer alone, to be changed. */
  get fields(): FieldList {
    if (this.ownFields === null) {
      this.ownFields = new FieldList([...this.lines]);
      this.lines = this.ownFields.lines;
    }
    return this.ownFields;
  }
}

const none: readonly never[] = [];

/** The answer to a request that is refused: nothing but its error is known until `fetch()` renders it. */
export function refusalAnswer(error: unknown): Answer {
  const answer = new Answer(500, none, null);
  answer.error = error;
  return answer;
}

export function answerMade(response: Response): Answer {
  const answer = new Answer(response.status, none, null);
  answer.made = response;
  return answer;
}

/** Returns a result as users get it: of an answer its response. @throws the error of a refusal. */
export function finished(result: unknown, { responseOf }: AnswerReader): unknown {
  if (!(result instanceof Answer)) return result;
  if (result.error !== noError) throw result.error;
  return responseOf(result, null);
}

/** What makes responses of answers, such as the dispatcher of declared operations. */
export interface AnswerReader {
  /** @param request the request that came in, if nobody but its host gets the response; null for anybody else. */
  responseOf(this: void, answer: Answer, request: Request | null): Response;
}
