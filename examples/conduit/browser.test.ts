// The page of new articles in a real browser: what another user publishes comes without a reload, also over a restart
// of the server.
import { once } from "node:events";
import { existsSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { client } from "fingerpost/client";
import { serve } from "fingerpost/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser, missing as missingTool, type Browser } from "../../tests/openapi/tools.ts";
import type { Api, conduit } from "./application.ts";
import type { Database } from "./database.ts";

const hasPackages = existsSync(fileURLToPath(new URL("node_modules", import.meta.url)));
const missing = hasPackages ? missingTool : "the example is not installed: run `npm run tools -- examples/conduit`";
if (missing !== null) console.warn(`The live feed is not tested in a browser: ${missing}`);

describe.skipIf(missing !== null)("the live feed in Chromium", () => {
  let database: Database;
  let app: ReturnType<typeof conduit>;
  let browser: Browser;
  let listen: (port: number) => Promise<{ server: Server; stop: AbortController; origin: string }>;

  beforeAll(async () => {
    database = await (await import("./database.ts")).openDatabase(undefined);
    const { openShared } = await import("./shared.ts");
    const { address } = await import("./guards.ts");
    app = (await import("./application.ts")).conduit(database, await openShared(database));
    listen = async (port) => {
      const stop = new AbortController();
      const server = await serve(app, { port, hostname: "127.0.0.1", signal: stop.signal, address });
      return { server, stop, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    };
    browser = await launchBrowser();
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await database?.close();
  });

  it("shows what another user publishes, and what was published while the server was away, each once", async () => {
    const first = await listen(0);
    const { origin } = first;
    const user = { username: "ada", email: "ada@example.com", password: "a long password" };
    const { user: ada } = (await client<Api>(origin)["/api/users"].POST({ content: { user } })).orThrow();
    const headers = { authorization: `Token ${ada.token}` };
    const publish = (title: string, options = {}) =>
      client<Api>(origin, { headers, ...options })["/api/articles"].POST({
        content: { article: { title, description: "New", body: "New" } },
      });
    const page = await browser.newPage();
    const messages: string[] = [];
    page.on("console", (message) => messages.push(message.text()));
    const shown = () => page.evaluate<string[]>("[...document.querySelectorAll('li')].map((item) => item.textContent)");

    await publish("Before");
    await page.goto(`${origin}/live/`);
    await page.waitForSelector("li:has-text('Before, by ada')");
    await page.waitForSelector("[role=status]:has-text('Connected')");
    // What is text stays text.
    await publish("<b>One</b>");
    await page.waitForSelector("li:has-text('<b>One</b>, by ada')");
    await publish("Two");
    await page.waitForSelector("li:has-text('Two, by ada')");
    expect(messages).toEqual([]);

    const closed = once(first.server, "close");
    first.stop.abort();
    await closed;
    await page.waitForSelector("[role=status]:has-text('Connecting again')");
    const { address } = await import("./guards.ts");
    const away = await publish("Meanwhile", {
      fetch(request: Request) {
        address.set(request, "127.0.0.1");
        return app.fetch(request);
      },
    });
    expect(away.status).toBe(201);
    const second = await listen(Number(new URL(origin).port));
    await page.waitForSelector("li:has-text('Meanwhile, by ada')");
    await publish("After");
    await page.waitForSelector("li:has-text('After, by ada')");
    expect(await shown()).toEqual(
      ["After", "Meanwhile", "Two", "<b>One</b>", "Before"].map((title) => `${title}, by ada`),
    );
    second.stop.abort();
    await once(second.server, "close");
  });
});
