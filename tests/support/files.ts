import { readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * The files in a folder and below, by their paths in it: not what is installed or built there, and not what links lead
 * to.
 */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isFile()) return [entry.name];
    if (!entry.isDirectory() || /^(?:node_modules|dist|\..*)$/.test(entry.name)) return [];
    return filesIn(join(folder, entry.name)).map((file) => `${entry.name}/${file}`);
  });
}
