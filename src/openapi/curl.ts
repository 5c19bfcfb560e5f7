import type { SecuritySchemes } from "../semantics/operation/guards-model.ts";
import type { DocumentedOperation } from "./openapi-document.ts";
import type { SampleContent, SamplePart, SampleRequest } from "./sample-request.ts";

/** Writes a request as a line for a shell, with what is required. */
export function curlOf(
  origin: string,
  path: string,
  { method, parameters, content }: SampleRequest,
  security: DocumentedOperation["security"],
  schemes: SecuritySchemes,
): string {
  const fields: string[] = [];
  const query: string[] = [];
  let target = path;
  for (const { name, in: place, isRequired, value } of parameters) {
    if (place === "path") target = target.replace(`{${name}}`, encodeURIComponent(value));
    else if (!isRequired) continue;
    else if (place === "query") query.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
    else fields.push(place === "header" ? `${name}: ${value}` : `Cookie: ${name}=${value}`);
  }
  const [alternative = {}] = security ?? [];
  const credentials = Object.keys(alternative).flatMap((name): string[] => {
    const { type, scheme, in: place, name: field } = schemes[name]!;
    if (type === "http" && scheme === "basic") return ["-u 'user:password'"];
    if (type === "http") return [`-H ${quoted(`Authorization: ${String(scheme)} token`)}`];
    return place === "header" ? [`-H ${quoted(`${String(field)}: key`)}`] : [];
  });
  const search = query.length === 0 ? "" : `?${query.join("&")}`;
  return [
    "curl",
    ...(method === "GET" ? [] : method === "HEAD" ? ["-I"] : [`-X ${method}`]),
    quoted(`${origin}${target}${search}`),
    ...fields.map((field) => `-H ${quoted(field)}`),
    ...credentials,
    ...(content === null ? [] : wordsOf(content)),
  ].join(" ");
}

function wordsOf({ type, text, parts }: SampleContent): string[] {
  // The shell's client writes the boundary, which no one else knows.
  if (parts !== null && type.startsWith("multipart/form-data")) return parts.map(partOf);
  const field = `-H ${quoted(`Content-Type: ${type}`)}`;
  if (parts !== null) {
    const pairs = parts.map(({ name, text: value }) => [name, String(value)]);
    return [field, `-d ${quoted(new URLSearchParams(pairs).toString())}`];
  }
  if (text === null) return [field, "--data-binary @file"];
  return [field, `${/^[^;]*json/.test(type) ? "-d" : "--data-binary"} ${quoted(text)}`];
}

function partOf({ name, text }: SamplePart): string {
  if (text === null) return `-F ${quoted(`${name}=@file`)}`;
  // By -F, these characters mean files and types.
  return `${/^[@<]|;/.test(text) ? "--form-string" : "-F"} ${quoted(`${name}=${text}`)}`;
}

/** In single quotes nothing means anything to a shell. */
function quoted(text: string): string {
  return `'${insideQuotes(text)}'`;
}

/** Writes a part of what is in single quotes: a quote ends them, is escaped, and begins them again. */
export function insideQuotes(text: string): string {
  return text.replaceAll("'", String.raw`'\''`);
}
