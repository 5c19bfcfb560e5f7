import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { describing, type MountedResource } from "../dispatch/mounted-resource.ts";
import type { Change } from "../openapi/changes/change.ts";
import { described as describedValue, kindOf } from "../http/javascript/described.ts";
import { asyncDocument, type AsyncAPIDocument } from "../openapi/asyncapi.ts";
import { changesBetween } from "../openapi/changes/document-changes.ts";
import { clientTypes } from "../openapi/client-types.ts";
import { document } from "../openapi/document.ts";
import { hasDeclarations } from "../openapi/drift.ts";
import type { OpenAPIDocument } from "../openapi/openapi-document.ts";
import { yamlOf } from "../openapi/yaml.ts";
import { ModuleError, type LoadedApplication } from "./loaded-application.ts";

/**
 * Describes an application: as its own `openapi()` does, or else by the name and version of the package in the working
 * directory.
 * @param path the path of one of several documents; null for the only one.
 * @throws {ModuleError} when there are several and no path was given, or none at the path.
 */
export function describedBy({ dispatcher }: LoadedApplication, module: string, path: string | null): OpenAPIDocument {
  const documents = mountedDocumentsOf(needed(dispatcher, module));
  const paths = documents.flatMap(({ patterns }) => patterns).join(", ");
  if (path === null && documents.length > 1) {
    throw new ModuleError(`Cannot describe ${module}: expected one document, got ${paths}; choose by --document`);
  }
  const found = documents.find(({ patterns }) => path === null || patterns.includes(path));
  if (found !== undefined) return (found.resource as object as Describing).document(dispatcher!);
  if (path === null) return document({ dispatcher: needed(dispatcher, module) }, manifest());
  const cannot = `Cannot describe ${module}: it has no document at ${path}`;
  if (paths !== "") throw new ModuleError(`${cannot}; there are ${paths}`);
  throw new ModuleError(`${cannot}; add openapi({ title, version })`);
}

/**
 * Describes the messages of an application, by the title and version of its only `openapi()`, or of the package in the
 * working directory.
 * @throws {ModuleError} when the application is of an older version.
 */
export function messagesBy({ dispatcher }: LoadedApplication, module: string): AsyncAPIDocument {
  const app = { dispatcher: needed(dispatcher, module) };
  const [described, ...more] = mountedDocumentsOf(app.dispatcher);
  const isOne = described !== undefined && more.length === 0;
  return asyncDocument(
    app,
    isOne ? (described.resource as object as Describing).document(app.dispatcher).info : manifest(),
  );
}

/** A document of an application, and how it is made. */
interface MadeDocument {
  readonly resource: string;
  readonly pattern: string | null;
  readonly make: () => unknown;
}

/** Lists the documents that an application has, or else the one that it could have if it declares operations. */
export function documentsOf({ dispatcher }: LoadedApplication): MadeDocument[] {
  if (dispatcher === undefined) return [];
  const mounted = mountedDocumentsOf(dispatcher).map(({ name, patterns, resource }) => ({
    resource: name,
    pattern: patterns[0] ?? null,
    make: () => (resource as object as Describing).document(dispatcher),
  }));
  if (mounted.length > 0 || !hasDeclarations(dispatcher)) return mounted;
  return [{ resource: "Application", pattern: null, make: () => document({ dispatcher }, manifest()) }];
}

function mountedDocumentsOf({ resources }: Dispatcher): readonly MountedResource[] {
  return resources.filter(({ resource }) => (resource as Partial<Describing>)[describing] === "document");
}

interface Describing {
  readonly [describing]: "document" | "page";
  document(application: Dispatcher): OpenAPIDocument;
}

/**
 * Writes the types of a client of an application.
 * @throws {ModuleError} when the application is of an older version.
 */
export function clientTypesBy({ dispatcher }: LoadedApplication, module: string): string {
  return clientTypes(needed(dispatcher, module));
}

function needed(dispatcher: LoadedApplication["dispatcher"], module: string): Dispatcher {
  if (dispatcher !== undefined) return dispatcher;
  throw new ModuleError(`Cannot use ${module}: its application cannot be described; update its package`);
}

