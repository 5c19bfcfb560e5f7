import type { MountedResource, RequestRunner } from "../dispatch/mounted-resource.ts";
import { parsePathPattern, type PathPattern } from "../routing/pattern/path-pattern.ts";
import type { JsonSchema } from "../json-schema/shape/json-schema.ts";
import { schemaMembersOf } from "../json-schema/shape/schema-members.ts";
import type { StandardSchema } from "../json-schema/shape/standard-schema.ts";
import type { Media } from "../semantics/operation/media.ts";
import { memberAnswersOf } from "../semantics/operation/described-members.ts";
import type { OperationModel } from "../semantics/operation/operation-model.ts";
import type { ContentModel, PartModel } from "../semantics/operation/input-model.ts";
import { placedOperationsOf } from "./described-operation.ts";
import { documentedSchemaOf } from "./documented-schema.ts";
import { rawKindOf } from "./raw-kinds.ts";
import { JsonSchemaTypes, keyOf, orUndefined, sentDate, united } from "./json-schema-type.ts";

/**
 * Writes what a typed client can call as declarations, which import nothing of the server:
 * `export interface Api { … }`. It is what `ApiOf<typeof app>` is, as far as JSON Schema shows the schemas. Dates of
 * answers are strings, and what cannot be shown is `unknown`.
 */
export function clientTypes(dispatcher: RequestRunner): string {
  const types = new JsonSchemaTypes();
  const failure = dispatcher.problems?.schema as StandardSchema | undefined;
  const declared = new Map<MountedResource, Map<string, Set<OperationModel>>>();
  for (const { model, source } of placedOperationsOf(dispatcher)) {
    if (!model.isDeclared) continue;
    const bySource = getOrSet(declared, model.mounted, () => new Map<string, Set<OperationModel>>());
    getOrSet(bySource, source, () => new Set<OperationModel>()).add(model);
  }
  const patterns = [...declared].flatMap(([mounted, bySource]) =>
    [...bySource].map(([source, plans]) => patternText(types, mounted, source, [...plans])),
  );
  return `${head}
${failure ? `type Problem = ${types.typeOf(received(failure, "problems()"))};` : problem}

export interface Api {
${patterns.join("")}}
${types.declarations.map((declaration) => `\n${declaration}\n`).join("")}`;
}

const head = `// Printed by "fingerpost client-types". Do not edit.
import type { CallOptions, Refused, Uncompared } from "fingerpost/client";

type PathValue = string | number | bigint | readonly string[];

interface Result<Status extends number, Ok extends boolean, Content> {
  readonly status: Status;
  readonly ok: Ok;
  readonly content: Content;
  readonly headers: Headers;
  readonly response: Response;
  orThrow(): Ok extends true ? Content : never;
}
`;

const fault = "{ readonly in: string; readonly pointer: string; readonly detail: string; readonly code?: string }";

const problem = `interface Problem {
  readonly type?: string;
  readonly title?: string;
  readonly status?: number;
  readonly detail?: string;
  readonly instance?: string;
  readonly errors?: readonly ${fault}[];
  readonly [member: string]: unknown;
}`;

function getOrSet<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

function patternText(
  types: JsonSchemaTypes,
  { name }: MountedResource,
  source: string,
  plans: readonly OperationModel[],
): string {
  const pattern = parsePathPattern(source);
  const methods = plans.map((plan) => {
    const owner = `${name} ${plan.method}`;
    return `    ${plan.method}(${inputOf(types, pattern, plan, owner)}): Promise<${resultOf(types, plan, owner)}>;\n`;
  });
  return `  readonly ${JSON.stringify(source)}: {\n${methods.join("")}  };\n`;
}

