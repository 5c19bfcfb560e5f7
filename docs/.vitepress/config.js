import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";

const middleware = readdirSync(fileURLToPath(new URL("../middleware", import.meta.url)))
  .filter((file) => file.endsWith(".md"))
  .map((file) => file.slice(0, -".md".length));

const page = (text, name) => ({ text, link: `/docs/${name}` });

export default defineConfig({
  title: "fingerpost",
  description: "Routes HTTP requests to resources: classes that name their paths and implement HTTP methods",
  // A copy of the pages, made by scripts/docs.js: they link to others above this folder.
  srcDir: ".site",
  rewrites: { "docs/index.md": "index.md" },
  outDir: "dist",
  cacheDir: "node_modules/.vitepress",
  cleanUrls: true,
  lastUpdated: false,
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      page("Getting started", "getting-started"),
      page("Questions", "faq"),
      { text: "Changes", link: "/CHANGELOG" },
    ],
    sidebar: [
      { text: "Begin", items: [page("Getting started", "getting-started"), page("Templates", "templates")] },
      {
        text: "Concepts",
        items: [
          page("Resources", "resources"),
          page("Path patterns", "paths"),
          page("Methods", "methods"),
          page("Params", "params"),
          page("Errors", "throwing-errors"),
          page("Middleware", "writing-middleware"),
          page("Groups", "groups"),
          page("Applications", "applications"),
          page("Servers", "servers"),
          page("Runtimes", "runtimes"),
          page("Testing", "testing"),
          page("Dependency injection", "dependency-injection"),
          page("Types", "types"),
          page("Security", "security"),
        ],
      },
      {
        text: "Ready-made middleware",
        collapsed: true,
        items: middleware.map((name) => page(name, `middleware/${name}`)),
      },
      {
        text: "Coming from",
        items: ["Express", "Hono", "Fastify", "NestJS", "Drash"].map((name) =>
          page(name, `coming-from-${name.toLowerCase()}`),
        ),
      },
      {
        text: "Reference",
        items: [page("Command line", "cli"), page("List of errors", "errors"), page("Questions and answers", "faq")],
      },
    ],
  },
});
