import { curlOf, insideQuotes } from "./curl.ts";
import { htmlText as text } from "./html-text.ts";
import type {
  DocumentedContent,
  DocumentedOperation,
  DocumentedResponse,
  OpenAPIDocument,
} from "./openapi-document.ts";

/** The inputs of a page besides the document. */
export interface PageRequest {
  /** The origin of the API, for the lines of a shell. */
  readonly origin: string;
  /** The search text. */
  readonly search: string;
  /** The URL of the document, relative to the page. */
  readonly documentURL: string;
}

interface Entry {
  readonly path: string;
  readonly key: string;
  readonly operation: DocumentedOperation;
}

/** An operation as it is written, whoever asks. */
interface WrittenEntry {
  /** What a search looks through, in lower case. */
  readonly words: string;
  readonly tag: string | undefined;
  readonly link: string;
  /** Has `anyOrigin` where the origin of the API belongs. */
  readonly article: string;
}

interface WrittenDocument {
  readonly entries: readonly WrittenEntry[];
  readonly schemas: string;
}

const written = new WeakMap<OpenAPIDocument, WrittenDocument>();

/** Stands for the origin of the API, which requests name. No document holds the character. */
const anyOrigin = "\0";

/**
 * Operations and schemas are written once: 600 of them take 300 ms, and anybody may ask.
 */
function writtenOf(document: OpenAPIDocument): WrittenDocument {
  const known = written.get(document);
  if (known !== undefined) return known;
  const { paths, components } = document;
  const schemas = Object.entries(components.schemas);
  const made = {
    entries: Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([key, operation]) => writtenEntryOf({ path, key, operation }, document)),
    ),
    schemas:
      schemas.length === 0
        ? ""
        : `<section>\n<h2>Schemas</h2>\n${schemas
            .map(([name, schema]) => `<h3 id="schema-${text(name)}">${text(name)}</h3>\n${block(shownSchema(schema))}`)
            .join("\n")}\n</section>`,
  };
  written.set(document, made);
  return made;
}

function writtenEntryOf(entry: Entry, document: OpenAPIDocument): WrittenEntry {
  const { path, key, operation } = entry;
  const { operationId, summary = "", description = "", tags } = operation;
  return {
    words: [methodOf(key), path, operationId, summary, description, ...tags].join(" ").toLowerCase(),
    tag: tags[0],
    link: `<li><a href="#${text(operationId)}">${methodOf(key)} <code>${broken(path)}</code></a></li>`,
    article: articleOf(entry, document),
  };
}

/**
 * Writes a document as a page that needs no script: the server filters it by the search text. All texts are escaped.
 */
