import type { Sink, StoredFile } from "../../formats/multipart/sink.ts";
import type { StandardSchema } from "../../json-schema/shape/standard-schema.ts";

/** A form whose files are stored while they come in: what `form()` returns. */
export interface FormContent<Sent = unknown, Taken = unknown> {
  /** Distinguishes the kinds. */
  readonly kind: "form";
  /** The media type. */
  readonly type: "multipart/form-data";
  /** The fields by their schemas, and the files. */
  readonly members: ReadonlyMap<string, FormMember>;
  /** Maximum size of the form in bytes. */
  readonly maxBytes: number;
  /**
   * Reads the form of a request. Part of the declaration, so that a bundle without uploads leaves it out.
   *
   * @throws {HTTPError} 400, 413 or 422.
   */
  readonly read: (input: object) => Promise<Taken>;
  /** The types of both sides. It does not exist at run time. */
  readonly types?: { readonly sent: Sent; readonly taken: Taken } | undefined;
}

/** A member of a form. */
export type FormMember = FormField | FormFile;

/** A field, or several of one name. */
export interface FormField {
  readonly schema: StandardSchema;
  readonly isRequired: boolean;
}

/** A file, or several of one name. */
interface FormFile extends Pick<UploadMember, "sink" | "maxBytes" | "types" | "maxFiles"> {
  readonly schema: null;
  readonly isRequired: boolean;
}

/** A file of a form: what `upload()` returns. */
export interface UploadMember<Sent = unknown, Taken = unknown> {
  /** Distinguishes it from a schema. */
  readonly kind: "upload";
  /** Where the file goes. */
  readonly sink: Sink;
  /** Maximum size in bytes. */
  readonly maxBytes: number;
  /** The media types that are accepted. */
  readonly types: readonly string[] | undefined;
  /** Maximum number of files; null where the value is not a list. */
  readonly maxFiles: number | null;
  /** Whether a form may lack the file. */
  readonly isOptional: boolean;
  /** The types of both sides. It does not exist at run time. */
  readonly sides?: { readonly sent: Sent; readonly taken: Taken } | undefined;
}

/** The value that a client sends as a file. */
export type SentFile<Many, Optional> = Many extends number
  ? readonly Blob[] | WhenAbsent<Optional>
  : Blob | WhenAbsent<Optional>;

/** The value that a handler gets for a stored file. For several, it is a list, which is empty if there are none. */
export type TakenFile<Stored, Many, Optional> = Many extends number
  ? readonly (StoredFile & Stored)[]
  : (StoredFile & Stored) | WhenAbsent<Optional>;

type WhenAbsent<Optional> = Optional extends true ? undefined : never;