function manifest(): { title: string; version: string } {
  try {
    const { name = "API", version = "0.0.0" } = JSON.parse(readFileSync(resolve("package.json"), "utf8")) as {
      readonly name?: string;
      readonly version?: string;
    };
    return { title: name, version };
  } catch {
    return { title: "API", version: "0.0.0" };
  }
}

/** Lists where a document differs from a file of JSON, or of YAML as it is written here. */
export function differencesFrom(file: string, described: OpenAPIDocument): string[] {
  const text = textOf(file);
  if (isYAML(file)) return text === yamlOf(described) ? [] : ["#"];
  return [...differencesAt("#", documentIn(file, text), JSON.parse(JSON.stringify(described)))];
}

/**
 * Lists how a document differs from an older one in a file, and what each difference breaks.
 * @throws {ModuleError} when the file is not JSON, nor YAML that says the same.
 */
export function changesFrom(file: string, described: OpenAPIDocument, date: string | undefined): Change[] {
  const text = textOf(file);
  if (isYAML(file)) {
    if (text === yamlOf(described)) return [];
    throw new ModuleError(
      `Cannot judge the differences from ${file}: it is YAML; print the document as JSON, or add --any`,
    );
  }
  return changesBetween(documentIn(file, text), JSON.parse(JSON.stringify(described)), { date });
}

function isYAML(file: string): boolean {
  return /\.ya?ml$/.test(file);
}

function textOf(file: string): string {
  try {
    return readFileSync(resolve(file), "utf8");
  } catch (error) {
    throw new ModuleError(`Cannot compare with ${file}: ${(error as Error).message}`);
  }
}

/** Reads an OpenAPI document. What was meant to fetch one may have stored a refusal: it agrees with every document. */
function documentIn(file: string, text: string): unknown {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    const reason = text.trim() === "" ? "it is empty" : (error as Error).message;
    throw new ModuleError(`Cannot compare with ${file}: ${reason}`);
  }
  const wrong = mistakeIn(read);
  if (wrong === null) return read;
  throw new ModuleError(`Cannot compare with ${file}: expected an OpenAPI document, got ${wrong}`);
}

/** Says what is in the place of a document of OpenAPI 3; null for nothing wrong. */
function mistakeIn(read: unknown): string | null {
  if (!isObject(read) || Array.isArray(read)) return kindOf(read);
  const { openapi, paths, webhooks, components } = read;
  if (typeof openapi !== "string" || !openapi.startsWith("3.")) {
    const names = Object.keys(read).slice(0, 5).map(describedValue);
    const has = names.length === 0 ? "" : ` with ${names.join(", ")}`;
    return openapi === undefined ? `${kindOf(read)}${has}` : `openapi: ${describedValue(openapi)}`;
  }
  if (paths === undefined && webhooks === undefined && components === undefined) return "one without paths";
  for (const [member, value] of Object.entries({
    paths,
    webhooks,
    components,
    ...itemsOf(paths),
    ...itemsOf(webhooks),
  })) {
    if (value !== undefined && (!isObject(value) || Array.isArray(value)))
      return `${describedValue(member)}: ${kindOf(value)}`;
  }
  return null;
}

/** The path items of a part of a document, and their operations. */
function itemsOf(part: unknown): Record<string, unknown> {
  const items = Object.entries(isObject(part) ? part : {}).filter(([path]) => !path.startsWith("x-"));
  const operations = items.flatMap(([path, item]) =>
    Object.entries(isObject(item) ? item : {})
      .filter(([method]) => /^(?:get|put|post|delete|options|head|patch|trace|query)$/.test(method))
      .map(([method, operation]) => [`${method} of ${path}`, operation] as const),
  );
  return Object.fromEntries([...items, ...operations]);
}

/** By JSON pointer, the innermost places at which two values of JSON differ. */
function* differencesAt(pointer: string, one: unknown, other: unknown): Iterable<string> {
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) {
    if (one !== other) yield pointer;
    return;
  }
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const inner = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (!Object.hasOwn(one, name) || !Object.hasOwn(other, name)) yield inner;
    else yield* differencesAt(inner, one[name], other[name]);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