export function pageOf(document: OpenAPIDocument, { origin, search, documentURL }: PageRequest): string {
  const { info } = document;
  const { entries: all, schemas } = writtenOf(document);
  const words = search.toLowerCase().split(/\s+/);
  const shown = all.filter((entry) => words.every((word) => entry.words.includes(word)));
  const sections = document.tags.flatMap(({ name }) => {
    const articles = shown.filter(({ tag }) => tag === name).map(({ article }) => article);
    return articles.length === 0 ? [] : [`<section>\n<h2>${text(name)}</h2>\n${articles.join("\n")}\n</section>`];
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(info.title)}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${text(info.title)} <small>${text(info.version)}</small></h1>
${paragraphs(info.description)}
<form role="search">
<label for="q">Search operations</label>
<input id="q" name="q" type="search" value="${text(search)}">
<button>Search</button>
</form>
<p role="status">${search === "" ? count(all.length) : `${shown.length} of ${count(all.length)} for “${text(search)}”. <a href="?">Show all</a>`}</p>
<p><a href="${text(documentURL)}">OpenAPI document</a></p>
</header>
<nav aria-label="Operations">
<ul>
${shown.map(({ link }) => link).join("\n")}
</ul>
</nav>
<main>
${sections.join("\n").replaceAll(anyOrigin, () => text(insideQuotes(origin)))}
${schemas}
</main>
</body>
</html>
`;
}

function articleOf({ path, key, operation }: Entry, document: OpenAPIDocument): string {
  const {
    operationId,
    summary,
    description,
    deprecated,
    parameters = [],
    requestBody,
    responses,
    security = [],
  } = operation;
  const needed = security.map((one) => Object.keys(one).map(text).join(" and ") || "nothing").join(", or ");
  return `<article id="${text(operationId)}">
<h3>${methodOf(key)} <code>${broken(path)}</code>${deprecated === true ? " <em>deprecated</em>" : ""}</h3>
${summary === undefined ? "" : `<p><strong>${text(summary)}</strong></p>`}
${paragraphs(description)}
${needed === "" ? "" : `<p>Needs ${needed}.</p>`}
${
  parameters.length === 0
    ? ""
    : `<h4>Parameters</h4>\n<dl>\n${parameters
        .map(
          ({ name, in: place, required, schema, description: about }) =>
            `<div><dt><code>${text(name)}</code> <small>${place}${required === true ? ", required" : ""}</small></dt><dd>${paragraphs(about)}${block(shownSchema(schema))}</dd></div>`,
        )
        .join("\n")}\n</dl>`
}
${requestBody === undefined ? "" : `<h4>Content${requestBody.required ? "" : " <small>optional</small>"}</h4>\n${shownContent(requestBody.content)}`}
<h4>Answers</h4>
<dl>
${Object.entries(responses)
  .map(
    ([status, one]) =>
      `<div><dt>${text(status)}</dt><dd><p>${text(one.description)}</p>${shownFields(one.headers)}${shownMessages(one)}${shownContent(one.content ?? {})}</dd></div>`,
  )
  .join("\n")}
</dl>
<h4>Try it</h4>
${pre(curlOf(anyOrigin, path, key, operation, document), `Request of ${operationId} for a shell`)}
</article>`;
}

/** Shows the fields of an answer, each with its type. */
function shownFields(fields: DocumentedResponse["headers"] = {}): string {
  return Object.entries(fields)
    .map(([name, field]) => block(shownSchema((field as { readonly schema: unknown }).schema), `${name}:`))
    .join("");
}

/** Shows the messages of a WebSocket. */
function shownMessages({ "x-receives": receives, "x-sends": sends }: DocumentedResponse): string {
  if (receives === undefined) return "";
  return block(shownSchema(receives), "receives") + block(shownSchema(sends), "sends");
}

function shownContent(content: DocumentedContent): string {
  return Object.entries(content)
    .map(([type, { schema, itemSchema, "x-itemSchema": event }]) =>
      block(shownSchema(event ?? schema ?? itemSchema), type),
    )
    .join("");
}

/** Makes a paragraph of anything that is not a block, after a name if there is one. */
function block(shown: string, name = ""): string {
  const named = name === "" ? "" : `<code>${text(name)}</code> `;
  if (!shown.startsWith("<pre")) return `<p>${named}${shown}</p>`;
  return named === "" ? shown : `<p>${named}</p>${shown}`;
}

/** Shows a reference as a link. Shows anything else as it is, and makes links of the references in it. */
function shownSchema(schema: unknown): string {
  const { $ref: reference, ...beside } = schema as { readonly $ref?: string };
  if (reference !== undefined && Object.keys(beside).length === 0) return linkTo(reference);
  const short = lineOf(schema);
  if (short.length <= 60 && !short.includes("$ref")) return `<code>${text(short)}</code>`;
  return pre(linesOf(schema), "JSON Schema", (lines) =>
    lines.replaceAll(/&quot;#\/components\/schemas\/[^&]*&quot;/g, (found) => linkTo(found.slice(6, -6))),
  );
}

/** Writes JSON with a line for each object that fits into one. */
function linesOf(value: unknown, indent = ""): string {
  const line = lineOf(value);
  if (typeof value !== "object" || value === null || indent.length + line.length <= 72) return line;
  const inner = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((member) => inner + linesOf(member, inner))
    : Object.entries(value).map(([name, member]) => `${inner}${JSON.stringify(name)}: ${linesOf(member, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${members.join(",\n")}\n${indent}${close}`;
}

function lineOf(value: unknown): string {
  return JSON.stringify(value, null, 1).replaceAll(/\n */g, " ");
}

function linkTo(reference: string): string {
  const [name] = reference.replace("#/components/schemas/", "").split("/");
  return `<a href="#schema-${text(name!)}">${text(reference.replace("#/components/schemas/", ""))}</a>`;
}

/** Makes content that may be wider than a phone scrollable by keys. */
function pre(content: string, label: string, linked: (escaped: string) => string = (escaped) => escaped): string {
  return `<pre tabindex="0" role="group" aria-label="${text(label)}"><code>${linked(text(content))}</code></pre>`;
}

function methodOf(key: string): string {
  return key.replace("x-", "").toUpperCase();
}

function count(operations: number): string {
  return `${operations} ${operations === 1 ? "operation" : "operations"}`;
}

function paragraphs(content: string | undefined): string {
  if (content === undefined || content === "") return "";
  return content
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${text(paragraph)}</p>`)
    .join("\n");
}

/** Shows a path that may wrap after its slashes. */
function broken(path: string): string {
  return text(path).replaceAll("/", "/<wbr>");
}

/** The one style of the page. Its hash is in the policy. */
export const style = `
:root { color-scheme: light dark; --back: #fff; --text: #1c1c1e; --soft: #f3f4f6; --line: #c9ccd1; --link: #0b57d0; --dim: #55585e }
@media (prefers-color-scheme: dark) { :root { --back: #16181c; --text: #e8e8ea; --soft: #22252b; --line: #4a4e56; --link: #9dc1ff; --dim: #b4b8c0 } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 76rem; padding: 1rem; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
a { color: var(--link) }
h1 { margin: .5rem 0 } h2 { border-bottom: 1px solid var(--line) } h4 { margin: 1rem 0 .25rem }
small { color: var(--dim); font-weight: 400; font-size: .85em }
form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center }
input { flex: 1 1 12rem; min-width: 0 }
input, button { font: inherit; padding: .4rem .6rem; border: 1px solid var(--dim); border-radius: .3rem; background: var(--back); color: var(--text) }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
code, pre { font: .875rem/1.45 ui-monospace, monospace }
pre { margin: .25rem 0; padding: .6rem; overflow: auto; max-height: 24rem; background: var(--soft); border: 1px solid var(--line); border-radius: .3rem; white-space: pre-wrap }
nav ul { margin: 0; padding: 0; list-style: none } nav li { margin: .2rem 0 }
article { margin: 1.5rem 0; padding: 0 1rem 1rem; border: 1px solid var(--line); border-radius: .5rem }
article:target { border-color: var(--link) }
dl { margin: 0 } dl div { display: grid; grid-template-columns: 10rem 1fr; gap: 0 1rem; padding: .35rem 0; border-top: 1px solid var(--line) }
dt { font-weight: 600 } dd { margin: 0; min-width: 0 } dd p { margin: 0 }
em { color: var(--dim) }
@media (min-width: 60rem) { body { display: grid; grid-template-columns: 19rem minmax(0, 1fr); column-gap: 2rem } header { grid-column: 1 / -1 } nav { position: sticky; top: 0; max-height: 100vh; overflow: auto; padding: 1rem 0 } }
@media (max-width: 36rem) { dl div { grid-template-columns: minmax(0, 1fr) } article { padding: 0 .6rem .6rem } }
`;
