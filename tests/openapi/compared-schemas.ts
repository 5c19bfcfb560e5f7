import { readFileSync } from "node:fs";
import type { Change, Verdict } from "../../src/openapi/changes/change.ts";
import { changesBetween } from "../../src/openapi/changes/document-changes.ts";

export type Members = Readonly<Record<string, unknown>>;
export type Side = "request" | "answer";
/** What is found between two schemas: the worst verdict, or that they say the same. */
export type Found = Verdict | "none";

/** Puts a schema into a document, where local references lead into it. */
export function documentWith(schema: unknown, side: Side, schemas: Members = {}): Members {
  const content = { "application/json": { schema: moved(schema) } };
  const post =
    side === "request"
      ? { requestBody: { required: true, content }, responses: {} }
      : { responses: { 200: { description: "OK", content } } };
  return {
    openapi: "3.1.1",
    info: { title: "T", version: "1" },
    paths: { "/a": { post } },
    components: { schemas: { Schema: moved(schema), ...schemas } },
  };
}

/** Lists the changes of two schemas. */
export function changesOf(before: unknown, after: unknown, side: Side, schemas?: Members): Change[] {
  return changesBetween(documentWith(before, side, schemas), documentWith(after, side, schemas));
}

/** Returns the worst verdict on two schemas. */
export function foundBetween(before: unknown, after: unknown, side: Side, schemas?: Members): Found {
  return worstOf(changesOf(before, after, side, schemas));
}

export function worstOf(changes: readonly Change[]): Found {
  const verdicts = ["breaking", "unclear", "compatible"] as const;
  return verdicts.find((one) => changes.some(({ verdict }) => verdict === one)) ?? "none";
}

/** Reads data of others, which `schemas/README.md` describes. */
export function dataIn<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`schemas/${name}`, import.meta.url), "utf8")) as T;
}

function moved(schema: unknown, keyword?: string): unknown {
  if (keyword === "enum" || keyword === "const" || typeof schema !== "object" || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map((one) => moved(one));
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      name === "$ref" && typeof value === "string" && /^#(?:\/(?!components)|$)/.test(value)
        ? `#/components/schemas/Schema${value.slice(1)}`
        : moved(value, name),
    ]),
  );
}
