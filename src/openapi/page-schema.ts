import { isJsonSchema, keywordOf, type JsonSchema } from "../json-schema/shape/json-schema.ts";
import {
  nodeOf,
  objectIn,
  type ListKind,
  type ObjectKind,
  type SchemaKind,
  type SchemaNode,
} from "../json-schema/shape/schema-node.ts";
import { elementText as inside, htmlText } from "./html-text.ts";

/**
 * Writes a schema as a person says it: `string, not empty`, and its members as a list. A reference is a link. Shows a
 * schema with other keywords as JSON, too.
 */
export function schemaHTML(schema: unknown): string {
  const { words, list } = saidOf(schema);
  return `<p>${words}</p>${list}`;
}

/** Shows content as it is written. */
export function preformatted(content: string): string {
  return `<pre>${inside(content)}</pre>`;
}

/** Writes a value as JSON, with a line for each object that fits into one. */
export function jsonLines(value: unknown, indent = ""): string {
  const line = lineOf(value);
  if (typeof value !== "object" || value === null || indent.length + line.length <= 72) return line;
  const inner = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((member) => inner + jsonLines(member, inner))
    : Object.entries(value).map(([name, member]) => `${inner}${JSON.stringify(name)}: ${jsonLines(member, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${members.join(",\n")}\n${indent}${close}`;
}

interface Said {
  /** For a line. */
  readonly words: string;
  /** The list of its members, or of what it is one of; empty without. */
  readonly list: string;
}

function saidOf(value: unknown): Said {
  const { $ref: reference, ...beside } = Object(value) as JsonSchema;
  if (typeof reference === "string") return joined([{ words: linkTo(reference), list: "" }, notesOf(beside)]);
  const node = nodeOf(value, nowhere);
  const { schema, kinds, unions, parts, isNullable } = node;
  const ofKinds = kinds.map((kind) => ofKind(kind, schema));
  if (isNullable) ofKinds.push({ words: "null", list: "" });
  const isBare = kinds.every((kind) => kind.kind === "any") && unions.length + parts.length > 0;
  return joined([
    ...(isBare ? [] : [eitherOf(ofKinds)]),
    ...unions.map((branches) => eitherOf(branches.map(saidOf))),
    ...parts.map(saidOf),
    notesOf(schema),
    untold(node),
  ]);
}

/** References lead to other places of the page, and are not followed. */
const nowhere: JsonSchema = {};

function joined(each: readonly Said[]): Said {
  return {
    words: each
      .map(({ words }) => words)
      .filter((words) => words !== "")
      .join(", "),
    list: each.map(({ list }) => list).join(""),
  };
}

function eitherOf(each: readonly Said[]): Said {
  const words = [...new Set(each.map((one) => one.words))];
  if (each.every(({ list }) => list === "")) return { words: words.join(" or "), list: "" };
  if (each.length === 1) return each[0]!;
  const items = each.map((one) => `<li>${one.words}${one.list}</li>`);
  return { words: "one of", list: `<ul>${items.join("")}</ul>` };
}

function ofKind(kind: SchemaKind, schema: JsonSchema): Said {
  switch (kind.kind) {
    case "string":
      return ofText(schema);
    case "number":
    case "integer":
      return { words: [kind.kind, ...boundsOf(schema)].join(", "), list: "" };
    case "boolean":
    case "null":
    case "nothing":
      return { words: kind.kind, list: "" };
    case "any":
      return { words: "anything", list: "" };
    case "foreign":
      return { words: code(String(kind.type)), list: "" };
    case "constant":
      return { words: kind.values.map((value) => code(lineOf(value))).join(" or "), list: "" };
    case "list":
      return ofList(kind, schema);
    case "object":
      return ofObject(kind);
  }
}

function ofText(schema: JsonSchema): Said {
  const format = keywordOf(schema, "format");
  const named = typeof format === "string" ? (formats.get(format) ?? `string as ${code(format)}`) : "string";
  const pattern = keywordOf(schema, "pattern");
  // Libraries write the pattern of a format that they check, which says no more than its name.
  const like = typeof pattern === "string" && typeof format !== "string" ? [`like ${code(pattern)}`] : [];
  const encoding = keywordOf(schema, "contentEncoding");
  const encoded = typeof encoding === "string" && encoding !== "binary" ? [`in ${code(encoding)}`] : [];
  const length = countOf(schema, "minLength", "maxLength", "character", "not empty");
  const words = [named, ...encoded, ...length, ...like].join(", ");
  const content = keywordOf(schema, "contentSchema");
  if (content === undefined) return { words, list: "" };
  const said = saidOf(content);
  return { words: `JSON of ${said.words}`, list: said.list };
}

const formats: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "date-time": "date and time",
    date: "date",
    time: "time",
    duration: "duration",
    email: "email address",
    hostname: "host name",
    ipv4: "IPv4 address",
    ipv6: "IPv6 address",
    uri: "URL",
    "uri-reference": "URL or path",
    uuid: "UUID",
    binary: "bytes",
    byte: "bytes in Base64",
  }),
);

/** Bounds of integers that libraries write, because a number beyond them is not exact. */
const exact = Number.MAX_SAFE_INTEGER;

