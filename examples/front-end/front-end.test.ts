import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { listener } from "fingerpost/node";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserPath, isInstalled, requireTool } from "../../tests/openapi/tools.ts";
import { readingList } from "../quickstart/reading-list.ts";
import { application } from "../quickstart/semantics/application.ts";

/** Of playwright-core, what is used here. */
interface Browser {
  newPage(): Promise<Page>;
  close(): Promise<void>;
}
interface Page {
  goto(url: string): Promise<unknown>;
  fill(selector: string, text: string): Promise<void>;
  click(selector: string): Promise<void>;
  waitForSelector(selector: string): Promise<unknown>;
  locator(selector: string): { innerText(): Promise<string> };
}

const root = fileURLToPath(new URL(".", import.meta.url));
const src = fileURLToPath(new URL("../../src/", import.meta.url));
const outDir = mkdtempSync(join(tmpdir(), "fingerpost-front-end-"));
afterAll(() => rmSync(outDir, { recursive: true }));

beforeAll(async () => {
  await build({
    root,
    configFile: join(root, "vite.config.ts"),
    logLevel: "silent",
    resolve: { alias: [{ find: /^fingerpost\/client$/, replacement: `${src}client.ts` }] },
    build: { outDir, emptyOutDir: true },
  });
});

function fileOf(path: string): Buffer | null {
  const name = path === "/" ? "index.html" : path.slice(1);
  return (readdirSync(outDir, { recursive: true }) as string[]).includes(name)
    ? readFileSync(join(outDir, name))
    : null;
}

describe("the front end", () => {
  it("C11.1 has the client in its bundle, and no code of the server", () => {
    const scripts = (readdirSync(outDir, { recursive: true }) as string[]).filter((file) => file.endsWith(".js"));
    const code = scripts.map((file) => readFileSync(join(outDir, file), "utf8")).join("\n");
    expect(code).toContain("/books");
    expect(code).toContain("Cannot use the answer to");
    expect(code).not.toMatch(/Kindred|No book has this id|Cannot add a|Not Implemented|zod/i);
    expect(code.length).toBeLessThan(7_052);
  });

  it.skipIf(!isInstalled || browserPath === undefined)("C11.1 lists and adds books in Chromium", async () => {
    readingList.reset();
    const api = listener(application);
    const server: Server = createServer((request, response) => {
      const file = fileOf(request.url!);
      if (file === null) {
        request.url = request.url!.slice("/api".length);
        return void api(request, response);
      }
      const type = request.url === "/" ? "text/html" : "text/javascript";
      response.writeHead(200, { "content-type": type }).end(file);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { chromium } = requireTool("playwright-core") as { chromium: { launch(options: object): Promise<Browser> } };
    const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      await page.waitForSelector("li");
      expect(await page.locator("ul").innerText()).toContain("Kindred by Octavia Butler");
      await page.fill("[name=title]", "Emma");
      await page.fill("[name=author]", "Jane Austen");
      await page.click("button");
      await page.waitForSelector("li:nth-child(4)");
      expect(await page.locator("output").innerText()).toBe("Added Emma");
      await page.fill("[name=title]", "");
      await page.click("button");
      await page.waitForSelector("output:has-text('does not fit')");
    } finally {
      await browser.close();
      server.close();
    }
  });
});
