import { essenceOf } from "../../fields/media-type.ts";
import { isToken } from "../../fields/token.ts";
import { described } from "../../http/javascript/described.ts";
import { isJsonSchema } from "../../json-schema/shape/json-schema.ts";
import { isSchema, type StandardSchema } from "../../json-schema/shape/standard-schema.ts";
import type { DeclaredContent } from "../declaration/operation.ts";
import { pageIn } from "../declaration/page-content.ts";
import { isRawContent } from "../declaration/raw-content.ts";
import type { Conversions } from "../../json-schema/library/conversions.ts";
import type { TextPart } from "../../json-schema/text/text-reader.ts";
import { contentKinds } from "./content-kinds.ts";
import { refuseRaw, refuseUnreadTypes, type Unchecked } from "./content-refusals.ts";
import { contentModelOf, PartModel, type ContentModel, type InputModel } from "./input-model.ts";
import { isContent, isMap, schemasIn } from "./media.ts";

/**
 * Reads what an operation declares of requests.
 * @param cannot the beginning of the message.
 * @throws {TypeError} which says what to write, if it cannot be read.
 */
export function readInputModel(operation: Unchecked, cannot: string, conversions: Conversions): InputModel {
  const partOf = (name: Exclude<TextPart, "form">): PartModel | null => {
    const schema = operation[name];
    return schema === undefined ? null : readPart(name, schema, cannot, conversions);
  };
  const query = partOf("query");
  return {
    path: partOf("path"),
    query,
    headers: partOf("headers"),
    cookies: partOf("cookies"),
    content: readContent(operation["content"], cannot, conversions),
    page: readPages(operation, query, cannot),
  };
}

function readPages(operation: Unchecked, query: PartModel | null, cannot: string): InputModel["page"] {
  const pages = pageIn(operation["200"]);
  const own = pages && ["cursor", "limit"].find((name) => query?.names.includes(name));
  if (own)
    throw new TypeError(`${cannot} has ${described(own)} for query beside page(), which declares it; leave it out`);
  return pages && pages["~cursors"];
}

function readPart(
  name: Exclude<TextPart, "form">,
  schema: unknown,
  cannot: string,
  conversions: Conversions,
): PartModel {
  refuseRaw(schema, name, cannot);
  if (!isSchema(schema))
    throw new TypeError(`${cannot} has ${described(schema)} for ${name}; write a schema of an object`);
  const part = new PartModel(name, schema, conversions);
  if (part.outline === null) refuseUnreadable(part, cannot);
  if (name === "headers" || name === "cookies") {
    const unfit = part.names.find((member) => !isToken(member));
    if (unfit !== undefined) {
      throw new TypeError(
        `${cannot} has ${described(unfit)} for ${name}, a name that no request can have; write a token, such as ` +
          '"x-name"',
      );
    }
  }
  if (part.outline === null) refuseUnfitMembers(part, cannot, conversions);
  return part;
}

/** What is no object of types that are known. */
function refuseUnreadable({ name, schema, shown }: PartModel, cannot: string): void {
  if (shown === undefined && schema["~standard"].jsonSchema !== undefined) {
    throw new TypeError(
      `${cannot} has a schema for ${name} whose conversion to JSON Schema throws, so that no text would have a type; ` +
        "write defaults that do not throw",
    );
  }
  if (typeof shown?.["type"] === "string" && shown["type"] !== "object") {
    throw new TypeError(`${cannot} has a schema of type ${shown["type"]} for ${name}; write a schema of an object`);
  }
}

/** Members that no text can hold. */
function refuseUnfitMembers({ name, schema, reader }: PartModel, cannot: string, conversions: Conversions): void {
  const { objectMembers } = reader;
  if (objectMembers.length > 0) {
    throw new TypeError(
      `${cannot} has an object for "${objectMembers[0]!.slice(0, 80)}" of ${name}: text cannot hold one; write its ` +
        "members one by one",
    );
  }
  refuseInstances(schema, name, cannot, conversions);
}

function readContent(content: unknown, cannot: string, conversions: Conversions): ContentModel | null {
  if (content === undefined) return null;
  if (pageIn({ content }) !== null) {
    throw new TypeError(`${cannot} has page() for content, which only answers have; write a schema`);
  }
  if (!isContent(content) && !isMap(content)) {
    refuseRaw(content, "content", cannot);
    throw new TypeError(
      `${cannot} has ${described(content)} for content; write a schema, bytes(), or { [mediaType]: schema }`,
    );
  }
  refuseUnreadTypes(content, "content", cannot);
  for (const schema of schemasIn(content)) refuseInstances(schema, "content", cannot, conversions);
  const types = Object.entries(isContent(content) ? {} : (content as object));
  const wrong = types.find(([type, { kind }]) => kind === "form" && essenceOf(type) !== "multipart/form-data");
  if (wrong !== undefined) {
    throw new TypeError(
      `${cannot} has form() for ${described(wrong[0])} of content; write "multipart/form-data", or a schema`,
    );
  }
  for (const raw of isRawContent(content) ? [content] : Object.values(content as object).filter(isRawContent)) {
    if (contentKinds[raw.kind].of === "answers") {
      throw new TypeError(`${cannot} has ${raw.kind}() for content, which only answers have; write text() or bytes()`);
    }
    if (raw.kind === "lines" && raw.maxBytes === undefined) {
      throw new TypeError(`${cannot} has lines() without maxBytes for content; write lines(schema, { maxBytes })`);
    }
  }
  // RFC 9110 §9.3.1, §9.3.8: it has no meaning there, and no client sends it.
  const [, unsent] = / (GET|HEAD|TRACE|CONNECT)$/.exec(cannot) ?? [];
  if (unsent !== undefined)
    throw new TypeError(`${cannot} has content, which no client sends with ${unsent}; write query, or static QUERY`);
  const model = contentModelOf(content as DeclaredContent, conversions);
  for (const { form, maxBytes } of model.media) if (form !== null) refuseLongFiles(form, maxBytes, cannot);
  return model;
}

/** A file that its schema accepts would be 413. */
function refuseLongFiles({ members: { named } }: PartModel, maxBytes: number, cannot: string): void {
  for (const [name, member] of named) {
    const most = isJsonSchema(member) && member["contentEncoding"] === "binary" ? Number(member["maxLength"]) : 0;
    if (most > maxBytes) {
      throw new TypeError(
        `${cannot} has a file ${described(name)} of up to ${most} bytes in content of at most ${maxBytes}; write ` +
          "json(schema, { maxBytes })",
      );
    }
  }
}

/** A value that is a date, and nothing that requests carry, would refuse whatever a client sends. */
function refuseInstances(
  schema: StandardSchema,
  part: TextPart | "content",
  cannot: string,
  conversions: Conversions,
): void {
  const place = conversions.instanceIn(schema);
  if (place === undefined) return;
  const name = place.path.map((key) => (typeof key === "string" ? `.${key}` : "[]")).join("");
  const where = name === "" ? part : `"${name.replace(/^\./, "").slice(0, 80)}" of ${part}`;
  throw new TypeError(
    `${cannot} has a date or a bigint for ${where}, and no request carries one; write a schema that reads text, such ` +
      "as z.coerce.date()",
  );
}
