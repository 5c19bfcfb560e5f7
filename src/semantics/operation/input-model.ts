import { defaultMaxMembers } from "../../json-schema/text/parsed-json.ts";
import { parseMediaType, type MediaType } from "../../fields/media-type.ts";
import { after, isThenable } from "../../http/javascript/thenable.ts";
import type { DeclaredContent } from "../declaration/operation.ts";
import type { PageContent } from "../declaration/page-content.ts";
import { probed, type StandardSchema, type Probed } from "../../json-schema/shape/standard-schema.ts";
import type { Conversions } from "../../json-schema/library/conversions.ts";
import { everything, type JsonSchema } from "../../json-schema/shape/json-schema.ts";
import { schemaMembersOf, type SchemaMembers } from "../../json-schema/shape/schema-members.ts";
import { TextReader, type TextPart } from "../../json-schema/text/text-reader.ts";
import { tried } from "../../json-schema/library/tried-values.ts";
import { unshownPlacesIn } from "../../json-schema/library/unshown-places.ts";
import { outlineOf, type Outline } from "../../json-schema/library/zod-outline.ts";
import { isContent, mediaOf, Medium, type Media } from "./media.ts";

/** The parts of a request that an operation declares. Null where nothing is declared. */
export interface InputModel {
  readonly path: PartModel | null;
  readonly query: PartModel | null;
  readonly headers: PartModel | null;
  readonly cookies: PartModel | null;
  readonly content: ContentModel | null;
  /** How pages are asked for; null where the answer is not a page. */
  readonly page: PageContent["~cursors"] | null;
}

export const noInput: InputModel = { path: null, query: null, headers: null, cookies: null, content: null, page: null };

/** A part of a request that is read by a schema. */
export class PartModel {
  readonly name: TextPart;
  readonly schema: StandardSchema;
  readonly #conversions: Conversions;
  #outline: Outline | null | undefined;
  #members: SchemaMembers | null = null;
  #reader: TextReader | null = null;

  constructor(name: TextPart, schema: StandardSchema, conversions: Conversions) {
    this.name = name;
    this.schema = schema;
    this.#conversions = conversions;
  }

  /**
   * The outline that the library of the schema shows without a conversion: then it has no mistake of types. Null if it
   * says too little.
   */
  get outline(): Outline | null {
    return this.#outline === undefined ? (this.#outline = outlineOf(this.schema)) : this.#outline;
  }

  /** The names that its schema declares. */
  get names(): readonly string[] {
    return this.outline?.names ?? [...this.members.named.keys()];
  }

  /** The names that its schema requires. */
  get required(): readonly string[] {
    return this.outline?.required ?? [...this.members.required];
  }

  /** The JSON Schema of what the schema accepts; `undefined` if its library has none. */
  get shown(): JsonSchema | undefined {
    return this.#conversions.shown(this.schema, "input");
  }

  /** The members that its JSON Schema declares: none where there is none. Read on first use. */
  get members(): SchemaMembers {
    return (this.#members ??= schemaMembersOf(this.shown, this.shown ?? everything));
  }

  /** The members that its JSON Schema does not show, and that take nothing of what was tried. */
  get untakenMembers(): string[] {
    const members = unshownPlacesIn(this.shown).filter(({ path }) => path.length === 1);
    return members.filter((place) => tried(this.schema, place) === "untaken").map(({ path }) => String(path));
  }

  /** Reads the texts of the input. Made on first use. */
  get reader(): TextReader {
    return (this.#reader ??= new TextReader(this.shown, this.name));
  }
}

export class ContentModel {
  readonly media: readonly RequestMedium[];
  /** The value of `Accept` for it. */
  readonly types: string;
  /** Whether the content is declared by media type: then a client names one. */
  readonly isMap: boolean;
  #absent: MaybeLater<Absent> | undefined;

  constructor(media: readonly RequestMedium[], isMap: boolean) {
    this.media = media;
    this.isMap = isMap;
    this.types = media.map(({ type }) => type).join(", ");
  }

  /**
   * The schema that accepts `undefined`: what it makes of it is the content of a request without any. Null if content
   * is required. A Promise if a schema is asynchronous. Asked on first use.
   */
  get absent(): MaybeLater<Absent> {
    return this.#absent === undefined ? (this.#absent = absentOf(this.media)) : this.#absent;
  }

  /** Whether a client may omit it. False while an asynchronous schema has not said so. */
  get isOptional(): boolean {
    return this.absent !== null && !isThenable(this.absent);
  }
}

type Absent = StandardSchema | null;
type MaybeLater<Value> = Value | Promise<Value>;

export class RequestMedium extends Medium {
  readonly range: MediaType;
  readonly maxBytes: number;
  readonly maxMembers: number;
  /** How forms are read; null for other content. */
  readonly form: PartModel | null;

  constructor(media: Media, conversions: Conversions) {
    super(media);
    const { type, schema, maxBytes = defaultMaxBytes, maxMembers = defaultMaxMembers } = media;
    this.range = parseMediaType(type)!;
    this.maxBytes = maxBytes;
    this.maxMembers = maxMembers;
    this.form = isForm(type) && schema !== null ? new PartModel("form", schema, conversions) : null;
  }
}

/** The default for the most bytes of content that are read. */
export const defaultMaxBytes = 1_048_576;

/** Reads the content that an operation takes. A wrong declaration was refused before. */
export function contentModelOf(content: DeclaredContent, conversions: Conversions): ContentModel {
  const media = mediaOf(content).map((one) => new RequestMedium(one, conversions));
  return new ContentModel(media, !isContent(content));
}

function absentOf(media: readonly Media[]): MaybeLater<Absent> {
  return media.reduce<MaybeLater<Absent>>(
    (before, { schema }) => after(before, (found) => found ?? (schema && takenAbsent(schema))) as MaybeLater<Absent>,
    null,
  );
}

function isForm(type: string): boolean {
  return /^(?:application\/x-www-form-urlencoded|multipart\/form-data)(?:;|$)/i.test(type);
}

/** Returns the schema if it accepts `undefined`. */
function takenAbsent(schema: StandardSchema): MaybeLater<Absent> {
  return after<Probed, Absent>(probed(schema, undefined), (issues) => (issues?.length === 0 ? schema : null));
}
