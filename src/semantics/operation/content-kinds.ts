import type { StandardSchema } from "../../json-schema/shape/standard-schema.ts";
import type { RawContent } from "../declaration/raw-content.ts";

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

export const contentKinds: Readonly<Record<RawContent["kind"], ContentKind>> = {
  bytes: {},
  text: { isText: true },
  written: { of: "answers", isText: true },
  events: { of: "answers", isText: true },
  // Lines have two names of one format: the second one is older.
  lines: { types: ["application/jsonl", "application/x-ndjson"] },
  form: { of: "requests" },
};

/** The schemas of raw content: of its values, or of its members. */
export function schemasOfRaw(raw: RawContent): StandardSchema[] {
  if ("schema" in raw) return [raw.schema];
  return "members" in raw ? [...raw.members.values()].flatMap(({ schema }) => schema ?? []) : [];
}
