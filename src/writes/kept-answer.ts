import { formatBase64 } from "../http/javascript/base64.ts";
import { isBytes } from "../http/javascript/any-realm.ts";
import { isContentless } from "../http/protocol/contentless-status.ts";
import { HTTPError } from "../http/protocol/http-error.ts";
import { Status } from "../http/protocol/status.ts";
import type { ProblemError } from "../http/protocol/problem-error.ts";
import { isKept, type WriteRules } from "./write-rules.ts";

/** An answer as a store keeps it. */
export type KeptAnswer = KeptResponse | KeptError;

/** A response of the handler. */
export interface KeptResponse {
  readonly status: number;
  readonly statusText: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Null if the response has no content; `undefined` if it had more than a store keeps. */
  readonly content: string | Uint8Array<ArrayBuffer> | null | undefined;
}

/** An `HTTPError` of the handler: the application makes the same response of it each time. */
export interface KeptError {
  readonly error: {
    readonly status: number;
    readonly message: string;
    readonly errors?: readonly ProblemError[] | undefined;
  };
  readonly fields: readonly (readonly [name: string, value: string])[];
}

export const mostKeptBytes: number = 1_048_576;

/**
 * Returns content that can be kept as it is; `undefined` for a stream, a Blob, and what is longer than what is kept.
 */
export function keptText(
  content: string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array> | null | undefined,
): string | Uint8Array<ArrayBuffer> | null | undefined {
  if (content === null) return null;
  // A character has at most three bytes in UTF-8 for each unit that it has in a string.
  if (typeof content === "string") return content.length * 3 <= mostKeptBytes ? content : undefined;
  return isBytes(content) && content.length <= mostKeptBytes ? content : undefined;
}

/** The error of a handler, as it is kept. Null if it is none of HTTP, or another try may go otherwise. */
export function errorKept(error: unknown, { keeps }: Pick<WriteRules, "keeps">): KeptError | null {
  if (!(error instanceof HTTPError) || !isKept(error.status, error.headers) || !keeps(error.status)) return null;
  const { status, message, errors, headers } = error;
  return { error: { status, message, errors }, fields: [...headers] };
}

/** Writes an answer as one text. @param names the names of the write that it answers. */
export function writtenAnswer(answer: KeptAnswer, names: readonly string[]): string {
  if ("error" in answer) return JSON.stringify({ ...answer, names });
  const { status, statusText, fields, content } = answer;
  // JSON leaves out undefined members.
  if (content === null || content === undefined || typeof content === "string")
    return JSON.stringify({ status, statusText, fields, content, names });
  try {
    return JSON.stringify({ status, statusText, fields, content: strictDecoder.decode(content), names });
  } catch {
    return JSON.stringify({ status, statusText, fields, bytes: formatBase64(content), names });
  }
}

/**
 * Returns whether an answer may be of a write: other writes, too, have its name of the first version.
 * @param names the names of the write.
 */
export function isAnswerOf(text: string, names: readonly string[]): boolean {
  let known: unknown;
  try {
    ({ names: known } = JSON.parse(text) as { readonly names?: unknown });
  } catch {
    // Who reads it tells what is wrong.
  }
  // The release before keeps no names.
  return !Array.isArray(known) || known.slice(1).some((name) => names.includes(name as string));
}

// A byte order mark is content.
const strictDecoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads an answer. @throws {Error} when a store returns something else than it was given. */
export function readAnswer(text: string): KeptAnswer {
  try {
    return answerIn(JSON.parse(text) as WrittenAnswer);
  } catch (cause) {
    throw otherThanGiven(cause);
  }
}

/** The error of a store that returns something else than it was given. */
export function otherThanGiven(cause?: unknown): Error {
  return new Error("Cannot read a kept answer: the store returned something else than it was given", { cause });
}

/** What a store returns: it may be anything. */
interface WrittenAnswer {
  readonly error?: { readonly status: number; readonly message: unknown; readonly errors?: unknown } | null;
  readonly status: number;
  readonly statusText: string;
  readonly fields: [string, string][];
  readonly content?: unknown;
  readonly bytes?: string;
}

function answerIn({ error, status, statusText, fields, content, bytes }: WrittenAnswer): KeptAnswer {
  // Throws for what is not a field.
  const headers = new Headers(required(Array.isArray(fields), fields));
  if (error !== undefined) {
    const isError = typeof error?.message === "string" && (error.errors === undefined || Array.isArray(error.errors));
    return {
      error: required(isError && isRegistered(error.status), error as KeptError["error"]),
      fields: [...headers],
    };
  }
  const read = bytes === undefined ? content : Uint8Array.from(atob(bytes), (unit) => unit.charCodeAt(0));
  const isContent = read === undefined || read === null || typeof read === "string" || isBytes(read);
  const kept = required(isContent && isKept(status, headers), read as KeptResponse["content"]);
  // Bun makes a response of either.
  required(/^[\t\x20-\x7e\x80-\xff]*$/.test(statusText) && !(kept && isContentless(status)), null);
  // Throws for a status that is none.
  void new Response(null, { status, statusText });
  return { status, statusText, fields, content: kept };
}

function required<Value>(holds: boolean, value: Value): Value {
  if (holds) return value;
  throw new TypeError("Cannot read a kept answer: it has no status, no fields or no content");
}

function isRegistered(status: unknown): boolean {
  return Object.values(Status).some((one) => one.status === status);
}
