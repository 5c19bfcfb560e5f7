// What readers of others show of the scopes that an operation needs: two pages of documents in Chromium, and two
// generators of clients. OpenAPI has scopes of any scheme; pages show those of OAuth alone, so that 403 says them, too.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { Application, Resource, ResourceGroup, text } from "fingerpost";
import { bearer } from "fingerpost/middleware/bearer";
import { listener } from "fingerpost/node";
import { document, openapi } from "fingerpost/openapi";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { folder, isInstalled, launchBrowser, missing, requireTool, type Browser } from "./tools.ts";

class Note extends Resource {
  paths = ["/notes/:id"] as const;

  static PUT = { id: "putNote", scopes: ["notes:write"], content: text(), 204: "Stored" };
  override PUT(): void {}
}
const guard = bearer<readonly string[]>({ tokens: { key: ["notes:write"] }, scopesOf: (scopes) => scopes });
const notes = ResourceGroup.builder().middleware(guard).resources(Note).build();
const about = { title: "Notes", version: "1.0.0" };

describe.skipIf(missing !== null)("scopes on pages of others", () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser();
  }, 60_000);
  afterAll(() => browser?.close());

  for (const page of ["swagger-ui", "scalar"] as const) {
    for (const release of ["3.1", "3.2"] as const) {
      it(`C23.2 are shown by ${page}, OpenAPI ${release}`, async () => {
        vi.spyOn(process, "cwd").mockReturnValue(folder);
        const app = Application.builder()
          .resources(notes, ...openapi({ ...about, page, openapiVersion: release }))
          .build();
        vi.restoreAllMocks();
        const server = createServer(listener(app));
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        onTestFinished(() => void server.close());
        const opened = await browser.newPage({ viewport: { width: 1280, height: 900 } });
        onTestFinished(() => opened.close());
        await opened.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/docs`);
        const control =
          page === "scalar" ? "button:has-text('403') >> nth=0" : "[id$=putNote] .opblock-summary-control";
        await opened.locator(control).click();
        await opened.locator("text=A scope lacks: notes:write is needed >> visible=true").first().waitFor();
      });
    }
  }
});

describe.skipIf(!isInstalled)("scopes in clients that others generate", () => {
  it("C23.2 are kept by openapi-typescript and hey-api", () => {
    const out = mkdtempSync(join(folder, "node_modules", ".scopes-"));
    onTestFinished(() => rmSync(out, { recursive: true }));
    const written = document(Application.builder().resources(notes).build(), about);
    expect(written.paths["/notes/{id}"]!["put"]!.security).toEqual([{ bearer: ["notes:write"] }]);
    writeFileSync(join(out, "document.json"), JSON.stringify(written));
    for (const [name, file, ...args] of [
      ["openapi-typescript", "bin/cli.js", "document.json", "-o", "types.ts"],
      ["@hey-api/openapi-ts", "bin/run.js", "-i", "document.json", "-o", "client", "--silent"],
    ] as const) {
      const tool = join(dirname(requireTool.resolve(`${name}/package.json`)), file);
      const { status, stdout, stderr } = spawnSync(process.execPath, [tool, ...args], { cwd: out, encoding: "utf8" });
      expect(status, stdout + stderr).toBe(0);
    }
    for (const file of ["types.ts", "client/types.gen.ts"])
      expect(readFileSync(join(out, file), "utf8"), file).toContain("A scope lacks: notes:write is needed");
    expect(readFileSync(join(out, "client/sdk.gen.ts"), "utf8")).toContain("scheme: 'bearer'");
  });
});
