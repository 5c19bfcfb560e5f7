import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/**
 * The folder of outside tools; they are installed by `npm run tools -- tests/openapi`, and what needs them is skipped
 * where they are not.
 */
export const folder: string = fileURLToPath(new URL(".", import.meta.url));
export const isInstalled: boolean = existsSync(`${folder}node_modules/.package-lock.json`);
export const requireTool: NodeJS.Require = createRequire(`${folder}package.json`);

/** A Node that runs tools which need 22: this one, or one of those that the package is tested on. */
export const node22: string | undefined = [
  ...(Number(process.versions.node.split(".")[0]) >= 22 ? [process.execPath] : []),
  `${folder}../runtimes/node_modules/node22/bin/node`,
].find((path) => existsSync(path));

/** The browser of the system: none is downloaded. */
export const browserPath: string | undefined = [
  process.env["CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && existsSync(path));

/** Why nothing can be tested in a browser; null where it can. */
export const missing: string | null = !isInstalled
  ? "the tools are not installed: run `npm run tools -- tests/openapi`"
  : browserPath === undefined
    ? "there is no Chromium: install one, or name it by CHROMIUM"
    : null;

/** Of playwright-core, what is used here. */
export interface Browser {
  newContext(): Promise<Pick<Browser, "newPage">>;
  newPage(options?: object): Promise<Page>;
  close(): Promise<void>;
}
export interface Page {
  on(event: "console", listener: (message: { text(): string }) => void): void;
  on(event: "request", listener: (request: { url(): string }) => void): void;
  goto(url: string): Promise<unknown>;
  evaluate<T>(script: string): Promise<T>;
  screenshot(options: object): Promise<Uint8Array>;
  fill(selector: string, text: string): Promise<void>;
  click(selector: string): Promise<void>;
  locator(selector: string): Locator;
  waitForSelector(selector: string, options?: { state: "attached" | "visible" }): Promise<unknown>;
  setInputFiles(selector: string, path: string): Promise<void>;
  addInitScript(script: string): Promise<unknown>;
  close(): Promise<void>;
}
export interface Locator {
  count(): Promise<number>;
  innerText(): Promise<string>;
  inputValue(): Promise<string>;
  first(): Locator;
  click(): Promise<void>;
  waitFor(): Promise<void>;
}

/** Starts the browser. @param args what it is told besides. */
export function launchBrowser(...args: readonly string[]): Promise<Browser> {
  const { chromium } = requireTool("playwright-core") as { chromium: { launch(options: object): Promise<Browser> } };
  return chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", ...args] });
}
