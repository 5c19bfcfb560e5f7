// A person sends requests from the page of documents, in Chromium, under the page's own policy.
import { mkdtempSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Application, type Answer, bytes, events, reply, Resource, socket, text, type Call } from "fingerpost";
import { basic } from "fingerpost/middleware/basic";
import { bearer } from "fingerpost/middleware/bearer";
import { serve } from "fingerpost/node";
import { openapi } from "fingerpost/openapi";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { launchBrowser, missing, type Browser, type Page } from "./tools.ts";

const book = z.object({ title: z.string().min(1), pages: z.int().min(1) });

class Books extends Resource {
  paths = ["/books/:id"] as const;

  static GET = {
    path: z.object({ id: z.string() }),
    query: z.object({ tag: z.array(z.string()).default([]), long: z.enum(["yes", "no"]).optional() }),
    headers: z.object({ "x-lang": z.string().optional() }),
    200: z.object({ id: z.string(), tag: z.array(z.string()), long: z.string(), lang: z.string() }),
  };
  GET({ path, query, headers }: Call<typeof Books, "GET">) {
    return { id: path.id, tag: query.tag, long: query.long ?? "", lang: headers["x-lang"] ?? "" };
  }

  static PUT = { content: book, 200: book };
  PUT({ content }: Call<typeof Books, "PUT">) {
    return content;
  }
}

class Rest extends Resource {
  paths = ["/rest/:path+"] as const;

  static GET = { 200: text() };
  GET({ path }: Call<typeof Rest, "GET">): string {
    return path.path;
  }
}

class Others extends Resource {
  paths = ["/:other+"] as const;

  static GET = { query: z.object({ onsubmit: z.string() }), 200: text() };
  GET({ path, query }: Call<typeof Others, "GET">): string {
    return `${path.other}, ${query.onsubmit}`;
  }
}

class Guarded extends Resource {
  paths = ["/guarded"] as const;
  static middleware = [bearer({ tokens: { "a-long-random-token": "ada" } })];

  static GET = { 200: text() };
  GET(): string {
    return "inside";
  }
}

class Locked extends Resource {
  paths = ["/locked"] as const;
  static middleware = [basic({ realm: "locked", users: { ada: "pässword" } })];

  static GET = { 200: text() };
  GET(): string {
    return "unlocked";
  }
}

class Avatars extends Resource {
  paths = ["/avatar"] as const;

  static PUT = { content: { "multipart/form-data": z.object({ name: z.string(), picture: z.file() }) }, 200: text() };
  async PUT({ content }: Call<typeof Avatars, "PUT">): Promise<string> {
    return `${content.name}: ${await content.picture.text()}`;
  }

  static GET = { 200: bytes("image/png") };
  GET() {
    return new Uint8Array([137, 80, 78, 71]);
  }
}

let goOn: () => void;

class Ticks extends Resource {
  paths = ["/ticks"] as const;

  static GET = { 200: events(z.object({ tick: z.int() })) };
  async *GET(): AsyncGenerator<{ tick: number }> {
    yield { tick: 1 };
    await new Promise<void>((done) => (goOn = done));
    yield { tick: 2 };
  }
}

class Echo extends Resource {
  paths = ["/echo"] as const;

  static GET = { 101: socket({ receives: z.object({ say: z.string() }), sends: z.object({ said: z.string() }) }) };
  GET(_call: Call<typeof Echo, "GET">): Answer<typeof Echo, "GET"> {
    return reply(101, { message: (peer, { say }) => void peer.send({ said: say }) });
  }
}

const app = Application.builder()
  .resources(
    ...[Books, Rest, Others, Guarded, Locked, Avatars, Ticks, Echo],
    ...openapi({ title: "Trials", version: "1.0.0" }),
  )
  .build();

