import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Application, Resource, text } from "fingerpost";
import { openapi, type OpenAPIOptions } from "fingerpost/openapi";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { InstalledPage } from "./installed-page.ts";

const about = { title: "A & B", version: "1.0.0" };

class Greeting extends Resource {
  paths = ["/hello"] as const;
  static GET = { 200: text() };
  GET(): string {
    return "Hello";
  }
}

function applicationWith(options: Partial<OpenAPIOptions>): Application {
  return Application.builder()
    .resources(Greeting as never, ...openapi({ ...about, ...options }))
    .build();
}

describe("openapi({ page })", () => {
  const folder = mkdtempSync(join(tmpdir(), "fingerpost-pages-"));
  const files = {
    "swagger-ui-dist/index.js": "",
    "swagger-ui-dist/swagger-ui-bundle.js": "let swagger;",
    "swagger-ui-dist/swagger-ui.css": "p { margin: 0 }",
    "@scalar/api-reference/package.json": '{ "exports": { ".": "./dist/index.js" } }',
    "@scalar/api-reference/dist/index.js": "",
    "@scalar/api-reference/dist/browser/standalone.js": "let scalar;",
  };

  beforeAll(() => {
    for (const [path, content] of Object.entries(files)) {
      const file = join(folder, "node_modules", path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
    vi.spyOn(process, "cwd").mockReturnValue(folder);
  });
  afterAll(() => {
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });

  const get = (app: Application, path: string, headers: Record<string, string> = {}): Promise<Response> =>
    app.fetch(new Request(`http://localhost${path}`, { headers }));

  it("C10.3 serves the page of a package, and its files beside it", async () => {
    const app = applicationWith({ page: "swagger-ui" });
    const response = await get(app, "/docs");
    const page = await response.text();
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page).toContain("<title>A &amp; B</title>");
    expect(page).toContain('<link rel="stylesheet" href="docs/swagger-ui.css">');
    expect(page).toContain('<script src="docs/swagger-ui-bundle.js"></script>');
    expect(page).toContain('data-document="./openapi.json"');
    for (const [name, type, content] of [
      ["swagger-ui.css", "text/css; charset=utf-8", "p { margin: 0 }"],
      ["swagger-ui-bundle.js", "text/javascript; charset=utf-8", "let swagger;"],
    ]) {
      const file = await get(app, `/docs/${name}`);
      expect([file.headers.get("content-type"), await file.text()]).toEqual([type, content]);
    }
    const described = (await (await get(app, "/openapi.json")).json()) as { paths: object };
    expect(Object.keys(described.paths)).toEqual(["/hello"]);
  });

  it("C10.3 allows scripts of its own, by the page's hash one more, and requests to where the API is", async () => {
    const servers = ["https://api.example.org/v1", "/here", "https://{region}.example.org", "urn:api"];
    const swagger = await get(applicationWith({ page: "swagger-ui", servers }), "/docs");
    expect(swagger.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; script-src 'self' 'sha256-[\w+/]{43}='; style-src 'self'; img-src data:; connect-src 'self' https:\/\/api\.example\.org; form-action 'none'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    const scalar = await get(applicationWith({ page: "scalar" }), "/docs");
    expect(scalar.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; script-src 'self' 'sha256-[\w+/]{43}='; style-src 'unsafe-inline'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(await scalar.text()).toContain('<script src="docs/standalone.js"></script>');
  });

  it("C10.3 answers 304 to a client that has a file, and 412 to one that needs another", async () => {
    const app = applicationWith({ page: "scalar" });
    const etag = (await get(app, "/docs/standalone.js")).headers.get("etag")!;
    expect((await get(app, "/docs/standalone.js", { "if-none-match": etag })).status).toBe(304);
    expect((await get(app, "/docs/standalone.js", { "if-match": '"other"' })).status).toBe(412);
  });

  it("C10.3 looks again for a file that could not be read", async () => {
    const app = applicationWith({ page: "scalar" });
    const file = join(folder, "node_modules/@scalar/api-reference/dist/browser/standalone.js");
    renameSync(file, `${file}.away`);
    expect((await get(app, "/docs/standalone.js")).status).toBe(500);
    renameSync(`${file}.away`, file);
    expect(await (await get(app, "/docs/standalone.js")).text()).toBe("let scalar;");
  });

  it("C10.3 finds files and document from a path with a trailing slash, and from the root", async () => {
    const slashed = await (await get(applicationWith({ page: "scalar" }), "/docs/")).text();
    expect(slashed).toContain('src="standalone.js"');
    expect(slashed).toContain('data-document="../openapi.json"');
    const app = applicationWith({ page: "scalar", docsPath: "/" });
    const root = await (await get(app, "/")).text();
    expect(root).toContain('src="standalone.js"');
    expect(root).toContain('data-document="./openapi.json"');
    expect((await get(app, "/standalone.js")).status).toBe(200);
    const own = await (await get(applicationWith({}), "/docs/")).text();
    expect(own).toContain('href="../openapi.json"');
  });

  it("C10.3 keeps the page of this package where the option is left out, whatever is installed", async () => {
    expect(await (await get(applicationWith({}), "/docs")).text()).not.toContain("<script src");
    expect((await get(applicationWith({}), "/docs/standalone.js")).status).toBe(404);
  });

  it("C10.3 says which package is missing, and refuses other names", () => {
    vi.mocked(process.cwd).mockReturnValueOnce(tmpdir());
    const missing =
      'Cannot describe the application: page "scalar" needs the installed package @scalar/api-reference; install it, ' +
      "or leave out page where there are no files, as on Workers";
    expect(() => openapi({ ...about, page: "scalar" })).toThrow(missing);
    for (const host of [{}, { process: { cwd: () => "/" } }])
      expect(() => new InstalledPage("scalar", host)).toThrow(missing);
    expect(() => openapi({ ...about, page: "fingerpost" })).not.toThrow();
    for (const page of ["redoc", null, "toString"])
      expect(() => openapi({ ...about, page: page as never })).toThrow(
        'Cannot describe the application: expected page to be "fingerpost", "scalar" or "swagger-ui", got ',
      );
  });
});
