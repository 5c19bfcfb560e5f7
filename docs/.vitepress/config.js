import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";

const root = fileURLToPath(new URL("../..", import.meta.url));
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

/** Lines of code have up to 120 characters; this makes room for them. */
const style = `:root { --vp-code-font-size: 0.8125em; }
.VPDoc.has-aside .content-container { max-width: 800px !important; }`;

/** What the search finds: pages for users. The index of all records and tables would be over half a megabyte. */
const searchedText = (text, env, markdown) =>
  /^(?:decisions|bench|CHANGELOG)/.test(env.relativePath) ? "" : markdown.render(text, env);

export default defineConfig({
  title: "fingerpost",
  description: "Routes HTTP requests to resources: classes that name their paths and implement HTTP methods",
  // A copy of the pages, made by scripts/build/docs.js: they link to others above this folder.
  srcDir: ".site",
  rewrites: { "docs/index.md": "index.md" },
  outDir: "dist",
  cacheDir: "node_modules/.vitepress",
  cleanUrls: true,
  lastUpdated: false,
  head: [["style", {}, style]],
  markdown: { anchor: { slugify } },
  themeConfig: {
    search: { provider: "local", options: { _render: searchedText } },
    outline: [2, 3],
    nav: [
      page("Getting started", "getting-started"),
      page("Questions", "faq"),
      { text: "Changes", link: "/CHANGELOG" },
    ],
    sidebar: [
      {
        text: "Begin",
        items: [
          page("Getting started", "getting-started"),
          page("TypeScript", "typescript"),
          page("Templates", "templates"),
        ],
      },
      {
        text: "Concepts",
        items: [
          page("Declare operations", "semantics"),
          page("Typed client", "client"),
          page("OpenAPI documents", "openapi"),
          page("Resources", "resources"),
          page("Path patterns", "paths"),
          page("Methods", "methods"),
          page("Params", "params"),
          page("Validation", "validation"),
          page("Errors", "throwing-errors"),
          page("Middleware", "writing-middleware"),
          page("Groups", "groups"),
          page("Applications", "applications"),
          page("Servers", "servers"),
          page("Serve static files", "serve-files"),
          page("Files", "files"),
          page("Server-sent events", "events"),
          page("Mount other frameworks", "mounting"),
          page("Reverse proxy", "reverse-proxy"),
          page("Client IP addresses", "client-addresses"),
          page("Runtimes", "runtimes"),
          page("Several processes", "scale-out"),
          page("Testing", "testing"),
          page("Dependency injection", "dependency-injection"),
          page("Types", "types"),
          page("Security", "security"),
        ],
      },
      {
        text: "Ready-made middleware",
        collapsed: true,
        items: pagesIn("docs/middleware"),
      },
      {
        text: "Coming from",
        items: ["Express", "Hono", "Fastify", "NestJS", "Drash"].map((name) =>
          page(name, `coming-from-${name.toLowerCase()}`),
        ),
      },
      {
        text: "Reference",
        items: [
          page("The contract", "contract"),
          page("Command line", "cli"),
          page("List of errors", "errors"),
          page("Hostile request targets", "hostile-targets"),
          page("Questions and answers", "faq"),
          { text: "Benchmarks", link: "/bench/README" },
          { text: "Security policy", link: "/SECURITY" },
          { text: "Changes", link: "/CHANGELOG" },
        ],
      },
      { text: "Decisions", collapsed: true, items: pagesIn("decisions") },
    ],
  },
});
