import type { JsonSchema } from "../json-schema/shape/json-schema.ts";
import type { SecuritySchemes } from "../semantics/operation/guards-model.ts";
import { curlOf } from "./curl.ts";
import { elementText as inside, htmlText } from "./html-text.ts";
import type {
  DocumentedContent,
  DocumentedOperation,
  DocumentedParameter,
  DocumentedResponse,
  OpenAPIDocument,
} from "./openapi-document.ts";
import { trialOf } from "./page-trial.ts";
import { jsonLines, preformatted, schemaHTML } from "./page-schema.ts";
import { exampleOf, hasShownExample, methodOf, sampleRequestOf } from "./sample-request.ts";

/** A character instead of the origin of the API. No document holds it. */
export const anyOrigin = "\0";

export interface PlacedOperation {
  /** A path template, or the name of a webhook. */
  readonly path: string;
  /** Whether the application sends it: nothing of it can be tried. */
  readonly isWebhook: boolean;
  readonly key: string;
  readonly operation: DocumentedOperation;
}

/** What most operations say of a status that says what went wrong, by status. */
export type CommonProblems = ReadonlyMap<string, string>;

/** Finds what two operations or more say of a problem: the page says it once. */
export function commonProblemsOf(operations: readonly DocumentedOperation[]): CommonProblems {
  const counts = new Map<string, Map<string, number>>();
  for (const [status, answer] of operations.flatMap(({ responses }) => Object.entries(responses))) {
    if (!isProblem(answer)) continue;
    const said = problemHTML(answer);
    const counted = counts.get(status) ?? new Map<string, number>();
    counts.set(status, counted.set(said, (counted.get(said) ?? 0) + 1));
  }
  const most = [...counts].map(([status, counted]) => {
    const [first] = [...counted].toSorted(([, one], [, other]) => other - one);
    return [status, first!] as const;
  });
  return new Map(most.filter(([, [, count]]) => count > 1).map(([status, [said]]) => [status, said]));
}

/** Lists what is said once for all operations. */
export function commonProblemsHTML(common: CommonProblems): string {
  const rows = [...common].toSorted(([one], [other]) => Number(one) - Number(other));
  return `<dl>${rows.map(([status, said]) => row(inside(status), `<p>${said}</p>`)).join("\n")}</dl>`;
}

/** Writes an operation of a document as HTML, and what the script of the page tries it by. */
export function operationHTML(
  { path, isWebhook, key, operation }: PlacedOperation,
  document: OpenAPIDocument,
  common: CommonProblems,
): string {
  const { operationId, summary, description, requestBody, responses, security = [] } = operation;
  const { securitySchemes = {} } = document.components;
  const root = document as unknown as JsonSchema;
  const request = sampleRequestOf(key, operation, document);
  const trial = isWebhook ? null : trialOf(request, operation, document);
  return [
    `<article id="${htmlText(operationId)}"${trial === null ? "" : ` data-try='${attribute(JSON.stringify(trial))}'`}>`,
    `<h3>${methodHTML(key)} ${pathHTML(path)}${marksOf(operation)}</h3>`,
    ...(summary === undefined ? [] : [`<p><strong>${inside(summary)}</strong></p>`]),
    ...paragraphs(description),
    ...(security.length === 0
      ? []
      : [`<p>${lock} Needs ${security.map((one) => neededOf(one, securitySchemes)).join(", or ")}.</p>`]),
    ...parametersHTML(operation.parameters ?? []),
    ...(requestBody === undefined
      ? []
      : [
          `<h4>Content${requestBody.required ? "" : " <small>optional</small>"}</h4>`,
          contentHTML(requestBody.content, root),
        ]),
    "<h4>Answers</h4>",
    answersHTML(responses, root, common),
    ...(isWebhook
      ? []
      : ["<h4>Try it</h4>", preformatted(curlOf(anyOrigin, path, request, security, securitySchemes))]),
    "</article>",
  ].join("\n");
}

export function methodHTML(key: string): string {
  return `<b class="${key.replace("x-", "")}">${methodOf(key)}</b>`;
}

/** A path that may wrap after its slashes. */
export function pathHTML(path: string): string {
  return `<code>${inside(path).replaceAll("/", "/<wbr>")}</code>`;
}

/** Makes a paragraph of each part between empty lines. */
export function paragraphs(content: string | undefined): string[] {
  if (content === undefined || content === "") return [];
  return content.split(/\n{2,}/).map((paragraph) => `<p>${inside(paragraph)}</p>`);
}

/** A drawing of the page: no policy lets one in. */
export const lock = `<svg class="lock" aria-hidden="true"><use href="#lock"/></svg>`;

function marksOf({ deprecated, "x-sunset": sunset, "x-audience": audience }: DocumentedOperation): string {
  const until = sunset === undefined ? "" : `, gone from ${inside(sunset)} on`;
  return [
    ...(deprecated === true ? [` <em>deprecated${until}</em>`] : []),
    ...(audience === undefined ? [] : [` <em>${inside(audience)}</em>`]),
  ].join("");
}

function neededOf(alternative: Readonly<Record<string, readonly string[]>>, schemes: SecuritySchemes): string {
  const each = Object.entries(alternative).map(([name, scopes]) => {
    const of = scopes.length === 0 ? "" : ` of ${scopes.map((scope) => `<code>${inside(scope)}</code>`).join(" ")}`;
    return `${credentialsHTML(schemes[name]!)}${of}`;
  });
  return each.join(" and ") || "nothing";
}

