import type { MountedResource } from "../../dispatch/mounted-resource.ts";
import { essenceOf, parseMediaType } from "../../fields/media-type.ts";
import { isFieldValue, isToken } from "../../fields/token.ts";
import { described } from "../../http/javascript/described.ts";
import { propertyOf } from "../../http/javascript/property.ts";
import { parsePathPattern } from "../../routing/pattern/path-pattern.ts";
import type { DeclaredContent, Method, Operation } from "../declaration/operation.ts";
import { pageIn } from "../declaration/page-content.ts";
import { isRawContent, isSocket } from "../declaration/raw-content.ts";
import type { StandardSchema } from "../../json-schema/standard-schema.ts";
import { Conversions } from "../schema/conversions.ts";
import { isJsonSchema } from "../../json-schema/json-schema.ts";
import { isSchema } from "../../json-schema/standard-schema.ts";
import type { TextPart } from "../schema/text-reader.ts";
import { tried } from "../schema/tried-values.ts";
import { unshownPlacesIn } from "../schema/unshown-places.ts";
import { contentModelOf, noInput, PartModel, type ContentModel, type InputModel } from "./input-model.ts";
import { contentKinds } from "./content-kinds.ts";
import { isContent, isMap, schemasIn } from "./media.ts";
import { isStatus } from "./answer-model.ts";
import { refuseUnfitMembers } from "./member-rules.ts";
import { members, others, semanticMethods } from "./members.ts";
import { classMembers, operationModelOf, type OperationModel } from "./operation-model.ts";
import { refuseStrays } from "./stray-operations.ts";

/** An operation before it was checked. */
type Unchecked = Readonly<Record<string, unknown>>;

const operations = new WeakMap<MountedResource, ReadonlyMap<string, OperationModel>>();

/**
 * Returns the operations of a resource, by method: one for each that it implements. They are read once, by `build()`
 * for resources of the semantics module, else on first use.
 *
 * @throws {TypeError} when a declaration of its class cannot work.
 */
export function operationsOf(mounted: MountedResource): ReadonlyMap<string, OperationModel> {
  const { methods } = mounted;
  return operations.get(mounted) ?? readOperations(mounted, (method) => methods.includes(method), new Conversions());
}

/**
 * Reads what the class of a resource declares. Refuses declarations that cannot work, naming class, method and member.
 *
 * @throws {TypeError} which says what to write.
 */
export function readOperations(
  mounted: MountedResource,
  isImplemented: (method: Method) => boolean,
  conversions: Conversions,
): ReadonlyMap<string, OperationModel> {
  const { name, resource, patterns } = mounted;
  const Class = resource.constructor as unknown as Unchecked;
  const { paths } = resource as { readonly paths: readonly unknown[] };
  for (const member of classMembers) {
    const { isFit, expected } = members[member]!;
    const value = Class[member];
    if (value === undefined || isFit(value)) continue;
    throw new TypeError(
      `Cannot add ${name} to the application: static ${member} is ${described(value)}; write ${expected}`,
    );
  }
  const validator = propertyOf(resource as { readonly validator?: unknown }, "validator");
  if (validator !== undefined && typeof validator !== "function") {
    throw new TypeError(
      `Cannot add ${name} to the application: its validator is ${described(validator)}; write validator(call) { … }`,
    );
  }
  const params = new Set(patterns.flatMap((pattern) => parsePathPattern(pattern).names));
  const models = new Map<string, OperationModel>();
  for (const method of semanticMethods) {
    const isThere = isImplemented(method);
    const operation = Class[method];
    if (operation !== undefined) {
      const cannot = `Cannot add ${name} to the application: static ${method}`;
      if (typeof operation !== "object" || operation === null) {
        throw new TypeError(`${cannot} must be an operation, got ${described(operation)}; write { 200: … }`);
      }
      if (!isThere) {
        throw new TypeError(`${cannot} is declared and ${method} is not implemented; write ${method}(call) { … }`);
      }
      checkAnswers(operation as Unchecked, cannot, conversions);
      const input = readInputModel(operation as Unchecked, cannot, conversions);
      checkPaths(operation as Unchecked, input.path, cannot, paths, params);
      const model = operationModelOf(mounted, method, operation as Operation, input, conversions);
      refuseUnfitMembers(model, validator !== undefined);
      models.set(method, model);
    } else if (isThere) models.set(method, operationModelOf(mounted, method, undefined, noInput, conversions));
  }
  refuseStrays(Class, name);
  operations.set(mounted, models);
  return models;
}

