import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/** The folder of outside tools; they are installed by `npm ci` in it, and what needs them is skipped where they are not. */
export const folder: string = fileURLToPath(new URL(".", import.meta.url));
export const isInstalled: boolean = existsSync(`${folder}node_modules/.package-lock.json`);
export const requireTool: NodeJS.Require = createRequire(`${folder}package.json`);

/** The browser of the system: none is downloaded. */
export const browserPath: string | undefined = [
  process.env["CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && existsSync(path));
