import { mkdtempSync, readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Application } from "fingerpost";
import { listener } from "fingerpost/node";
import { openapi } from "fingerpost/openapi";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { app } from "./described.ts";
import { resources } from "./library.ts";
import { folder, launchBrowser, missing, requireTool, type Browser } from "./tools.ts";

if (missing !== null) console.warn(`The page of documents is not tested in a browser: ${missing}`);

describe.skipIf(missing !== null)("the page in Chromium", () => {
  let server: Server;
  let browser: Browser;
  let url: string;

  beforeAll(async () => {
    server = createServer(listener(app));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs`;
    browser = await launchBrowser();
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
    it(`C10.3 is accessible, readable without script, and not wider than the screen: ${name}`, async () => {
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
      await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
      await page.waitForSelector("#patchAdmin form");
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

  /** How a person makes a request from each page, and what shows the answer. */
  const pagesOfOthers = {
    scalar: {
      steps: ["button:has-text('Test Request'):has-text('/books') >> nth=0", "button:has-text('Send') >> nth=0"],
      answer: "text=Octavia E. Butler >> visible=true",
    },
    "swagger-ui": {
      steps: [
        "#operations-books-getBookList .opblock-summary-control",
        "#operations-books-getBookList .try-out__btn",
        "#operations-books-getBookList .execute",
      ],
      answer: "#operations-books-getBookList .live-responses-table >> text=Octavia E. Butler >> nth=0",
    },
  } as const;

  for (const name of ["scalar", "swagger-ui"] as const) {
    for (const release of ["3.1", "3.2"] as const) {
      it(`C10.3 is that of an installed package, which makes requests: ${name}, OpenAPI ${release}`, async () => {
        vi.spyOn(process, "cwd").mockReturnValue(folder);
        const options = { title: "Library", version: "1.0.0", page: name, openapiVersion: release } as const;
        const described = Application.builder()
          .resources(...resources, ...openapi(options))
          .build();
        vi.restoreAllMocks();
        const asked: string[] = [];
        const own = createServer((request, response) => {
          asked.push(`${request.method} ${request.url}`);
          void listener(described)(request, response);
        });
        await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
        onTestFinished(() => void own.close());
        const origin = `http://127.0.0.1:${(own.address() as AddressInfo).port}`;
        const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
        onTestFinished(() => page.close());
        const messages: string[] = [];
        const elsewhere: string[] = [];
        page.on("console", (message) => messages.push(message.text()));
        page.on("request", (request) => {
          if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(origin))
            elsewhere.push(request.url());
        });
        await page.goto(`${origin}/docs`);
        for (const step of pagesOfOthers[name].steps) await page.locator(step).click();
        await page.locator(pagesOfOthers[name].answer).first().waitFor();
        await page.screenshot({ path: join(shots, `${name} ${release}.png`) });
        expect(asked.filter((one) => one.startsWith("GET /books"))).toEqual(["GET /books?limit=20"]);
        expect(elsewhere).toEqual([]);
        expect(messages.filter((message) => !message.startsWith("@scalar/"))).toEqual([]);
      });
    }
  }
});