describe.skipIf(missing !== null)("a request from the page", () => {
  let server: Awaited<ReturnType<typeof serve>>;
  let url: string;
  let browser: Browser;
  let page: Page;
  const messages: string[] = [];

  beforeAll(async () => {
    server = await serve(app, { port: 0, hostname: "127.0.0.1" });
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs`;
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
  });
  beforeEach(async () => {
    messages.length = 0;
    page = await browser.newPage();
    page.on("console", (message) => messages.push(message.text()));
    await page.goto(url);
  });
  afterEach(() => page.close());

  const open = (id: string): Promise<void> => page.click(`#${id} .try summary`);
  const field = (id: string, name: string): string => `#${id} label [name="${name}"]`;
  const send = async (id: string): Promise<void> => page.click(`#${id} form button`);
  /** What the page says of the answer, and shows of its content. */
  const answer = async (id: string, until: string): Promise<string> => {
    await page.locator(`#${id} output:has-text("${until}")`).waitFor();
    return page.locator(`#${id} .try > pre >> nth=1`).innerText();
  };

  it("C10.3 fills in what the document says, and sends params, queries and fields", async () => {
    await open("getBooks");
    expect(await page.locator(field("getBooks", "id")).inputValue()).toBe("id");
    await page.fill(field("getBooks", "id"), "a b/c?d#e%");
    await page.fill(field("getBooks", "tag"), "x,y&z");
    await page.fill(field("getBooks", "x-lang"), "en");
    await send("getBooks");
    expect(JSON.parse(await answer("getBooks", "200 OK"))).toEqual({
      ...{ id: "a b/c?d#e%", tag: ["x", "y&z"], long: "", lang: "en" },
    });
    expect(messages).toEqual([]);
  });

  it("C10.3 sends the rest of a path with its slashes, and nothing that means another path", async () => {
    await open("getRest");
    await page.fill(field("getRest", "path"), "a b/c");
    await send("getRest");
    expect(await answer("getRest", "200 OK")).toBe("a b/c");
    await page.fill(field("getRest", "path"), "../guarded");
    await send("getRest");
    await page.locator(`#getRest output:has-text("path cannot be ../guarded")`).waitFor();
  });

  it("C10.3 sends nothing to another host, whatever a path begins with and a query is named", async () => {
    await open("getOthers");
    await page.fill(field("getOthers", "other"), "/other.example/a");
    await page.fill(field("getOthers", "onsubmit"), "none");
    await send("getOthers");
    expect(await answer("getOthers", "200 OK")).toBe("/other.example/a, none");
    expect(messages).toEqual([]);
  });

  it("C10.3 sends an example as content, and shows problems", async () => {
    await open("putBooks");
    expect(JSON.parse(await page.locator(field("putBooks", "content")).inputValue())).toEqual({
      ...{ title: "text", pages: 1 },
    });
    await send("putBooks");
    expect(JSON.parse(await answer("putBooks", "200 OK"))).toEqual({ title: "text", pages: 1 });
    await page.fill(field("putBooks", "content"), '{"title":"<img src=x>","pages":0}');
    await send("putBooks");
    expect(await answer("putBooks", "422")).toContain("#/pages");
    expect(messages.filter((message) => !message.includes("422"))).toEqual([]);
  });

  it("C10.3 keeps a token for the tab, and fills it in everywhere", async () => {
    await open("getGuarded");
    await send("getGuarded");
    expect(await answer("getGuarded", "401")).toContain('"status": 401');
    await page.fill(field("getGuarded", "token"), "a-long-random-token");
    await send("getGuarded");
    expect(await answer("getGuarded", "200 OK")).toBe("inside");
    await page.goto(`${url}?q=guarded`);
    await open("getGuarded");
    await send("getGuarded");
    expect(await answer("getGuarded", "200 OK")).toBe("inside");
  });

  it("C10.3 sends a user and a password, of any letters", async () => {
    await open("getLocked");
    await page.fill(field("getLocked", "basic"), "ada:pässword");
    await send("getLocked");
    expect(await answer("getLocked", "200 OK")).toBe("unlocked");
  });

  it("C10.3 sends files of forms, and saves bytes", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "fingerpost-try-")), "picture.png");
    writeFileSync(file, "drawn");
    await open("putAvatars");
    await page.fill(field("putAvatars", "name"), "Ada");
    await page.setInputFiles(field("putAvatars", "picture"), file);
    await send("putAvatars");
    expect(await answer("putAvatars", "200 OK")).toBe("Ada: drawn");
    await open("getAvatars");
    await send("getAvatars");
    expect(await page.locator("#getAvatars details a").innerText()).toBe("Save 4 bytes");
  });

  it("C10.3 shows events as they come, and stops", async () => {
    await open("getTicks");
    await send("getTicks");
    await page.locator(`#getTicks pre:has-text('"tick":1')`).waitFor();
    goOn();
    await page.locator(`#getTicks pre:has-text('"tick":2')`).waitFor();
    await send("getTicks");
    await page.locator(`#getTicks pre:has-text('"tick":1')`).waitFor();
    await page.click('#getTicks button:text-is("Stop")');
    await page.locator(`#getTicks output:has-text("Stopped")`).waitFor();
  });

  it("C10.3 connects a WebSocket, and talks by it", async () => {
    await open("getEcho");
    await send("getEcho");
    await page.click('#getEcho button:text-is("Send message")');
    expect(await answer("getEcho", "Open")).toContain('> {\n  "say": "text"\n}');
    await page.locator(`#getEcho pre:has-text('< {"said":"text"}')`).waitFor();
    await page.click('#getEcho button:text-is("Stop")');
    await page.locator(`#getEcho output:has-text("Closed: 1000")`).waitFor();
    // Of two connections the page has the second one, though the first one is closed after it is open.
    await page.evaluate(`{
      const { close } = WebSocket.prototype;
      WebSocket.prototype.close = function (code) { setTimeout(() => close.call(this, code), 300); };
    }`);
    await send("getEcho");
    await page.locator('#getEcho button:text-is("Send message")').waitFor();
    await send("getEcho");
    await page.locator(`#getEcho output:has-text("Open")`).waitFor();
    await new Promise((done) => setTimeout(done, 600));
    await page.click('#getEcho button:text-is("Send message")');
    await page.locator(`#getEcho pre:has-text('< {"said":"text"}')`).waitFor();
    expect(messages).toEqual([]);
  });
});
