import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Dispatcher } from "../dispatch/dispatcher.ts";
import type { Change } from "../openapi/changes/change.ts";
import { asyncapi, type AsyncAPIDocument } from "../openapi/asyncapi.ts";
import { changesBetween } from "../openapi/changes/document-changes.ts";
import { clientTypes } from "../openapi/client-types.ts";
import { describing } from "../openapi/described-operation.ts";
import { document } from "../openapi/document.ts";
import type { OpenAPIDocument } from "../openapi/openapi-document.ts";
import { yamlOf } from "../openapi/yaml.ts";
import { ModuleError, type LoadedApplication } from "./loaded-application.ts";

/**
 * Describes an application: as its own `openapi()` does, or else by the name and version of the package in the working
 * directory.
 *
 * @param path the path of one of several documents; null for the only one.
 * @throws {ModuleError} when there are several and no path was given, or none at the path.
 */
export function describedBy({ dispatcher }: LoadedApplication, module: string, path: string | null): OpenAPIDocument {
  const documents = needed(dispatcher, module).resources.filter(
    ({ resource }) => (resource as Partial<Describing>)[describing] === "document",
  );
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
 *
 * @throws {ModuleError} when the application is of an older version.
 */
export function messagesBy({ dispatcher }: LoadedApplication, module: string): AsyncAPIDocument {
  const app = { dispatcher: needed(dispatcher, module) };
  const [described, ...more] = app.dispatcher.resources.filter(
    ({ resource }) => (resource as Partial<Describing>)[describing] === "document",
  );
  const isOne = described !== undefined && more.length === 0;
  return asyncapi(app, isOne ? (described.resource as object as Describing).document(app.dispatcher).info : manifest());
}

/** A resource of `openapi()`. */
interface Describing {
  readonly [describing]: "document" | "page";
  document(application: Dispatcher): OpenAPIDocument;
}

/**
 * Writes the types of a client of an application.
 *
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
  return [...differencesAt("#", parsed(file, text), JSON.parse(JSON.stringify(described)))];
}

/**
 * Lists how a document differs from an older one in a file, and what each difference breaks.
 *
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
  return changesBetween(parsed(file, text), JSON.parse(JSON.stringify(described)), { date });
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

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ModuleError(`Cannot compare with ${file}: ${(error as Error).message}`);
  }
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
