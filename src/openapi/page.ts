import { insideQuotes } from "./curl.ts";
import { elementText as inside, htmlText } from "./html-text.ts";
import type { OpenAPIDocument } from "./openapi-document.ts";
import {
  anyOrigin,
  commonProblemsHTML,
  commonProblemsOf,
  lock,
  methodHTML,
  operationHTML,
  paragraphs,
  pathHTML,
  type CommonProblems,
  type PlacedOperation,
} from "./page-operation.ts";
import { schemaHTML } from "./page-schema.ts";
import { script } from "./page-script.ts";
import { style } from "./page-style.ts";
import { methodOf } from "./sample-request.ts";

/** The inputs of a page besides the document. */
export interface PageRequest {
  /** The origin of the API, for the lines of a shell. */
  readonly origin: string;
  readonly search: string;
  readonly documentURL: string;
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

/** Operations and schemas are written once: 600 of them take 300 ms, and anybody may ask. */
function writtenOf(document: OpenAPIDocument): WrittenDocument {
  const known = written.get(document);
  if (known !== undefined) return known;
  const placed = [...placedIn(document.paths, false), ...placedIn(document.webhooks ?? {}, true)];
  const common = commonProblemsOf(placed.map(({ operation }) => operation));
  const made = {
    entries: placed.map((one) => writtenEntryOf(one, document, common)),
    schemas: closed(schemasHTML(document.components.schemas, common)),
  };
  written.set(document, made);
  return made;
}

function placedIn(paths: OpenAPIDocument["paths"], isWebhook: boolean): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([key, operation]) => ({ path, isWebhook, key, operation })),
  );
}

function writtenEntryOf(placed: PlacedOperation, document: OpenAPIDocument, common: CommonProblems): WrittenEntry {
  const { path, key, operation } = placed;
  const { operationId, summary = "", description = "", tags, security = [] } = operation;
  const about = summary === "" ? "" : ` <small>${inside(summary)}</small>`;
  const guarded = security.length === 0 ? "" : ` ${lock}`;
  return {
    words: [methodOf(key), path, operationId, summary, description, ...tags].join(" ").toLowerCase(),
    tag: tags[0],
    link: closed(
      `<li><a href="#${htmlText(operationId)}">${methodHTML(key)} ${pathHTML(path)}${guarded}${about}</a></li>`,
    ),
    article: closed(operationHTML(placed, document, common)),
  };
}

/** Leaves out the ends of elements that browsers set themselves (HTML, 13.1.2.4): they are a tenth of the page. */
function closed(html: string): string {
  return html.replaceAll(/<\/(?:p|li|dt|dd)>/g, "");
}

/** Shows each schema that has a name, and what all errors have in common in a section of its own. */
function schemasHTML(
  { Problem: problem, ...schemas }: OpenAPIDocument["components"]["schemas"],
  common: CommonProblems,
): string {
  const shown = Object.entries(schemas).map(([name, schema]) => named(name, schema));
  const problems =
    problem === undefined
      ? []
      : [
          `<section id="problems">\n<h2>Problems</h2>`,
          "<p>What went wrong is said in one form everywhere, as problem details (RFC 9457).</p>",
          ...(common.size === 0 ? [] : [commonProblemsHTML(common)]),
          `${named("Problem", problem)}\n</section>`,
        ];
  return [
    ...problems,
    ...(shown.length === 0 ? [] : [`<section>\n<h2>Schemas</h2>\n${shown.join("\n")}\n</section>`]),
  ].join("\n");
}

function named(name: string, schema: unknown): string {
  return `<h3 id="schema-${htmlText(name)}">${inside(name)}</h3>\n${schemaHTML(schema)}`;
}

/** A lock, in a box of 16 by 16. */
const lockShape = "M4 7V5a4 4 0 0 1 8 0v2h1v8H3V7zm2 0h4V5a2 2 0 0 0-4 0z";

/**
 * Writes a document as a page that can be read without its script: the server filters it by the search text. All texts
 * are escaped.
 */
export function pageOf(document: OpenAPIDocument, { origin, search, documentURL }: PageRequest): string {
  const { info, servers: [server] = [] } = document;
  const { entries: all, schemas } = writtenOf(document);
  const words = search.toLowerCase().split(/\s+/);
  const shown = all.filter((entry) => words.every((word) => entry.words.includes(word)));
  const groups = [...new Set(all.map(({ tag }) => tag))]
    .map((name) => ({
      heading: name === undefined ? "" : `<h2>${inside(name)}</h2>\n`,
      entries: shown.filter(({ tag }) => tag === name),
    }))
    .filter(({ entries }) => entries.length > 0);
  const links = groups.map(({ heading, entries }) => `${heading}<ul>\n${joinedBy(entries, "link")}\n</ul>`);
  const sections = groups.map(
    ({ heading, entries }) => `<section>\n${heading}${joinedBy(entries, "article")}\n</section>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${inside(info.title)}</title>
<style>${style}</style>
</head>
<body data-api="${htmlText((server?.url ?? "").replace(/\/$/, ""))}">
<svg hidden><symbol id="lock" viewBox="0 0 16 16"><path d="${lockShape}"/></symbol></svg>
<header>
<h1>${inside(info.title)} <small>${inside(info.version)}</small></h1>
${paragraphs(info.description).join("\n")}
<p><a href="${htmlText(documentURL)}">OpenAPI document</a></p>
</header>
<nav aria-label="Operations">
<form role="search">
<label for="q">Search operations</label>
<input id="q" name="q" type="search" value="${htmlText(search)}">
<button>Search</button>
</form>
<p role="status">${
    search === ""
      ? count(all.length)
      : `${shown.length} of ${count(all.length)} for “${inside(search)}”. <a href="?">Show all</a>`
  }</p>
${links.join("\n")}
</nav>
<main>
${sections.join("\n").replaceAll(anyOrigin, () => inside(insideQuotes(origin)))}
${schemas}
</main>
<script>${script}</script>
</body>
</html>
`;
}

function joinedBy(entries: readonly WrittenEntry[], part: "link" | "article"): string {
  return entries.map((entry) => entry[part]).join("\n");
}

function count(operations: number): string {
  return `${operations} ${operations === 1 ? "operation" : "operations"}`;
}
