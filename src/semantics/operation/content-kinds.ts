import { isArrayBuffer, isBlob, isStream } from "../../http/javascript/any-realm.ts";
import { isAsyncIterable } from "../../http/javascript/async-iterable.ts";
import type { StandardSchema } from "../../json-schema/shape/standard-schema.ts";
import type { GivenContent, RawContent } from "../declaration/raw-content.ts";

/**
 * The differences between kinds of raw content, besides abilities of a declaration itself, such as `read` or `stream`.
 */
export interface ContentKind {
  /** The only messages that may have it, if not both may. */
  readonly of?: "requests" | "answers";
  /** The media types of the kind, if it has several outside of a map. */
  readonly types?: readonly string[];
  /** Whether content of the kind is written as text, whose type names UTF-8. */
  readonly isText?: true;
}

interface GivenKind extends ContentKind {
  /** Whether a value that a handler returned is one for it. */
  readonly isFit: (content: unknown) => boolean;
  /** The values that fit, for the message about another one. */
  readonly expected: string;
}

const stream = { isFit: isAsyncIterable, expected: "Expected an async iterable" };

export const contentKinds: Readonly<Record<RawContent["kind"], ContentKind> & Record<GivenContent["kind"], GivenKind>> =
  {
    bytes: {
      isFit: (content) =>
        [isBlob, isArrayBuffer, isStream, ArrayBuffer.isView, isAsyncIterable].some((isOne) => isOne(content)),
      expected: "Expected a Blob, an ArrayBuffer, a view of one, a ReadableStream or an async iterable",
    },
    text: {
      isText: true,
      isFit: (content) => typeof content === "string" || isAsyncIterable(content),
      expected: "Expected a string or an async iterable",
    },
    written: { of: "answers", isText: true, isFit: () => true, expected: "" },
    events: { of: "answers", isText: true, ...stream },
    // Lines have two names of one format: the second one is older.
    lines: { types: ["application/jsonl", "application/x-ndjson"], ...stream },
    form: { of: "requests" },
  };

/** The schemas of raw content: of its values, or of its members. */
export function schemasOfRaw(raw: RawContent): StandardSchema[] {
  if ("schema" in raw) return [raw.schema];
  return "members" in raw ? [...raw.members.values()].flatMap(({ schema }) => schema ?? []) : [];
}
