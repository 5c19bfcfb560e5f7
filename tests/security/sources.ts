import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The root of the repository, with a slash at its end. */
export const root = fileURLToPath(new URL("../../", import.meta.url));

/** The sources below a folder of the repository, tests left out. */
export function sourcesBelow(folder: string): { readonly file: string; readonly text: string }[] {
  return (readdirSync(root + folder, { recursive: true }) as string[])
    .filter((file) => /\.[jt]s$/.test(file) && !/\.(?:test|d)\.ts$|node_modules|dist\//.test(file))
    .map((file) => ({ file: `${folder}/${file}`, text: readFileSync(`${root}${folder}/${file}`, "utf8") }));
}