/**
 * Reads what an operation declares of requests.
 *
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
  const own = pages && ["cursor", "limit"].find((name) => query?.members.named.has(name));
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
  const { shown } = part;
  if (shown === undefined && schema["~standard"].jsonSchema !== undefined) {
    throw new TypeError(
      `${cannot} has a schema for ${name} whose conversion to JSON Schema throws, so that no text would have a type; write defaults that do not throw`,
    );
  }
  if (typeof shown?.["type"] === "string" && shown["type"] !== "object") {
    throw new TypeError(`${cannot} has a schema of type ${shown["type"]} for ${name}; write a schema of an object`);
  }
  if (name === "headers" || name === "cookies") {
    const unfit = [...part.members.named.keys()].find((member) => !isToken(member));
    if (unfit !== undefined) {
      throw new TypeError(
        `${cannot} has ${described(unfit)} for ${name}, a name that no request can have; write a token, such as "x-name"`,
      );
    }
  }
  const { objectMembers } = part.reader;
  if (objectMembers.length > 0) {
    throw new TypeError(
      `${cannot} has an object for "${objectMembers[0]!.slice(0, 80)}" of ${name}: text cannot hold one; write its members one by one`,
    );
  }
  refuseInstances(schema, name, cannot, conversions);
  return part;
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
  checkTypes(content, "content", cannot);
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
    const { maxBytes = 0 } = raw as { readonly maxBytes?: number | undefined };
    if (!Number.isSafeInteger(maxBytes) || maxBytes < 0) {
      throw new TypeError(`${cannot} has ${described(maxBytes)} for maxBytes; write a whole number of bytes`);
    }
  }
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
        `${cannot} has a file ${described(name)} of up to ${most} bytes in content of at most ${maxBytes}; write json(schema, { maxBytes })`,
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
  const place = unshownPlacesIn(conversions.shown(schema, "input")).find((one) => tried(schema, one) === "instance");
  if (place === undefined) return;
  const name = place.path.map((key) => (typeof key === "string" ? `.${key}` : "[]")).join("");
  const where = name === "" ? part : `"${name.replace(/^\./, "").slice(0, 80)}" of ${part}`;
  throw new TypeError(
    `${cannot} has a date or a bigint for ${where}, and no request carries one; write a schema that reads text, such as z.coerce.date()`,
  );
}

/** Names of other frameworks, and what is written here. */
const meantBy: ReadonlyMap<string, string> = new Map([
  ...["body", "requestbody", "payload", "json", "form"].map((name) => [name, "content"] as const),
  ...["params", "param", "pathparams"].map((name) => [name, "path"] as const),
  ...["querystring", "search", "searchparams"].map((name) => [name, "query"] as const),
  ["header", "headers"],
  ["cookie", "cookies"],
  ["operationid", "id"],
  ...["response", "responses", "returns"].map((name) => [name, "200"] as const),
]);

/** Refuses a JSON Schema that is no Standard Schema. */
function refuseRaw(value: unknown, where: string | number, cannot: string): void {
  const isRaw = isJsonSchema(value) && !isSchema(value) && rawKeywords.some((keyword) => Object.hasOwn(value, keyword));
  if (isRaw) throw new TypeError(`${cannot} has a JSON Schema for ${where}; write jsonSchema(schema, check)`);
}

const rawKeywords = ["type", "properties", "$ref", "anyOf", "oneOf", "allOf", "enum"];

function checkAnswers(operation: Unchecked, cannot: string, conversions: Conversions): void {
  let hasAnswer = false;
  for (const [member, value] of Object.entries(operation)) {
    const known = members[member];
    if (known !== undefined) {
      const { isFit, expected } = known;
      if (value === undefined || isFit(value)) continue;
      throw new TypeError(`${cannot} has ${described(value)} for ${member}; write ${expected}`);
    }
    if (others.has(member)) continue;
    const status = Number(member);
    if (!isStatus(member)) {
      const meant = meantBy.get(member.toLowerCase());
      if (meant !== undefined)
        throw new TypeError(`${cannot} has a member "${member}", as others call it; write ${meant}`);
      throw new TypeError(`${cannot} has a member "${member.slice(0, 80)}", which is neither known nor a status code`);
    }
    if (status < 400) hasAnswer = true;
    checkAnswer(value, status, cannot, conversions);
  }
  if (!hasAnswer) throw new TypeError(`${cannot} has no answer below 400; write 200: …, or 204: "…"`);
}

function checkPaths(
  { at }: Unchecked,
  path: PartModel | null,
  cannot: string,
  paths: readonly unknown[],
  params: ReadonlySet<string>,
): void {
  const missing = [...(path?.members.required ?? [])].find((name) => !params.has(name));
  if (missing !== undefined) {
    const known = [...params].map(described).join(", ").slice(0, 200);
    throw new TypeError(
      `${cannot} has a path with ${described(missing)}, which no path of the class has; write ${known === "" ? `a path such as ${described(`/:${missing}`)}` : `one of ${known}`}`,
    );
  }
  if (at === undefined) return;
  const wrong = Array.isArray(at) ? (at as unknown[]).find((one) => !paths.includes(one)) : at;
  if (!Array.isArray(at) || at.length === 0 || wrong !== undefined) {
    throw new TypeError(
      `${cannot} is at ${wrong === undefined ? "nothing" : described(wrong)}, which is no path of the class; write one of ${paths.map(described).join(", ").slice(0, 200)}`,
    );
  }
}

