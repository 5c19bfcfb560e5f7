// Writes the tables of docs/errors.md and docs/errors/ from the catalog in tests/package/errors/: `npm run errors`. A
// block of the catalog is a row, each line a cell: message, class, when, what to do. Words of messages have two lines.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = "tests/package/errors";
const heads = { 2: ["text", "for"], 4: ["message", "class", "when", "what to do"] };

/** The rows of all tables of the catalog, or of one. */
export function catalog(table) {
  const files = table === undefined ? readdirSync(join(root, folder)) : [table];
  return files.flatMap((file) => {
    const blocks = readFileSync(join(root, folder, file), "utf8")
      .trim()
      .split("\n\n");
    return blocks.map((block) => {
      const cells = block.split("\n");
      if (heads[cells.length] === undefined || cells.some((cell) => cell.trim() === ""))
        throw new Error(`${folder}/${file}: expected two or four lines, got ${cells.length}: ${cells[0]}`);
      return cells;
    });
  });
}

/** The pages that have tables of the catalog. */
export function errorPages() {
  return ["docs/errors.md", ...readdirSync(join(root, "docs/errors")).map((file) => `docs/errors/${file}`)];
}

/** A page with its tables, and the names of the tables. */
export function withTables(page) {
  const tables = [];
  const text = readFileSync(join(root, page), "utf8").replace(
    /^(<!-- Made by npm run errors from tests\/package\/errors\/(\S+)\. -->\n)(?:\n(?:\|.*\n)+)?/gm,
    (_, mark, table) => {
      tables.push(table);
      const rows = catalog(table);
      const head = heads[rows[0].length];
      return `${mark}\n${[head, head.map(() => "---"), ...rows].map(rowOf).join("\n")}\n`;
    },
  );
  return { text, tables };
}

function rowOf(cells) {
  return cells[0] === "---" ? `|${cells.join("|")}|` : `| ${cells.join(" | ")} |`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const pages = errorPages();
  for (const page of pages) writeFileSync(join(root, page), withTables(page).text);
  console.log(`errors: ${catalog().length} rows on ${pages.length} pages`);
}
