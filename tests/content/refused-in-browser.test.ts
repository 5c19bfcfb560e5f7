// Chromium receives a 413 while it still writes, by fetch() and by a form. scripts/check/document-tools.js installs
// what that takes.
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Application, Resource as DeclaringResource, bytes, form, reply, upload, type Answer } from "fingerpost";
import { memory } from "fingerpost/files";
import { Resource, Response } from "fingerpost/native";
import { serve } from "fingerpost/node";
import { describe, expect, it, onTestFinished } from "vitest";
import { launchBrowser, missing } from "../openapi/tools.ts";
import { portOf } from "../support/sockets.ts";

if (missing !== null) console.warn(`No browser is tested to receive 413: ${missing}`);

class Page extends Resource {
  paths = ["/"] as const;
  GET(): Response {
    const html =
      '<form method="post" action="/covers" enctype="multipart/form-data"><input type="file" ' +
      'name="cover"><button>Send</button></form>';
    return new Response(html, { headers: { "content-type": "text/html" } });
  }
}

class Covers extends DeclaringResource {
  override paths = ["/covers"] as const;
  static POST = { content: form({ cover: upload({ maxBytes: 100_000, to: memory() }) }), 204: "Stored" };
  override POST(): Answer<typeof Covers, "POST"> {
    return reply(204);
  }
}

class Raw extends DeclaringResource {
  override paths = ["/raw"] as const;
  static POST = { content: bytes("application/octet-stream", { maxBytes: 100_000 }), 204: "Stored" };
  override POST(): Answer<typeof Raw, "POST"> {
    return reply(204);
  }
}

/** Sends bytes as they are, or as the file of a form, and returns the status and the problem that come. */
const byFetch = (size: number, path: string) => `(async () => {
  const blob = new Blob([new Uint8Array(${size})], { type: "application/octet-stream" });
  const form = new FormData();
  form.set("cover", blob, "cover.bin");
  const response = await fetch("${path}", { method: "POST", body: "${path}" === "/raw" ? blob : form });
  return [response.status, (await response.json()).detail];
})()`;

const ofRaw = "The content is longer than 100000 bytes";
const ofFile = 'The file "cover" is longer than 100000 bytes';
const ofForm = "The form is longer than 10485760 bytes";

describe.skipIf(missing !== null)("C16.3 Chromium, which still writes", () => {
  it("receives the 413 by fetch() and by a form", { timeout: 60_000 }, async () => {
    const stop = new AbortController();
    const app = Application.builder().resources(Page, Covers, Raw).build();
    const server = await serve(app, { port: 0, signal: stop.signal });
    onTestFinished(() => stop.abort());
    const folder = mkdtempSync(join(tmpdir(), "fingerpost-browser-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const url = `http://127.0.0.1:${portOf(server)}`;
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(url);
      for (const size of [200_000, 20_000_000, 200_000_000]) {
        for (const [path, detail] of [
          ["/raw", ofRaw],
          ["/covers", size === 200_000 ? ofFile : ofForm],
        ] as const) {
          expect(await page.evaluate(byFetch(size, path)), `${size} bytes to ${path}`).toEqual([413, detail]);
        }
      }
      const file = join(folder, "cover.bin");
      writeFileSync(file, "");
      truncateSync(file, 20_000_000);
      await page.setInputFiles("input", file);
      await page.click("button");
      const shown = () => page.evaluate<string>("document.documentElement.innerText");
      await expect.poll(shown, { timeout: 20_000 }).toContain(JSON.stringify({ status: 413, detail: ofForm }).slice(1));
    } finally {
      await browser.close();
    }
  });
});
