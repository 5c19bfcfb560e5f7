import type { InferInput, StandardSchema } from "../../json-schema/shape/standard-schema.ts";

/** A JSON Merge Patch of a value (RFC 7396): the members to set. `null` removes one. A list is replaced as a whole. */
export type MergePatch<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Name in keyof Value]?: MergePatch<Value[Name]> | null | undefined }
    : Value;

/** An operation of a JSON Patch (RFC 6902 §4). `path` and `from` are JSON Pointers, such as `/authors/0`. */
export type JsonPatchOperation =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly from: string; readonly path: string };

/** The content of a PATCH, by its media type. */
export interface PatchContent<Value> {
  /** The members to set (RFC 7396). */
  readonly "application/merge-patch+json": StandardSchema<MergePatch<Value>>;
  /** Operations, one after another (RFC 6902). */
  readonly "application/json-patch+json": StandardSchema<readonly JsonPatchOperation[]>;
}

/**
 * A PATCH made of GET and PUT: what `patch()` returns.
 *
 * @typeParam Get the declaration of GET.
 * @typeParam Put the declaration of PUT.
 */
export type PatchOperation<Get, Put> = {
  readonly [Name in Exclude<keyof Put, OwnMember>]: Put[Name];
} & { readonly [Status in Exclude<ErrorIn<keyof Get>, keyof Put>]: Get[Status] } & Omit<
    Conflicting,
    keyof Get | keyof Put
  > & {
    /** Patches of what GET answers, checked as the content of PUT. */
    readonly content: PatchContent<JsonIn<Put extends { readonly content: infer Content } ? Content : unknown>>;
    /** How PATCH is made. */
    readonly "~patch": object;
  };

/** The answer to a patch that does not apply. */
interface Conflicting {
  /** The patch does not apply to what is there. */
  readonly 409: string;
}

/** The members of PUT that say something of PUT alone. */
export type OwnMember = "id" | "summary" | "description" | "examples" | "content" | "tool" | "idempotency";

type ErrorIn<Key> = Key extends string | number ? (`${Key}` extends `${4 | 5}${string}` ? Key : never) : never;

/** The JSON that an operation takes. */
type JsonIn<Content> = Content extends { readonly "~standard": unknown }
  ? InferInput<Content>
  : Content extends { readonly "application/json": infer Schema }
    ? InferInput<Schema>
    : unknown;
