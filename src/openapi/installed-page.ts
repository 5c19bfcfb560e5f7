import { contentTag } from "../fields/representation.ts";
import { builtinModule, type ModuleHost } from "../http/javascript/builtin-module.ts";
import { htmlText } from "./html-text.ts";

export type PageName = "scalar" | "swagger-ui";

/** A page of others, which a package brings along. */
interface PageOfOthers {
  readonly package: string;
  /** Files of the package, as seen from its main module. */
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  /** The script that starts the page. It finds the address of the document in the page. */
  readonly start: string;
  /** The sources that the page needs besides its own scripts. */
  readonly sources: string;
}

/**
 * What each page would load from elsewhere is turned off, and its policy allows no such thing either. Scalar adds
 * elements and attributes of style as it runs, which no hash can name.
 */
const pages: Readonly<Record<PageName, PageOfOthers>> = {
  scalar: {
    package: "@scalar/api-reference",
    scripts: ["browser/standalone.js"],
    styles: [],
    start: `Scalar.createApiReference("#page", {
  url: document.getElementById("page").dataset.document,
  withDefaultFonts: false, telemetry: false, hideClientButton: true, showDeveloperTools: "never",
  agent: { disabled: true }, mcp: { disabled: true },
});`,
    sources: "style-src 'unsafe-inline'",
  },
  "swagger-ui": {
    package: "swagger-ui-dist",
    scripts: ["swagger-ui-bundle.js"],
    styles: ["swagger-ui.css"],
    start: `SwaggerUIBundle({
  dom_id: "#page", url: document.getElementById("page").dataset.document, deepLinking: true, validatorUrl: null,
});`,
    sources: "style-src 'self'; img-src data:",
  },
};

export const pageNames: readonly PageName[] = Object.keys(pages) as PageName[];

/** What of the modules of Node is used here. Bun and Deno have them, too. */
interface NodeModules {
  readonly "node:module": { createRequire(from: string): { resolve(name: string): string } };
  readonly "node:fs": { readFileSync(path: string): Uint8Array<ArrayBuffer> };
  readonly "node:path": { join(...parts: readonly string[]): string; dirname(path: string): string };
}

/** The globals of a runtime, as far as they are asked. */
export interface PageHost extends ModuleHost {
  readonly process?: NonNullable<ModuleHost["process"]> & { cwd(): string };
}

/** What of a page differs between requests. */
interface PageParts {
  readonly title: string;
  readonly documentURL: string;
  /** What stands before the names of files, as seen from the page. */
  readonly folder: string;
}

export interface PageFile {
  readonly type: string;
  /** An entity tag, made of the bytes. */
  readonly etag: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * A page of others, served from the files of its package. The package is found when this is made, and a file is read
 * when a client first asks for it.
 */
export class InstalledPage {
  readonly #page: PageOfOthers;
  readonly #folder: string;
  readonly #host: PageHost;
  readonly #files = new Map<string, Promise<PageFile>>();

  /** @throws {TypeError} when the package is not installed, or the runtime has no files. */
  constructor(name: PageName, host: PageHost = globalThis as PageHost) {
    this.#page = pages[name];
    this.#host = host;
    const main = this.#main();
    if (main === null) {
      throw new TypeError(
        `Cannot describe the application: page "${name}" needs the installed package ${this.#page.package}; install ` +
          "it, or leave out page where there are no files, as on Workers",
      );
    }
    this.#folder = this.#node("node:path")!.dirname(main);
  }

  /** The names of the files that are served beside the page. */
  get files(): readonly string[] {
    return this.#paths.map(nameOf);
  }

  get #paths(): readonly string[] {
    return [...this.#page.scripts, ...this.#page.styles];
  }

  /** The script that the page has in it. */
  get start(): string {
    return this.#page.start;
  }

  /** The sources of a policy that the page needs besides its scripts. */
  get sources(): string {
    return this.#page.sources;
  }

  write({ title, documentURL, folder }: PageParts): string {
    const { styles, scripts, start } = this.#page;
    const addressOf = (path: string): string => htmlText(folder + nameOf(path));
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${htmlText(title)}</title>
${styles.map((path) => `<link rel="stylesheet" href="${addressOf(path)}">\n`).join("")}</head>
<body>
<div id="page" data-document="${htmlText(documentURL)}"></div>
<noscript><p>This page needs JavaScript. <a href="${htmlText(documentURL)}">OpenAPI document</a></p></noscript>
${scripts.map((path) => `<script src="${addressOf(path)}"></script>\n`).join("")}<script>${start}</script>
</body>
</html>
`;
  }

  /** Reads a file, the first time that it is asked for. One that cannot be read is looked for again. */
  read(name: string): Promise<PageFile> {
    const known = this.#files.get(name) ?? this.#read(name);
    this.#files.set(name, known);
    known.catch(() => this.#files.delete(name));
    return known;
  }

  async #read(name: string): Promise<PageFile> {
    const path = this.#paths.find((one) => nameOf(one) === name)!;
    const bytes = this.#node("node:fs")!.readFileSync(this.#node("node:path")!.join(this.#folder, path));
    const type = `text/${name.endsWith(".css") ? "css" : "javascript"}; charset=utf-8`;
    return { type, etag: await contentTag(bytes, type), bytes };
  }

  /** The main module of the package, which is beside this one, or in the application that runs. */
  #main(): string | null {
    const modules = this.#node("node:module");
    if (modules === undefined) return null;
    for (const from of [import.meta.url, `${this.#host.process!.cwd()}/`]) {
      try {
        return modules.createRequire(from).resolve(this.#page.package);
      } catch {
        // The package is not found from here, or this module has no address, as in a bundle.
      }
    }
    return null;
  }

  #node<Name extends keyof NodeModules>(name: Name): NodeModules[Name] | undefined {
    return builtinModule(name, this.#host) as NodeModules[Name] | undefined;
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
