import { mkdtempSync, readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listener } from "fingerpost/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { app } from "./described.ts";
import { browserPath, isInstalled, requireTool } from "./tools.ts";

/** Of playwright-core, what is used here. */
interface Browser {
  newPage(options: object): Promise<Page>;
  close(): Promise<void>;
}
interface Page {
  on(event: string, listener: (message: { text(): string }) => void): void;
  goto(url: string): Promise<unknown>;
  evaluate<T>(script: string): Promise<T>;
  screenshot(options: object): Promise<Uint8Array>;
  fill(selector: string, text: string): Promise<void>;
  click(selector: string): Promise<void>;
  locator(selector: string): { count(): Promise<number>; innerText(): Promise<string> };
  close(): Promise<void>;
}

const missing = !isInstalled
  ? "the tools are not installed: run `npm ci` in tests/openapi"
  : browserPath === undefined
    ? "there is no Chromium: install one, or name it by CHROMIUM"
    : null;
if (missing !== null) console.warn(`The page of documents is not tested in a browser: ${missing}`);

describe.skipIf(missing !== null)("the page in Chromium", () => {
  let server: Server;
  let browser: Browser;
  let url: string;

  beforeAll(async () => {
    server = createServer(listener(app));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs`;
    const { chromium } = requireTool("playwright-core") as {
      chromium: { launch(options: object): Promise<Browser> };
    };
    browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
  });

  afterAll(async () => {
    await browser.close();
    server.close();
  });

  const shots = process.env["SHOTS"] ?? mkdtempSync(join(tmpdir(), "fingerpost-docs-"));
  const axe = (): string => readFileSync(requireTool.resolve("axe-core/axe.min.js"), "utf8");

  for (const [name, options] of Object.entries({
    light: { colorScheme: "light", viewport: { width: 1280, height: 900 } },
    dark: { colorScheme: "dark", viewport: { width: 1280, height: 900 } },
    phone: { colorScheme: "light", viewport: { width: 360, height: 740 } },
    "dark phone": { colorScheme: "dark", viewport: { width: 360, height: 740 } },
  })) {
    it(`C10.3 is accessible, without script, and not wider than the screen: ${name}`, async () => {
      const plain = await browser.newPage({ ...options, javaScriptEnabled: false });
      const messages: string[] = [];
      plain.on("console", (message) => messages.push(message.text()));
      await plain.goto(url);
      expect(await plain.locator("article").count()).toBe(17);
      await plain.screenshot({ path: join(shots, `${name}.png`), clip: { x: 0, y: 0, ...options.viewport } });
      await plain.close();
      // axe is a script, which the policy of the page does not let in.
      const page = await browser.newPage({ ...options, bypassCSP: true });
      await page.goto(url);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      await page.evaluate(axe());
      const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
        "axe.run()",
      );
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`)).toEqual([]);
      await page.close();
      expect(messages).toEqual([]);
    });
  }

  it("C10.3 searches without script, and its policy is kept to", async () => {
    const page = await browser.newPage({ javaScriptEnabled: false });
    const messages: string[] = [];
    page.on("console", (message) => messages.push(message.text()));
    await page.goto(url);
    await page.fill("#q", "cover put");
    await page.click("form button");
    expect(await page.locator("[role=status]").innerText()).toBe("1 of 17 operations for “cover put”. Show all");
    expect(await page.locator("article").count()).toBe(1);
    await page.screenshot({ path: join(shots, "search.png") });
    expect(messages).toEqual([]);
    await page.close();
  });
});