/** The parameter of a method: its type, and whether it may be left out. */
function inputOf(
  types: JsonSchemaTypes,
  pattern: PathPattern,
  { path, query, headers, cookies, content, page, declaration }: OperationModel,
  owner: string,
): string {
  const parts = [
    partOf(types, "path", path, owner),
    pathOf(pattern, path, owner),
    partOf(types, "query", query, owner),
    page && memberOf("query", true, "{ readonly cursor?: string | undefined; readonly limit?: number | undefined }"),
    partOf(types, "headers", headers, owner),
    partOf(types, "cookies", cookies, owner, true),
    content === null ? null : contentOf(types, content, owner),
    declaration.idempotency === true ? "{ readonly idempotencyKey: string }" : null,
  ].filter((part) => part !== null);
  const isOptional = parts.every((part) => /^\{ readonly \w+\?: /.test(part));
  return `input${isOptional ? "?" : ""}: ${[...parts, "CallOptions"].join(" & ")}`;
}

/** The params that the schema of the path does not have: all of them, where there is none. */
function pathOf({ names, segments }: PathPattern, path: PartModel | null, owner: string): string | null {
  const shown = path && (sent(path.schema, owner) ?? {});
  const known = shown && schemaMembersOf(shown, shown).named;
  const own = names.filter((name) => !known?.has(name));
  if (own.length === 0) return null;
  const absent = new Set(
    segments
      .filter((segment) => segment.isOptional)
      .flatMap(({ pieces }) => pieces.map((piece) => (piece as { name: string }).name)),
  );
  const isOptional = own.every((name) => absent.has(name));
  const members = own.map((name) =>
    absent.has(name) ? `readonly ${keyOf(name)}?: PathValue${orUndefined};` : `readonly ${keyOf(name)}: PathValue;`,
  );
  return memberOf("path", isOptional, `{ ${members.join(" ")} }`);
}

function partOf(
  types: JsonSchemaTypes,
  name: string,
  part: PartModel | null,
  owner: string,
  isAlwaysOptional = false,
): string | null {
  if (part === null) return null;
  const shown = sent(part.schema, owner);
  const required = shown?.["required"];
  const isOptional = isAlwaysOptional || (shown !== undefined && !(Array.isArray(required) && required.length > 0));
  return memberOf(name, isOptional, types.typeOf(shown, true));
}

function memberOf(name: string, isOptional: boolean, type: string): string {
  return isOptional ? `{ readonly ${name}?: ${type}${orUndefined} }` : `{ readonly ${name}: ${type} }`;
}

function contentOf(types: JsonSchemaTypes, { media, isMap, isOptional }: ContentModel, owner: string): string {
  const only: Media = media[0]!;
  // A map names its types, and so does a call.
  if (!isMap) {
    const type = sentOf(types, only, owner);
    if (only.schema !== null) return memberOf("content", isOptional, type);
    return `{ readonly content: ${type}; readonly type${rawKindOf(only.raw!).named} }`;
  }
  const each = media.map((one) => {
    const type = one.type.endsWith("*") ? "string" : JSON.stringify(one.type);
    const member = one.type === "application/json" ? `type?: ${type} | undefined` : `type: ${type}`;
    return `{ readonly content: ${sentOf(types, one, owner)}; readonly ${member} }`;
  });
  return each.length === 1 ? each[0]! : `(${each.join(" | ")})`;
}

function sentOf(types: JsonSchemaTypes, { schema, raw }: Media, owner: string): string {
  if (schema !== null) return types.typeOf(sent(schema, owner), true);
  return rawKindOf(raw!).sent(raw!, (one) => types.typeOf(sent(one, owner), true));
}

/** The statuses that `Refused<Problem>` has, as `client/results.ts` lists them. */
const usual: ReadonlySet<number> = new Set([
  400, 401, 403, 405, 406, 408, 412, 413, 414, 415, 416, 421, 422, 428, 429, 431,
]);

function resultOf(types: JsonSchemaTypes, model: OperationModel, owner: string): string {
  const results = [...model.answers.values()].map(({ status, media }) => {
    const nothing = status < 400 ? "undefined" : "Problem";
    const content = media.length === 0 ? nothing : united(media.map((one) => receivedOf(types, one, owner)));
    return `Result<${status}, ${status < 300}, ${content}>`;
  });
  // A path that its schema does not take is 404. What members add is not among the usual refusals.
  const others = [...(model.path === null ? [] : [404]), ...Object.keys(memberAnswersOf(model)).map(Number)];
  const refusals = others
    .filter((status) => status >= 400 && !usual.has(status))
    .map((status) => `Refused<Problem, ${status}>`);
  return [...results, "Refused<Problem>", ...refusals, "Uncompared"].join(" | ");
}

/** As `ReadAs` of the client has it: JSON is parsed, other text is a string, and all else a `Blob`. */
function receivedOf(types: JsonSchemaTypes, { type, schema, raw }: Media, owner: string): string {
  if (raw?.kind === "events" || raw?.kind === "lines")
    return `AsyncIterable<${types.typeOf(received(raw.schema, owner))}>`;
  if (/[/+]json *(?:;|$)/i.test(type)) return schema === null ? "unknown" : types.typeOf(received(schema, owner));
  if (/^text\/event-stream/i.test(type)) return "AsyncIterable<unknown>";
  if (/^(?:\*|application)\/\*/i.test(type)) return "unknown";
  return /^text\//i.test(type) ? "string" : "Blob";
}

function received(schema: StandardSchema, owner: string): JsonSchema | undefined {
  return documentedSchemaOf(schema, "output", owner);
}

/** A client takes a date, too, and writes it as a text. */
function sent(schema: StandardSchema, owner: string): JsonSchema | undefined {
  return documentedSchemaOf(schema, "input", owner, { type: ["string", sentDate] });
}