const withoutContent: ReadonlySet<number> = new Set([204, 205, 304]);

function checkAnswer(value: unknown, status: number, cannot: string, conversions: Conversions): void {
  if (status === 101 || isSocket(value)) {
    // A handshake is a GET (RFC 6455 §4.1).
    if (status === 101 && isSocket(value) && cannot.split(" ").at(-1) === "GET") return;
    throw new TypeError(
      `${cannot} has ${isSocket(value) ? "a socket()" : described(value)} for ${status}; write static GET = { 101: socket({ receives, sends }) }`,
    );
  }
  if (typeof value === "string") return;
  if (pageIn(value) !== null && (status !== 200 || !/ (?:GET|QUERY)$/.test(cannot))) {
    throw new TypeError(`${cannot} has page() for ${status}; write static GET = { 200: page(schema, { by }) }`);
  }
  if (!isContent(value)) refuseRaw(value, status, cannot);
  const isWhole = isContent(value);
  if (!isWhole && (typeof value !== "object" || value === null)) {
    throw new TypeError(`${cannot} has ${described(value)} for ${status}; write a schema, a text, or { content: … }`);
  }
  const { content, headers = {}, ...more } = (isWhole ? { content: value } : value) as AnswerMembers;
  const unknown = Object.keys(more).find((member) => member !== "description" && member !== "examples");
  if (unknown !== undefined) {
    throw new TypeError(
      `${cannot} has ${described(unknown)} in ${status}; write description, content, headers or examples`,
    );
  }
  if (content !== undefined && !isContent(content) && !isMap(content)) {
    throw new TypeError(
      `${cannot} has ${described(content)} for the content of ${status}; write a schema, or { [mediaType]: schema }`,
    );
  }
  const kinds = isRawContent(content) ? [content] : Object.values((content ?? {}) as object).filter(isRawContent);
  const unfit = kinds.find(({ kind }) => contentKinds[kind].of === "requests");
  if (unfit !== undefined) {
    throw new TypeError(
      `${cannot} has ${unfit.kind}() for the content of ${status}, which only requests have; write a schema`,
    );
  }
  if (content !== undefined && withoutContent.has(status)) {
    throw new TypeError(`${cannot} has content for ${status}, which has none; write ${status}: "…"`);
  }
  checkTypes(content, status, cannot);
  if (isSchema(headers)) {
    throw new TypeError(
      `${cannot} has one schema for the headers of ${status}; write a schema for each field, such as { "x-total": z.int() }`,
    );
  }
  for (const [name, schema] of Object.entries(headers as object)) {
    if (isToken(name) && isSchema(schema)) continue;
    throw new TypeError(
      `${cannot} has ${described(schema)} for the field ${described(name)} of ${status}; write a field name and a schema`,
    );
  }
  for (const schema of schemasIn(content)) {
    if (!conversions.hasBigint(schema)) continue;
    throw new TypeError(
      `${cannot} has a bigint in ${status}, which JSON cannot write; write z.string() or z.int(), or .transform(String)`,
    );
  }
  for (const schema of [...schemasIn(content), ...(Object.values(headers as object) as StandardSchema[])]) {
    if (!conversions.hasCodec(schema)) continue;
    throw new TypeError(
      `${cannot} has a codec in ${status}, which would be decoded; write the schema of what the handler returns, such as z.date()`,
    );
  }
}

interface AnswerMembers {
  readonly content?: unknown;
  readonly headers?: unknown;
}

/** Refuses a media type that no content has, and a charset in which no request is read. */
function checkTypes(content: unknown, where: "content" | number, cannot: string): void {
  if (content === undefined || isSchema(content)) return;
  for (const type of isRawContent(content) ? [content.type] : Object.keys(content as object)) {
    const mediaType = isFieldValue(type) ? parseMediaType(type) : null;
    if (mediaType === null || (where !== "content" && mediaType.subtype === "*")) {
      throw new TypeError(`${cannot} has the media type ${described(type)} in ${where}; write one such as "image/png"`);
    }
    const charset = mediaType.parameters.get("charset") ?? "";
    if (where !== "content" || /^(?:utf-?8)?$/.test(charset)) continue;
    throw new TypeError(
      `${cannot} has the charset ${described(charset)} in content, which is read as UTF-8; leave it out`,
    );
  }
}
