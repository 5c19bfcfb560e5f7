// Lists what only people can fill in, and fails while anything is blank. A release begins with it.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const textOf = (file) => readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), "utf8");
const questions = textOf("MAINTAINERS.md").matchAll(/^\| (.+) \| BLANK \|$/gm);
const blanks = [...questions].map(([, question]) => `MAINTAINERS.md: ${question}`);
if (textOf("package.json").includes("github.com/OWNER/"))
  blanks.push("package.json: the address of the repository, by `npm run address`");
if (/^There is none yet\./m.test(textOf("MAINTAINERS.md"))) blanks.push("MAINTAINERS.md: a code of conduct");
for (const blank of blanks) console.error(`blank: ${blank}`);
console.log(`blanks: ${blanks.length} to be filled in`);
process.exitCode = blanks.length === 0 ? 0 : 1;
