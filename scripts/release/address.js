// Sets the address of the repository where it is written down:
// `npm run address -- https://github.com/OWNER/fingerpost`. Only `repository` of package.json is read; `homepage` and
// `bugs` follow from it.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(new URL("../../package.json", import.meta.url));
const text = readFileSync(file, "utf8");
const [, old] = /^git\+(.+)\.git$/.exec(JSON.parse(text).repository.url);
const [, , address] = process.argv;

if (address === undefined) console.log(old);
else if (/^https:\/\/[\w.-]+(?:\/[\w.-]+){2}$/.test(address))
  writeFileSync(
    file,
    text.replaceAll(old, () => address),
  );
else {
  console.error(`Cannot use ${address}: expected an address such as https://github.com/OWNER/fingerpost`);
  process.exitCode = 1;
}
