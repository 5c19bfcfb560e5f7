import type { JsonSchema } from "../semantics/content/json-schema.ts";
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
    fields.push(`Content-Type: ${type}`);
    const [example] = Object.values((examples ?? {}) as Record<string, { readonly value: unknown }>);
    words.push(bodyOf(type, example === undefined ? sampleOf(schema, root) : example.value));
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
  if (type.startsWith("application/x-www-form-urlencoded")) {
    return `-d ${quoted(new URLSearchParams(value as Record<string, string>).toString())}`;
  }
  if (/^[^;]*json/.test(type)) return `-d ${quoted(JSON.stringify(value))}`;
  return typeof value === "string" && value !== "text" ? `--data-binary ${quoted(value)}` : "--data-binary @file";
}

/** In single quotes nothing means anything to a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
