import { parseMediaType, type MediaType } from "../../fields/media-type.ts";
import { isThenable } from "../../http/javascript/thenable.ts";
import { jsonSchemaOf, probed, type Probed } from "../content/standard-schema.ts";
import { TextReader } from "../content/text-reader.ts";
import type { Operation } from "../declaration/operation.ts";
import type { BytesContent, TextContent } from "../declaration/raw-content.ts";
import type { StandardSchema } from "../declaration/standard-schema.ts";
import { after } from "./after.ts";
import { mediaOf, type Media } from "./media.ts";

/** The parts of a request that an operation reads. Null if nothing is declared. */
export interface InputPlan {
  readonly path: Part | null;
  readonly query: Part | null;
  readonly headers: Part | null;
  readonly cookies: Part | null;
  readonly content: TakenContent | null;
}

/** A part of a request that is read by a schema. */
export interface Part {
  readonly schema: StandardSchema;
  readonly reader: TextReader;
}

/** The declared content of an operation. */
export interface ContentDeclaration<Medium extends Media = Media> {
  readonly media: readonly Medium[];
  /** The value of `Accept` for it. */
  readonly types: string;
  /** Whether a client may omit it: a schema accepts `undefined`. False while an asynchronous schema has not said so. */
  readonly isOptional: boolean;
}

/** The content that an operation takes, and how it is read. */
export interface TakenContent extends Omit<ContentDeclaration<RequestMedia>, "isOptional"> {
  /**
   * The schema that accepts `undefined`: what it makes of it is the content of a request without any. Null if content is required.
   * A Promise if a schema is asynchronous.
   */
  readonly absent: MaybeLater<Absent>;
}

type Absent = StandardSchema | null;
type MaybeLater<Value> = Value | Promise<Value>;

/** A media type of requests. */
export interface RequestMedia extends Media {
  readonly range: MediaType;
  readonly maxBytes: number;
  /** How forms are read. */
  readonly reader: TextReader | null;
}

/** The default for the most bytes of content that are read. */
const defaultMaxBytes = 1_048_576;

/** Makes the plan by which requests are read. Wrong declarations were refused before. */
export function inputPlanOf({ path, query, headers, cookies, content }: Operation): InputPlan {
  return {
    path: partOf(path, "path"),
    query: partOf(query, "query"),
    headers: partOf(headers, "headers"),
    cookies: partOf(cookies, "cookies"),
    content: contentOf(content, requestMediaOf),
  };
}

function partOf(schema: StandardSchema | undefined, part: "path" | "query" | "headers" | "cookies"): Part | null {
  return schema === undefined ? null : { schema, reader: new TextReader(jsonSchemaOf(schema, "input"), part) };
}

/** Lists the declared content, without its readers. */
export function contentDeclarationOf(content: Operation["content"]): ContentDeclaration | null {
  const taken = contentOf(content, (one) => one);
  return taken && { ...taken, isOptional: taken.absent !== null && !isThenable(taken.absent) };
}

function contentOf<Medium extends Media>(
  content: Operation["content"],
  planned: (media: Media) => Medium,
): (Pick<TakenContent, "types" | "absent"> & { readonly media: readonly Medium[] }) | null {
  if (content === undefined) return null;
  const media = mediaOf(content);
  return { media: media.map(planned), types: media.map(({ type }) => type).join(", "), absent: absentOf(media) };
}

function absentOf(media: readonly Media[]): MaybeLater<Absent> {
  return media.reduce<MaybeLater<Absent>>(
    (before, { schema }) => after(before, (found) => found ?? (schema && takenAbsent(schema))) as MaybeLater<Absent>,
    null,
  );
}

function requestMediaOf(one: Media): RequestMedia {
  const { type, raw, schema } = one;
  return {
    ...one,
    range: parseMediaType(type)!,
    maxBytes: (raw as BytesContent | TextContent | null)?.maxBytes ?? defaultMaxBytes,
    reader: isForm(type) && schema !== null ? new TextReader(jsonSchemaOf(schema, "input"), "form") : null,
  };
}

function isForm(type: string): boolean {
  return /^(?:application\/x-www-form-urlencoded|multipart\/form-data)(?:;|$)/i.test(type);
}

/** Returns the schema if it accepts `undefined`. */
function takenAbsent(schema: StandardSchema): MaybeLater<Absent> {
  return after<Probed, Absent>(probed(schema, undefined), (issues) => (issues?.length === 0 ? schema : null));
}
