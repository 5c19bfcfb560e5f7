import { isJsonSchema, schemaAt, type JsonSchema } from "../json-schema/json-schema.ts";
import { schemaMembersOf } from "../json-schema/schema-members.ts";
import { sampleOf } from "./sample.ts";
import type { DocumentedOperation, OpenAPIDocument } from "./openapi-document.ts";

/** Writes a request as a line for a shell: what is required, with values that show the shape. */
export function curlOf(
  origin: string,
  path: string,
  key: string,
  { parameters = [], requestBody, responses, security }: DocumentedOperation,
  document: OpenAPIDocument,
): string {
  const root = document as unknown as JsonSchema;
  const method = key.replace("x-", "").toUpperCase();
  const fields: string[] = [];
  const query: string[] = [];
  let target = path;
  for (const { name, in: place, required = false, schema } of parameters) {
    const sampled = sampleOf(schema, root);
    const value = String(sampled === "text" ? name : sampled);
    if (place === "path") target = target.replace(`{${name}}`, encodeURIComponent(value));
    else if (!required) continue;
    else if (place === "query") query.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
    else fields.push(place === "header" ? `${name}: ${value}` : `Cookie: ${name}=${value}`);
  }
  if ("428" in responses) fields.push("If-Match: *");
  const [alternative = {}] = security ?? [];
  const schemes = document.components.securitySchemes ?? {};
  const words = Object.keys(alternative).flatMap((name): string[] => {
    const { type, scheme, in: place, name: field } = schemes[name]!;
    if (type === "http" && scheme === "basic") return ["-u 'user:password'"];
    if (type === "http") return [`-H ${quoted(`Authorization: ${String(scheme)} token`)}`];
    return place === "header" ? [`-H ${quoted(`${String(field)}: key`)}`] : [];
  });
  const [media] = Object.entries(requestBody?.content ?? {});
  if (media !== undefined) {
    const [type, { schema, examples }] = media;
    const [example] = Object.values((examples ?? {}) as Record<string, { readonly value: unknown }>);
    const value = example === undefined ? sampleOf(schema, root) : example.value;
    // The shell's client writes the boundary, which no one else knows.
    if (isJsonSchema(value) && type.startsWith("multipart/form-data")) words.push(...partsOf(schema, value, root));
    else {
      fields.push(`Content-Type: ${type}`);
      words.push(bodyOf(type, value));
    }
  }
  const search = query.length === 0 ? "" : `?${query.join("&")}`;
  return [
    "curl",
    ...(method === "GET" ? [] : method === "HEAD" ? ["-I"] : [`-X ${method}`]),
    quoted(`${origin}${target}${search}`),
    ...fields.map((field) => `-H ${quoted(field)}`),
    ...words,
  ].join(" ");
}

function bodyOf(type: string, value: unknown): string {
  if (isJsonSchema(value) && type.startsWith("application/x-www-form-urlencoded"))
    return `-d ${quoted(new URLSearchParams(textsOf(value)).toString())}`;
  if (/^[^;]*json/.test(type)) return `-d ${quoted(JSON.stringify(value))}`;
  return typeof value === "string" && value !== "text" ? `--data-binary ${quoted(value)}` : "--data-binary @file";
}

/** The options for the parts of a form, files among them. A form that requires nothing shows all that it may have. */
function partsOf(schema: unknown, value: object, root: JsonSchema): string[] {
  const { named } = schemaMembersOf(schema, root);
  const all = [...named].map(([name, member]) => [name, sampleOf(member, root)]);
  const texts = textsOf(Object.keys(value).length > 0 ? value : Object.fromEntries(all));
  return texts.map(([name, text]) => {
    if (isFile(named.get(name), root)) return `-F ${quoted(`${name}=@file`)}`;
    // By -F, these characters mean files and types.
    return `${/^[@<]|;/.test(text) ? "--form-string" : "-F"} ${quoted(`${name}=${text}`)}`;
  });
}

/** The texts of a form: a list repeats its name, and an object is JSON. */
function textsOf(value: object): [string, string][] {
  return Object.entries(value).flatMap(([name, member]) =>
    [member]
      .flat()
      .map((one: unknown): [string, string] => [name, typeof one === "object" ? JSON.stringify(one) : String(one)]),
  );
}

function isFile(member: unknown, root: JsonSchema): boolean {
  const { format, items } = schemaAt(member, root);
  return format === "binary" || schemaAt(items, root)["format"] === "binary";
}

/** In single quotes nothing means anything to a shell. */
function quoted(text: string): string {
  return `'${insideQuotes(text)}'`;
}

/** Writes a part of what is in single quotes: a quote ends them, is escaped, and begins them again. */
export function insideQuotes(text: string): string {
  return text.replaceAll("'", String.raw`'\''`);
}