/** Says what a guard takes. */
function credentialsHTML({ type, scheme, in: place, name }: SecuritySchemes[string]): string {
  const field = `<code>${inside(String(name))}</code>`;
  if (type === "apiKey" && place === "cookie") return `the cookie ${field}`;
  if (type === "apiKey") return `a key in the ${place === "query" ? "query" : "field"} ${field}`;
  if (type === "mutualTLS") return "a certificate";
  if (type !== "http") return "a token of OAuth 2.0";
  return scheme === "basic"
    ? "a user and a password"
    : `a token by <code>Authorization: ${inside(String(scheme))}</code>`;
}

function parametersHTML(parameters: readonly DocumentedParameter[]): string[] {
  if (parameters.length === 0) return [];
  const rows = parameters.map(({ name, in: place, required, deprecated, schema, description }) => {
    // The schema of a parameter has the same words.
    const { description: said, pattern, ...rest } = schema;
    const about = description ?? (typeof said === "string" ? said : undefined);
    // What a standard has defined, its name says.
    const isStandard = place === "header" && /\(RFC \d+/.test(String(about));
    const shown = isStandard || pattern === undefined ? rest : { ...rest, pattern };
    const marks = `${place}${required === true ? "" : ", optional"}${deprecated === true ? ", deprecated" : ""}`;
    return row(
      `<code>${inside(name)}</code> <small>${marks}</small>`,
      `${paragraphs(about).join("")}${schemaHTML(shown)}`,
    );
  });
  return ["<h4>Parameters</h4>", `<dl>${rows.join("\n")}</dl>`];
}

/** Lists answers. Those that only say what went wrong are in one row: by their status, where others say the same. */
function answersHTML(responses: DocumentedOperation["responses"], root: JsonSchema, common: CommonProblems): string {
  const all = Object.entries(responses);
  const problems = all.filter(([, answer]) => isProblem(answer));
  const rows = all
    .filter(([, answer]) => !isProblem(answer))
    .map(([status, answer]) => row(inside(status), answerHTML(answer, root)));
  if (problems.length > 0) {
    const said = problems.map(([status, answer]) => [status, problemHTML(answer)] as const);
    const isCommon = ([status, words]: (typeof said)[number]): boolean => common.get(status) === words;
    const usual = said.filter(isCommon).map(([status]) => inside(status));
    const own = said
      .filter((one) => !isCommon(one))
      .map(([status, words]) => `<p><b>${inside(status)}</b> ${words}</p>`);
    const first = usual.length === 0 ? "" : `<p><b>${usual.join(", ")}</b></p>`;
    rows.push(row(`<a href="#problems">Problems</a>`, first + own.join("")));
  }
  return `<dl>${rows.join("\n")}</dl>`;
}

function problemHTML({ description, headers }: DocumentedResponse): string {
  return `${inside(description)}${fieldsHTML(headers)}`;
}

/** Whether the content of an answer is that of all errors. */
function isProblem({ content = {} }: DocumentedResponse): boolean {
  const [media, ...others] = Object.values(content);
  const { $ref } = Object(media?.["schema"]) as { readonly $ref?: string };
  return others.length === 0 && $ref === "#/components/schemas/Problem";
}

function answerHTML(answer: DocumentedResponse, root: JsonSchema): string {
  const { description, headers, content = {}, "x-receives": receives, "x-sends": sends } = answer;
  const messages =
    receives === undefined ? [] : [named("receives", schemaHTML(receives)), named("sends", schemaHTML(sends))];
  return [`<p>${inside(description)}${fieldsHTML(headers)}</p>`, ...messages, contentHTML(content, root)].join("");
}

/** Names the fields of an answer, and says those that are more than a text. */
function fieldsHTML(fields: DocumentedResponse["headers"] = {}): string {
  const each = Object.entries(fields).map(([name, field]) => {
    const said = schemaHTML((field as { readonly schema: unknown }).schema).replaceAll(/<\/?p>/g, "");
    return `<code>${inside(name)}</code>${said === "string" ? "" : ` ${said}`}`;
  });
  return each.length === 0 ? "" : ` <small>with ${each.join(", ")}</small>`;
}

function contentHTML(content: DocumentedContent, root: JsonSchema): string {
  return Object.entries(content)
    .map(([type, media]) => {
      const { schema, itemSchema, "x-itemSchema": event } = media;
      return `${named(type, schemaHTML(event ?? schema ?? itemSchema))}${exampleHTML(type, media, root)}`;
    })
    .join("");
}

function exampleHTML(type: string, media: DocumentedContent[string], root: JsonSchema): string {
  if (!hasShownExample(type)) return "";
  return preformatted(jsonLines(exampleOf(media, root)));
}

function row(term: string, about: string): string {
  return `<dt>${term}</dt><dd>${about}</dd>`;
}

/** Escapes JSON, which is full of double quotes, for an attribute in single ones. */
function attribute(json: string): string {
  return inside(json).replaceAll("'", "&#39;");
}

/** Puts a name into the first paragraph. */
function named(name: string, shown: string): string {
  return shown.replace("<p>", () => `<p><code>${inside(name)}</code> `);
}
