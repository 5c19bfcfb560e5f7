// Notes in a real browser, as `npm start` serves them: an account, a picture, changes that come by a WebSocket, or by
// events where none passes, and a process that is told to end.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../tests/support/sockets.ts";
import { launchBrowser, missing as missingTool, type Browser, type Page } from "../../tests/openapi/tools.ts";

const program = fileURLToPath(new URL("dist/server/main.js", import.meta.url));
const missing = existsSync(program) ? missingTool : "the example is not compiled: run `npm start` there";
if (missing !== null) console.warn(`Notes are not tested in a browser: ${missing}`);

/** Has a page break off its connection, as a network does. */
const breakable = `window.WebSocket = class extends WebSocket {
  constructor(...given) {
    super(...given);
    this.addEventListener("close", (event) => event.isTrusted && event.stopImmediatePropagation());
    window.breakOff = () => {
      this.close();
      this.dispatchEvent(new CloseEvent("close", { code: 1006 }));
    };
  }
}`;

describe.skipIf(missing !== null)("notes in Chromium", () => {
  const folder = mkdtempSync(join(tmpdir(), "fingerpost-notes-"));
  const picture = join(folder, "ada.png");
  let child: ChildProcess;
  let exited: Promise<unknown[]>;
  let browser: Browser;
  let origin: string;
  let log = "";

  beforeAll(async () => {
    const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    writeFileSync(picture, Buffer.from(pixel, "base64"));
    const port = await freePort();
    // A name that browsers trust without TLS: the cookie of the session is sent to no other.
    origin = `http://localhost:${port}`;
    const env = { ...process.env, PORT: String(port), HOST: "127.0.0.1", FILES: join(folder, "files") };
    child = spawn(process.execPath, [program], { env, stdio: ["ignore", "pipe", "inherit"] });
    exited = once(child, "exit");
    await new Promise<void>((resolve) => {
      child.stdout!.setEncoding("utf8").on("data", (text: string) => {
        log += text;
        if (log.includes("/app/")) resolve();
      });
    });
    browser = await launchBrowser();
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    child?.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });

  const credentials = { email: "ada@example.com", password: "correct horse" };
  async function enter(page: Page, how: "up" | "in"): Promise<void> {
    await page.goto(`${origin}/app/`);
    await page.fill("[name=email]", credentials.email);
    await page.fill("[name=password]", credentials.password);
    await page.click(`button[value=${how}]`);
    await page.waitForSelector("#who:has-text('ada@example.com')");
  }
  const listed = (page: Page): Promise<string[]> =>
    page.evaluate("[...document.querySelectorAll('#notes li')].map((item) => item.firstChild.textContent)");

  it("shows what another window changes, by a WebSocket and by events, and leaves when it is told", async () => {
    const [one, two] = [await browser.newPage(), await browser.newPage()];
    const messages: string[] = [];
    one.on("console", (message) => messages.push(message.text()));
    await enter(one, "up");
    await two.addInitScript(breakable);
    await enter(two, "in");
    // No WebSocket passes here, as behind some proxies.
    const three = await browser.newPage();
    await three.addInitScript(
      "window.WebSocket = class { addEventListener(name, act) { if (name === 'close') setTimeout(act) } }",
    );
    await enter(three, "in");
    await one.fill("[name=title]", "<b>Milk</b>");
    await one.click("#add button");
    for (const page of [one, two, three]) await page.waitForSelector("#notes li:has-text('<b>Milk</b>')");
    await two.click("#notes li button");
    for (const page of [one, two, three]) await page.waitForSelector("#notes:not(:has(li))", { state: "attached" });
    expect(await listed(one)).toEqual([]);
    expect(["101", "200"].map((status) => log.split(`GET /live ${status} `).length - 1)).toEqual([2, 1]);
    // What is added while a window has no connection is there when it has one again.
    await two.evaluate("breakOff()");
    await one.fill("[name=title]", "Bread");
    await one.click("#add button");
    await two.waitForSelector("#notes li:has-text('Bread')");
    await one.setInputFiles("[name=picture]", picture);
    await one.click("#avatar button");
    await one.waitForSelector("#picture:not([hidden])");
    expect(messages.filter((text) => !text.includes("404"))).toEqual([]);

    // Another origin gets no socket, though the browser would send the cookie of the session.
    const stranger = await browser.newPage();
    await stranger.goto(origin.replace("localhost", "127.0.0.1") + "/session");
    const outcome = await stranger.evaluate<string>(
      `new Promise((done) => { const s = new WebSocket("${origin.replace("http", "ws")}/live"); s.onopen = () => done("open"); s.onclose = () => done("closed"); })`,
    );
    expect(outcome).toBe("closed");

    // Who signs out in one window is out in the others, too.
    const shared = await browser.newContext();
    const [four, five] = [await shared.newPage(), await shared.newPage()];
    await enter(four, "in");
    await five.goto(`${origin}/app/`);
    await five.waitForSelector("#inside:not([hidden])");
    await five.click("#leave");
    for (const page of [four, five]) await page.waitForSelector("#entrance:not([hidden])");

    child.kill("SIGTERM");
    expect(await exited).toEqual([0, null]);
  });
});
