// What users of validation libraries write, and what they expect of it in an operation.
import type { StandardSchema } from "fingerpost";

/** Each library has a row for each, or says that it has no such thing. */
export const idioms = [
  "catch",
  "default",
  "prefault",
  "coercion",
  "codec",
  "stringbool",
  "date",
  "bigint",
  "union",
  "discriminated union",
  "recursive",
  "readonly",
  "intersection",
  "file",
] as const;

type Name = (typeof idioms)[number];

/** Requests by a schema: as JSON content, or as text of a query. */
interface Read {
  readonly idiom: Name;
  readonly by: "content" | "query" | "form";
  readonly schema: StandardSchema;
  /** What is sent, and what the handler gets. */
  readonly takes: readonly (readonly [sent: unknown, value: unknown])[];
  /** What is sent, and the places of the errors. */
  readonly refuses: readonly (readonly [sent: unknown, ...places: string[]])[];
  /** How the document describes it: of a query the schema of the member `v`. */
  readonly document: unknown;
}

/** Answers by a schema. */
interface Written {
  readonly idiom: Name;
  readonly by: "answer";
  readonly schema: StandardSchema;
  /** What the handler returns, and what is sent: null for 500. */
  readonly writes: readonly (readonly [value: unknown, sent: unknown])[];
  readonly document: unknown;
}

/** What `build()` refuses, with the cure. */
interface Refused {
  readonly idiom: Name;
  readonly by: "content" | "query" | "answer";
  readonly schema: StandardSchema;
  readonly message: string;
}

/** What the library does not have. */
interface Lacking {
  readonly idiom: Name;
  readonly lacks: string;
}

export type Idiom = Read | Written | Refused | Lacking;
