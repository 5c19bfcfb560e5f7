import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createMarkdownRenderer, defineConfig } from "vitepress";
import { otherWords } from "./other-words.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { repository, version, description } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const [, address] = /^git\+(.+)\.git$/.exec(repository.url);
/**
 * Where the site is served: `SITE`, or the pages of the repository's owner. Cards in social networks need the whole
 * address.
 */
const origin = process.env.SITE ?? address.replace(/^https:\/\/github\.com\/([^/]+)\/(.+)$/, "https://$1.github.io/$2");

const page = (text, name) => ({ text, link: `/docs/${name}` });
const recipe = (text, name) => page(text, `recipes/${name}`);
const section = (text, items) => ({ text, collapsed: true, items });

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

/**
 * What the search finds: pages for users, with other words for what they are about. The index of all records and tables
 * would be over half a megabyte.
 */
function searchedText(text, env, markdown) {
  if (/^(?:decisions|bench|CHANGELOG)/.test(env.relativePath)) return "";
  const words = otherWords[env.relativePath.slice(0, -".md".length)];
  return markdown.render(words === undefined ? text : text.replace(/^# .+$/m, `$&\n\n${words} ${words}\n`), env);
}

/** Guides and recipes first; the long lists of the reference last. VitePress sends this to the browser as text. */
const rank = (id) => {
  if (/^\/(?:api|tests|SECURITY|docs\/(?:errors|security|coming-from-|from-beta))/.test(id)) return 0.4;
  if (/\/docs\/tutorial\//.test(id)) return 0.6;
  if (/\/docs\/(?:recipes|middleware)\//.test(id)) return 1.1;
  return 1;
};

/** Leaves out words that each page has. VitePress sends this to the browser as text. */
const searchedTerm = (term) => {
  const word = term.toLowerCase();
  return /^(?:an?|and|are|as|at|be|by|can|do|does|for|from|how|i|if|in|is|it|its|my|of|on|or|that|the|then|this|to|use|what|when|with|you|your)$/.test(
    word,
  )
    ? null
    : word;
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
          options: { processTerm: searchedTerm },
          searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 2, titles: 1, text: 1 }, boostDocument: rank },
        },
      },
    },
    outline: [2, 3],
    socialLinks: [{ icon: "github", link: address, ariaLabel: "Repository" }],
    editLink: { pattern: `${address}/edit/main/:path`, text: "Edit this page" },
    nav: [
      page("Learn", "getting-started"),
      page("How-to", "authentication"),
      page("Deploy", "production"),
      { text: "API", link: "/api/", activeMatch: "/api/" },
      {
        text: version,
        items: [
          { text: "Changes", link: "/CHANGELOG" },
          { text: "Security policy", link: "/SECURITY" },
          page("Questions and answers", "faq"),
        ],
      },
    ],
    sidebar: [
      {
        text: "Learn",
        items: [
          page("Getting started", "getting-started"),
          page("2. Validation and errors", "tutorial/validation"),
          page("3. A database", "tutorial/database"),
          page("4. Sign-in and roles", "tutorial/sign-in"),
          page("5. Tests and deploy", "tutorial/tests-and-deploy"),
          page("How it works", "how-it-works"),
          page("TypeScript", "typescript"),
          page("Reload in development", "reload"),
          page("Project structure", "project-structure"),
          page("Templates", "templates"),
          page("An application with everything", "an-application"),
        ],
      },
      {
        text: "Basics",
        items: [
          page("Resources", "resources"),
          page("Declare operations", "semantics"),
          page("Path and query params", "params"),
          page("Validation", "validation"),
          page("Errors", "throwing-errors"),
          page("Middleware", "writing-middleware"),
          page("Advanced middleware", "advanced-middleware"),
          page("Groups", "groups"),
          page("Applications", "applications"),
          page("Dependency injection", "dependency-injection"),
          page("Testing", "testing"),
          page("Methods", "methods"),
        ],
      },
      {
        text: "How-to",
        items: [
          section("Sign-in and security", [
            page("Authentication", "authentication"),
            page("Sign-up and password reset", "accounts"),
            page("Roles and permissions", "who-may-do-what"),
            page("Sign in with Google", "sign-in-with-google"),
            page("API keys", "api-keys"),
            recipe("Sessions", "sessions"),
            page("CORS", "middleware/cors"),
            page("Client IP addresses", "client-addresses"),
          ]),
          section("Data", [
            page("Database", "database"),
            page("Pagination", "pages"),
            page("PATCH", "patches"),
            recipe("Conditional requests", "conditional-requests"),
            recipe("Idempotency", "idempotency"),
          ]),
          section("Files", [
            page("Uploads", "uploads"),
            recipe("File storage (S3)", "file-storage"),
            page("Serve static files", "serve-files"),
            recipe("Downloads", "downloads"),
          ]),
          section("Live data", [
            page("WebSockets", "sockets"),
            page("WebSockets in Durable Objects", "durable-objects"),
            recipe("WebSocket in one file", "websocket"),
            page("Server-sent events", "events"),
            page("JSON lines", "lines"),
          ]),
          section("Documents and clients", [
            page("OpenAPI", "openapi"),
            page("Typed client", "client"),
            page("React, Vue, Svelte and Next.js", "front-ends"),
            page("Clients in other languages", "other-clients"),
            page("API versions", "versions"),
            page("Breaking changes", "breaking-changes"),
            page("Mocks", "mocks"),
            page("Tools of agents (MCP)", "agents"),
          ]),
          section("Work and webhooks", [
            recipe("Work after the response", "after"),
            recipe("Long work", "long-work"),
            recipe("Receive webhooks", "receive-webhooks"),
            recipe("Send webhooks", "send-webhooks"),
          ]),
          section("Responses", [
            recipe("Response headers", "response-headers"),
            recipe("Redirects", "redirects"),
            recipe("405 Method Not Allowed", "method-not-allowed"),
            recipe("Clients that left", "clients-that-left"),
          ]),
          section("With other software", [
            page("Mount other frameworks", "mounting"),
            recipe("Inside Next.js, SvelteKit, Express", "inside-other-frameworks"),
            page("Reverse proxy", "reverse-proxy"),
            page("Protocols", "protocols"),
            recipe("AsyncLocalStorage", "async-local-storage"),
          ]),
          section("Ready-made middleware", pagesIn("docs/middleware")),
        ],
      },
      {
        text: "Deploy",
        items: [
          page("Production checklist", "production"),
          page("Environment variables", "configuration"),
          page("Servers", "servers"),
          recipe("Serve on each runtime", "serve"),
          page("Runtimes", "runtimes"),
          recipe("Health checks", "health"),
          page("Overload", "overload"),
          recipe("Docker", "docker"),
          recipe("VM (systemd)", "deploy-vm"),
          recipe("nginx, Caddy and HAProxy", "proxies"),
          recipe("Kubernetes", "deploy-kubernetes"),
          recipe("Cloudflare Workers", "deploy-workers"),
          recipe("AWS Lambda", "deploy-lambda"),
          recipe("Vercel", "deploy-vercel"),
          page("Several processes", "scale-out"),
          recipe("Rolling deploys", "rolling-deploys"),
        ],
      },
      {
        text: "Reference",
        items: [
          { text: "API reference", link: "/api/" },
          page("Path patterns", "paths"),
          page("Command line", "cli"),
          { ...page("List of errors", "errors"), collapsed: true, items: pagesIn("docs/errors") },
          page("Modules", "modules"),
          page("Native resources", "native"),
          page("Types of native resources", "native-types"),
          page("Content of native resources", "native-content"),
          page("The polyfill module", "polyfill"),
          { text: "The contract", link: "/tests/contract" },
          page("Security", "security"),
          { text: "Hostile request targets", link: "/tests/hostile-targets" },
          page("Stability and support", "stability"),
          page("From beta.1", "from-beta-1"),
          { text: "Changes", link: "/CHANGELOG" },
        ],
      },
      {
        text: "Why",
        items: [
          page("Questions and answers", "faq"),
          page("Proof of each claim", "proven"),
          page("Comparison", "comparison"),
          page("Benchmarks", "benchmarks"),
          { text: "Decisions", link: "/decisions/" },
          section(
            "Coming from",
            ["Express", "Hono", "Fastify", "NestJS", "Elysia", "oRPC", "Drash", "Python"].map((name) =>
              page(name, `coming-from-${name.toLowerCase()}`),
            ),
          ),
        ],
      },
    ],
  },
});