function boundsOf(schema: JsonSchema): string[] {
  const bound = (keyword: string): number | null => {
    const value = keywordOf(schema, keyword);
    return typeof value === "number" && Math.abs(value) < exact ? value : null;
  };
  const [least, most, above, below, step] = bounds.map(bound);
  return [
    ...(least !== null && most !== null ? [`${least} to ${most}`] : []),
    ...(least !== null && most === null ? [`at least ${least}`] : []),
    ...(least === null && most !== null ? [`at most ${most}`] : []),
    ...(above === null ? [] : [`more than ${above}`]),
    ...(below === null ? [] : [`less than ${below}`]),
    ...(step === null ? [] : [`a multiple of ${step}`]),
  ];
}

const bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"] as const;

/** Says how many there are. @param some what one at least is called. */
function countOf(schema: JsonSchema, least: string, most: string, unit: string, some: string): string[] {
  const [min, max] = [Number(keywordOf(schema, least) ?? 0), keywordOf(schema, most)];
  const units = (count: unknown): string => `${String(count)} ${unit}${count === 1 ? "" : "s"}`;
  if (max === undefined) return min === 0 ? [] : min === 1 ? [some] : [`at least ${units(min)}`];
  if (max === min) return [units(max)];
  return [min === 0 ? `at most ${units(max)}` : `${min} to ${units(max)}`];
}

function ofList({ first, rest }: ListKind, schema: JsonSchema): Said {
  const count = countOf(schema, "minItems", "maxItems", "item", "not empty");
  if (keywordOf(schema, "uniqueItems") === true) count.push("each once");
  if (first.length === 0 && !isJsonSchema(rest)) return { words: ["list", ...count].join(", "), list: "" };
  if (first.length === 0) {
    const { words, list } = saidOf(rest);
    return { words: [`list of ${words}`, ...count].join(", "), list };
  }
  const items = first.map((one, at) => itemOf(`<b>${at + 1}</b>`, one));
  const others = isJsonSchema(rest) ? [itemOf("others", rest)] : [];
  return { words: ["list", ...count].join(", "), list: `<ul>${[...items, ...others].join("")}</ul>` };
}

function ofObject({ members, required, patterns, others }: ObjectKind): Said {
  const items = [
    ...members.map(([name, schema]) =>
      itemOf(`${code(name)}${required.has(name) ? "" : " <small>optional</small>"}`, schema),
    ),
    ...patterns.map(([expression, schema]) => itemOf(`names like ${code(expression)}`, schema)),
    ...(isJsonSchema(others) ? [itemOf("any other name", others)] : []),
  ];
  return { words: "object", list: items.length === 0 ? "" : `<ul>${items.join("")}</ul>` };
}

function itemOf(name: string, schema: unknown): string {
  const { words, list } = saidOf(schema);
  return `<li>${name} ${words}${list}</li>`;
}

/** Says what a schema notes of its values, whatever they are. */
function notesOf(schema: JsonSchema): Said {
  const notes = [
    ...(Object.hasOwn(schema, "default") ? [`default ${code(lineOf(schema["default"]))}`] : []),
    ...(keywordOf(schema, "readOnly") === true ? ["only in answers"] : []),
    ...(keywordOf(schema, "writeOnly") === true ? ["only in requests"] : []),
    ...(keywordOf(schema, "deprecated") === true ? ["<em>deprecated</em>"] : []),
  ];
  const about = keywordOf(schema, "description");
  if (typeof about === "string") notes.push(`<small>${inside(about)}</small>`);
  return { words: notes.join(", "), list: "" };
}

/** Shows a schema as it is where a keyword of it is not told. */
function untold(node: SchemaNode): Said {
  const { schema } = node;
  const isTold = (keyword: string): boolean => told.has(keyword) || (keyword === "propertyNames" && isOpen(node));
  if (node.kinds.some(({ kind }) => kind === "nothing") || Object.keys(schema).every(isTold))
    return { words: "", list: "" };
  const shown = preformatted(jsonLines(schema));
  return { words: "", list: `<details><summary>JSON Schema</summary>${shown}</details>` };
}

/** Whether all names are texts of any kind, which says nothing. */
function isOpen(node: SchemaNode): boolean {
  const { names } = objectIn(node) ?? {};
  return isJsonSchema(names) && Object.keys(names).every((keyword) => keyword === "type");
}

const told: ReadonlySet<string> = new Set(
  [
    "type const enum format pattern minLength maxLength contentSchema contentMediaType contentEncoding",
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf",
    "items prefixItems additionalItems minItems maxItems uniqueItems",
    "properties required patternProperties additionalProperties unevaluatedProperties",
    "anyOf oneOf allOf nullable discriminator",
    "default readOnly writeOnly deprecated description title examples example $schema $id $comment",
  ].flatMap((names) => names.split(" ")),
);

function lineOf(value: unknown): string {
  return JSON.stringify(value, null, 1).replaceAll(/\n */g, " ");
}

function linkTo(reference: string): string {
  const path = reference.replace("#/components/schemas/", "");
  return `<a href="#schema-${htmlText(path.split("/")[0]!)}">${inside(path)}</a>`;
}

function code(content: string): string {
  return `<code>${inside(content)}</code>`;
}
