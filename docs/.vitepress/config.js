import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createMarkdownRenderer, defineConfig } from "vitepress";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { repository, version, description } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const [, address] = /^git\+(.+)\.git$/.exec(repository.url);
/**
 * Where the site is served: `SITE`, or the pages of the repository's owner. Cards in social networks need the whole
 * address.
 */
const origin = process.env.SITE ?? address.replace(/^https:\/\/github\.com\/([^/]+)\/(.+)$/, "https://$1.github.io/$2");

const page = (text, name) => ({ text, link: `/docs/${name}` });

/** The pages of a folder, by their headings. */
const pagesIn = (folder) =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith(".md"))
    .map((file) => ({
      text: /^# (.+)$/m.exec(readFileSync(join(root, folder, file), "utf8"))[1].replaceAll("`", ""),
      link: `/${folder}/${file.slice(0, -".md".length)}`,
    }));

/** Headings get the anchors that they have where the repository is browsed, so that one link works in both places. */
const slugify = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");

/** What the search finds: pages for users. The index of all records and tables would be over half a megabyte. */
const searchedText = (text, env, markdown) =>
  /^(?:decisions|bench|CHANGELOG)/.test(env.relativePath) ? "" : markdown.render(text, env);

/** Recipes first, then pages of one task, then the guide; the long lists of the reference last. VitePress sends this to the browser as text. */
const rank = (id) => {
  if (/\/docs\/recipes\//.test(id)) return id.includes("#") ? 8 : 12;
  if (/\/docs\/(?:middleware\/|mounting|testing|validation)/.test(id)) return 4;
  if (/\/(?:api|docs\/(?:errors|security|coming-from-\w+)|tests)\b/.test(id)) return 0.4;
  return 1;
};

/** Each cell of a body says which column it is of, for phones, where a row is a list of its cells. */
function labelCells(markdown) {
  markdown.core.ruler.push("label_cells", ({ tokens }) => {
    let heads = [];
    let column = 0;
    let isHead = false;
    let table;
    for (const [at, token] of tokens.entries()) {
      if (token.type === "table_open") [table, heads] = [token, []];
      if (token.type === "thead_open") isHead = true;
      if (token.type === "thead_close") {
        isHead = false;
        // Tables of figures are scrolled: a row of ten figures is no list.
        if (heads.length <= 4 && !heads.some(({ isFigure }) => isFigure)) table.attrJoin("class", "stacked");
      }
      if (token.type === "tr_open") column = 0;
      // A head without words is no head: it would be read out as one.
      const isEmpty = token.type === "th_open" && tokens[at + 1].content === "";
      if (isEmpty) token.tag = tokens[at + 2].tag = "td";
      if (token.type === "th_open" && isHead)
        heads.push({ text: tokens[at + 1].content, isFigure: (token.attrGet("style") ?? "").includes("right") });
      if (token.type === "td_open") token.attrSet("data-label", heads[column++]?.text.replaceAll("`", "") ?? "");
    }
  });
}

let renderer;

export default defineConfig({
  lang: "en-US",
  title: "fingerpost",
  description,
  // A copy of the pages, made by scripts/build/docs.js: they link to others above this folder.
  srcDir: ".site",
  base: process.env.SITE_BASE ?? "/",
  rewrites: { "docs/index.md": "index.md" },
  outDir: "dist",
  cacheDir: "node_modules/.vitepress",
  cleanUrls: true,
  // The index of the search is larger than a page, and fetched by those who search.
  vite: { build: { chunkSizeWarningLimit: 1500 } },
  lastUpdated: false,
  head: [
    ["link", { rel: "icon", href: `${process.env.SITE_BASE ?? "/"}favicon.svg`, type: "image/svg+xml" }],
    ["meta", { name: "theme-color", content: "#0b6e4f" }],
    ["meta", { property: "og:type", content: "website" }],
    ["meta", { property: "og:site_name", content: "fingerpost" }],
    ["meta", { property: "og:image", content: `${origin}/social.png` }],
    ["meta", { property: "og:image:alt", content: "fingerpost: HTTP requests to resources" }],
    ["meta", { name: "twitter:card", content: "summary_large_image" }],
  ],
  transformHead: ({ pageData }) => [
    ["meta", { property: "og:title", content: pageData.title }],
    ["meta", { property: "og:description", content: pageData.description || description }],
  ],
  /** The program beside the headline is colored when the site is built. */
  async transformPageData({ frontmatter }, { siteConfig }) {
    if (frontmatter.program === undefined) return;
    renderer ??= await createMarkdownRenderer(siteConfig.srcDir, siteConfig.markdown, siteConfig.site.base);
    frontmatter.program = await renderer.render(`\`\`\`js\n${frontmatter.program.trimEnd()}\n\`\`\``);
  },
  markdown: {
    anchor: { slugify },
    config: labelCells,
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  themeConfig: {
    logo: { src: "/favicon.svg", alt: "" },
    search: {
      provider: "local",
      options: {
        _render: searchedText,
        miniSearch: {
          searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, titles: 2, text: 1 }, boostDocument: rank },
        },
      },
    },
    outline: [2, 3],
    socialLinks: [{ icon: "github", link: address, ariaLabel: "Repository" }],
    editLink: { pattern: `${address}/edit/main/:path`, text: "Edit this page" },
    nav: [
      page("Guide", "getting-started"),
      { text: "Recipes", link: "/docs/recipes/redirects", activeMatch: "/docs/recipes/" },
      { text: "API", link: "/api/", activeMatch: "/api/" },
      page("Benchmarks", "benchmarks"),
      {
        text: version,
        items: [
          { text: "Changes", link: "/CHANGELOG" },
          { text: "Security policy", link: "/SECURITY" },
          { text: "Questions and answers", link: "/docs/faq" },
        ],
      },
    ],
    sidebar: [
      {
        text: "Begin",
        items: [
          page("Getting started", "getting-started"),
          page("An application with everything", "an-application"),
          page("How it works", "how-it-works"),
          page("TypeScript", "typescript"),
          page("From beta.1", "from-beta-1"),
          page("Templates", "templates"),
          page("Modules", "modules"),
        ],
      },
      {
        text: "Guide",
        items: [
          page("Declare operations", "semantics"),
          page("Typed client", "client"),
          page("OpenAPI documents", "openapi"),
          page("Tools of agents (MCP)", "agents"),
          page("Breaking changes", "breaking-changes"),
          page("Clients in other languages", "other-clients"),
          page("Protocols", "protocols"),
          page("Mocks", "mocks"),
          page("Resources", "resources"),
          page("Methods", "methods"),
          page("Path and query params", "params"),
          page("Validation", "validation"),
          page("Errors", "throwing-errors"),
          page("Middleware", "writing-middleware"),
          page("Groups", "groups"),
          page("Applications", "applications"),
          page("WebSockets", "sockets"),
          page("Serve static files", "serve-files"),
          page("Uploads", "uploads"),
          page("JSON lines", "lines"),
          page("Pagination", "pages"),
          page("PATCH", "patches"),
          page("Files", "files"),
          page("Server-sent events", "events"),
          page("Mount other frameworks", "mounting"),
          page("Testing", "testing"),
          page("Dependency injection", "dependency-injection"),
        ],
      },
      { text: "Recipes", items: pagesIn("docs/recipes") },
      { text: "Ready-made middleware", collapsed: true, items: pagesIn("docs/middleware") },
      {
        text: "Deploy",
        items: [
          page("Servers", "servers"),
          page("Reverse proxy", "reverse-proxy"),
          page("Client IP addresses", "client-addresses"),
          page("Runtimes", "runtimes"),
          page("Several processes", "scale-out"),
        ],
      },
      {
        text: "Reference",
        items: [
          { text: "API reference", link: "/api/" },
          page("Path patterns", "paths"),
          page("Native resources", "native"),
          page("Content of native resources", "native-content"),
          page("The polyfill module", "polyfill"),
          page("Command line", "cli"),
          { ...page("List of errors", "errors"), collapsed: true, items: pagesIn("docs/errors") },
          { text: "The contract", link: "/tests/contract" },
          page("Security", "security"),
          { text: "Hostile request targets", link: "/tests/hostile-targets" },
          page("Benchmarks", "benchmarks"),
          page("Questions and answers", "faq"),
          { text: "Decisions", link: "/decisions/" },
          { text: "Changes", link: "/CHANGELOG" },
        ],
      },
      {
        text: "Coming from",
        collapsed: true,
        items: ["Express", "Hono", "Fastify", "NestJS", "Elysia", "oRPC", "Drash", "Python"].map((name) =>
          page(name, `coming-from-${name.toLowerCase()}`),
        ),
      },
    ],
  },
});
