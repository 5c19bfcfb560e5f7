// Types 88 queries into the search of the built site, by its own index and options: at least 84 find one of their pages
// among the first three results. Prints the others. Run `npm run docs` first.
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { searches } from "./lib/searches.js";

const least = 84;
const docs = fileURLToPath(new URL("../../docs/", import.meta.url));
const chunks = join(docs, "dist/assets/chunks");

if (existsSync(chunks)) await checkSearch();
else {
  console.error('search: docs/dist does not exist; run "npm run docs" first');
  process.exitCode = 1;
}

function load(path) {
  return import(pathToFileURL(path).href);
}

async function checkSearch() {
  const index = readdirSync(chunks).find((name) => name.startsWith("@localSearchIndex"));
  const { default: json } = await load(join(chunks, index));
  const { default: MiniSearch } = await load(createRequire(join(docs, "package.json")).resolve("minisearch"));
  const { default: config } = await load(join(docs, ".vitepress/config.js"));
  const { options, searchOptions } = config.themeConfig.search.options.miniSearch;
  // As the page of VitePress opens it.
  const fields = { fields: ["title", "titles", "text"], storeFields: ["title", "titles"] };
  const site = MiniSearch.loadJSON(json, { ...fields, searchOptions, ...options });
  const missed = Object.entries(searches).flatMap(([words, pages]) => {
    const found = site.search(words).map(({ id }) => id.replace(/#.*/, "").replace("/docs/", ""));
    return found.slice(0, 3).some((page) => pages.includes(page)) ? [] : [`"${words}" finds ${found.slice(0, 3)}`];
  });
  const count = Object.keys(searches).length;
  for (const miss of missed) console.log(`search: ${miss}`);
  console.log(
    `search: ${count - missed.length} of ${count} queries find their page among the first three; ${least} must`,
  );
  process.exitCode = count - missed.length >= least ? 0 : 1;
}
