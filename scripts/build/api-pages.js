// The API reference as Markdown: a page for each entry of the package and an index, made of declarations and
// docstrings.
import { membersOf, readApi, signaturesOf } from "./api-declarations.js";

const longest = 900;
const begins = ["client", "openapi", "node", "native", "semantics"];

/** The pages, by their paths below the folder of the site, and where each name is described. */
export function apiPages() {
  const { entries, items } = readApi();
  // What an application begins with comes first.
  entries.sort((a, b) => begins.indexOf(b.page) - begins.indexOf(a.page));
  const places = new Map(items.map((item) => [item, `/api/${item.entry.page}#${anchorOf(item)}`]));
  const byName = new Map(items.map((item) => [item.name, places.get(item)]));
  const context = { places, byName };
  const pages = new Map(entries.map((entry) => [`api/${entry.page}.md`, pageOf(entry, context)]));
  pages.set("api/index.md", indexOf(entries, places));
  return { pages, entries, items, places };
}

/** What an application is made of comes before the rest. */
const first = ["reply", "Resource", "Application"];
const byUse = (items) => items.toSorted((a, b) => first.indexOf(b.name) - first.indexOf(a.name));

const anchorOf = ({ name }) => name;

/** How a name is written where it is spoken of. */
export const titleOf = ({ name, kind }) => (kind === "function" ? `${name}()` : name);

function pageOf(entry, context) {
  const own = byUse(entry.items).filter((item) => item.entry === entry);
  const others = entry.items.filter((item) => item.entry !== entry);
  const order = ["function", "class", "constant", "type"];
  const sorted = own.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  const links = others.map((item) => `[\`${titleOf(item)}\`](${context.places.get(item)})`);
  const values = byUse(entry.items)
    .filter(({ kind, isType }) => kind !== "type" && !isType)
    .map(({ name }) => name);
  const parts = [
    `---\neditLink: false\noutline: 2\n---\n\n# ${entry.specifier}`,
    values.length === 0 ? "" : `\`\`\`ts\n${importOf(values, entry.specifier)}\n\`\`\``,
    ...sorted.map((item) => sectionOf(item, context)),
    links.length === 0 ? "" : `## Also exported {#also-exported}\n\n${links.join(", ")}`,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function importOf(names, specifier) {
  const line = `import { ${names.join(", ")} } from "${specifier}";`;
  return line.length <= 80 ? line : `import {\n${names.map((name) => `  ${name},\n`).join("")}} from "${specifier}";`;
}

function sectionOf(item, context) {
  const { doc, examples, shownBy } = item;
  const prose = (text) => proseOf(text, context);
  const signature = signaturesOf(item).join("\n\n");
  const members = membersOf(item).map(({ text, doc: { text: said, isExperimental, throws } }) => {
    const mark = isExperimental ? "**[Experimental](/docs/stability)**" : "";
    const lines = [said, mark, ...throws.map((what) => `Throws ${what}`)].filter((line) => line !== "");
    return `- ${codeOf(text)}${lines.length === 0 ? "" : `\n\n${indented(prose(lines.join("\n\n")))}`}`;
  });
  const list = (title, pairs) =>
    pairs.length === 0
      ? ""
      : [`**${title}**\n`, ...pairs.map(([name, text]) => `- \`${name}\`: ${prose(text).replace(/\n/g, "\n  ")}`)].join(
          "\n",
        );
  const shown = examples.map((code) => `**Example**\n\n\`\`\`ts\n${code}\n\`\`\``);
  if (shown.length === 0 && shownBy !== null)
    shown.push(`**Example**: see [\`${titleOf(shownBy)}\`](${context.places.get(shownBy)}).`);
  return [
    `## ${titleOf(item)} {#${anchorOf(item)}}`,
    `\`\`\`ts\n${shortened(signature)}\n\`\`\``,
    doc.isExperimental ? "**[Experimental](/docs/stability)**" : "",
    prose(doc.text),
    list("Type parameters", doc.typeParams),
    list("Parameters", doc.params),
    doc.returns.map((text) => `**Returns** ${prose(text)}`).join("\n\n"),
    doc.throws.map((text) => `**Throws** ${prose(text)}`).join("\n\n"),
    members.length === 0 ? "" : `**Members**\n\n${members.join("\n")}`,
    ...shown,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Types that compute are long, and no help: their beginning says what they are of. */
const shortened = (text) => (text.length <= longest ? text : `${text.slice(0, longest)} …`);

/** A piece of code in a line of text. */
function codeOf(text) {
  const line = shortened(text.replace(/\s+/g, " "))
    .replace(/^readonly /, "")
    .replace(/(\?: .*) \| undefined$/, "$1");
  const ticks = line.includes("`") ? "``" : "`";
  return `${ticks}${line}${ticks}`;
}

const indented = (text) => text.replace(/^(?=.)/gm, "  ");

/** The text of a docstring as Markdown: Vue would take what is in angle brackets or double braces for its own. */
function proseOf(text, { byName }) {
  const linked = text.replace(/\{@link (\w+)(?:\s*\|?\s*([^}]*))?\}/g, (_, name, words) => {
    const place = byName.get(name);
    return place === undefined ? words || `\`${name}\`` : `[${words || `\`${name}\``}](${place})`;
  });
  return linked
    .split(/(```[^]*?```|`[^`\n]+`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll("<", "&lt;").replaceAll("{{", "&#123;&#123;")))
    .join("");
}

function indexOf(entries, places) {
  const parts = entries.map((entry) => {
    const names = byUse(entry.items)
      .filter(({ kind, isType }) => kind !== "type" && !isType)
      .map((item) => `[\`${titleOf(item)}\`](${places.get(item)})`);
    return `## [${entry.specifier}](/api/${entry.page}) {#${entry.page.replaceAll("/", "-")}}\n\n${names.join(", ")}`;
  });
  return `---\neditLink: false\n---\n\n# API reference

Each entry of the package, with what it exports. Types are on the page of their entry.

${parts.join("\n\n")}\n`;
}
