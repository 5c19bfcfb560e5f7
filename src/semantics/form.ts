import { defaultMaxBytes, defaultMaxFileBytes, type PartsOfOptions } from "../formats/multipart/parts.ts";
import { checkTypes } from "../formats/multipart/file-type.ts";
import { isSink, type Sink } from "../formats/multipart/sink.ts";
import { described } from "../http/javascript/described.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { isPlainObject } from "../http/javascript/property.ts";
import {
  isSchema,
  probed,
  type InferInput,
  type InferOutput,
  type StandardSchema,
} from "../json-schema/shape/standard-schema.ts";
import type { FormContent, FormMember, SentFile, TakenFile, UploadMember } from "./declaration/form-content.ts";
import { FormReader } from "./line/form-reader.ts";

/** The members of a form: a schema for a field, `upload()` for a file. */
export interface FormMembers {
  readonly [name: string]: StandardSchema | UploadMember;
}

/** Limits of a form. `upload()` has the limit of a file. */
export type FormOptions = Omit<PartsOfOptions, "maxFileBytes">;

/** Options of `upload()`. */
export interface UploadOptions<Stored extends object, Many, Optional> {
  /** Stores the file with `disk()` or `memory()` of `fingerpost/files`, or a sink of your own. */
  readonly to: Sink<Stored>;
  /** Maximum size in bytes; fingerpost answers more with 413. Default: 5 MiB. */
  readonly maxBytes?: number | undefined;
  /**
   * The media types that are accepted, such as `image/png`, or `image/*`. Default: all but those in which browsers run
   * scripts.
   */
  readonly types?: readonly string[] | undefined;
  /** Maximum number of files. The value is then a list. Default: one file, and no list. */
  readonly maxFiles?: Many | undefined;
  /** Accepts a form without the file. Default: false. */
  readonly optional?: Optional | undefined;
}

/**
 * Declares a form whose files are stored while they come in. A handler gets its fields, and what is known of the stored
 * files.
 *
 * Parts may come in any order. A field is read by its schema, and a file goes to the sink of its `upload()`. A member
 * that is not declared, or is repeated and not a list, gets 422.
 *
 * Stored files are discarded when the client leaves, or a limit or a schema refuses the request. The same holds when
 * the handler throws, or answers with a status from 400 on.
 *
 * @throws {TypeError} when a member or a limit is wrong.
 * @example
 * ```ts
 * import { memory } from "fingerpost/files";
 * class Covers extends Resource {
 *   paths = ["/covers"] as const;
 *
 *   static POST = {
 *     content: form({ caption: z.string(), cover: upload({ types: ["image/*"], to: memory() }) }),
 *     200: z.object({ caption: z.string(), type: z.string(), size: z.int() }),
 *   };
 *   POST({ content: { caption, cover } }: Call<typeof Covers, "POST">) {
 *     return { caption, type: cover.type, size: cover.size };
 *   }
 * }
 * const app = Application.builder().resources(Covers).build();
 *
 * const body = new FormData();
 * body.set("caption", "Ada");
 * body.set("cover", new Blob(["GIF89a"]), "ada.gif");
 * const response = await app.request("/covers", { method: "POST", body });
 * console.log(await response.json()); // { caption: 'Ada', type: 'image/gif', size: 6 }
 * ```
 */
export function form<const Members extends FormMembers>(
  members: Members,
  options: FormOptions = {},
): FormContent<SentForm<Members>, TakenForm<Members>> {
  if (!isPlainObject(members) || Object.keys(members).length === 0) {
    throw new TypeError(
      "Cannot call form(): expected its members, such as { caption: z.string(), cover: upload({ to }) }, got " +
        `${described(members)}`,
    );
  }
  const names = ["maxBytes", "maxParts", "maxFieldBytes", "maxHeadBytes"] as const;
  const check = new OptionCheck<FormOptions>("form", options, names);
  for (const name of names) check.count(name);
  const { maxBytes = defaultMaxBytes } = check.options;
  const read = new Map(Object.entries(members).map(([name, member]) => [name, memberOf(name, member, maxBytes)]));
  const reader = new FormReader(read, check.options);
  return Object.freeze({
    kind: "form",
    type: "multipart/form-data",
    members: read,
    maxBytes,
    read: (input: object) => reader.read(input) as Promise<TakenForm<Members>>,
  });
}

/**
 * Declares a file of a `form()`, and where it goes.
 *
 * The type is detected from the first bytes: what the client says is a claim. SVG, HTML and XML are refused unless
 * `types` names them.
 *
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * import { disk } from "fingerpost/files";
 *
 * const types = ["image/png", "image/jpeg"];
 * const photos = upload({ maxFiles: 10, maxBytes: 1_000_000, types, to: disk("./photos") });
 * ```
 */
export function upload<
  Stored extends object,
  Many extends number | undefined = undefined,
  Optional extends boolean | undefined = undefined,
>(
  options: UploadOptions<Stored, Many, Optional>,
): UploadMember<SentFile<Many, Optional>, TakenFile<Stored, Many, Optional>> {
  const check = new OptionCheck("upload", options, ["to", "maxBytes", "types", "maxFiles", "optional"]);
  const { to, maxBytes = defaultMaxFileBytes, types, maxFiles, optional } = check.options;
  check.require(isSink(to), "to", "a sink, such as disk() or memory() of fingerpost/files");
  check.count("maxBytes");
  checkTypes(check);
  check.positive("maxFiles");
  check.boolean("optional");
  return Object.freeze({
    kind: "upload",
    sink: to as Sink,
    maxBytes,
    types: types && [...types],
    maxFiles: maxFiles ?? null,
    isOptional: optional === true,
  });
}

/** The members that a client sends: one that may be absent can be left out. */
type SentForm<Members> = {
  readonly [Name in RequiredIn<Members>]: SentMember<Members[Name]>;
} & { readonly [Name in Exclude<keyof Members, RequiredIn<Members>>]?: SentMember<Members[Name]> };

type RequiredIn<Members> = {
  [Name in keyof Members]: undefined extends SentMember<Members[Name]> ? never : Name;
}[keyof Members];

type SentMember<Member> = Member extends UploadMember<infer Sent> ? Sent : InferInput<Member>;

/** The members that a handler gets. */
type TakenForm<Members> = {
  readonly [Name in keyof Members]: Members[Name] extends UploadMember<infer _Sent, infer Taken>
    ? Taken
    : InferOutput<Members[Name]>;
};

function memberOf(name: string, member: unknown, maxBytes: number): FormMember {
  const { kind, sink, maxBytes: most, types, ...more } = (member ?? {}) as Partial<UploadMember>;
  if (kind === "upload") {
    if (most! > maxBytes) {
      throw new TypeError(
        `Cannot call form(): its file ${described(name)} may have ${most} bytes in a form of at most ${maxBytes}; ` +
          "write form(members, { maxBytes })",
      );
    }
    return {
      schema: null,
      isRequired: more.isOptional === false,
      sink: sink!,
      maxBytes: most!,
      types,
      maxFiles: more.maxFiles!,
    };
  }
  if (isSchema(member)) {
    const absent = probed(member, undefined);
    return { schema: member, isRequired: !Array.isArray(absent) || absent.length > 0 };
  }
  throw new TypeError(
    `Cannot call form(): its member ${described(name)} must be a schema or upload({ to }), got ${described(member)}`,
  );
}
