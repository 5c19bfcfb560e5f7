import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build, type Format } from "esbuild";
import * as native from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import { afterAll, describe, expect, it } from "vitest";
import { Resource as CoreResource } from "../../src/application/resource.ts";
import { chains, statusOf, thrownBy, type Handled } from "../support/chains.ts";
import { filesIn } from "../support/files.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const manifest = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
const scratch = mkdtempSync(join(tmpdir(), "fingerpost-"));
afterAll(() => rmSync(scratch, { recursive: true }));

const modules = ["http.native", "http.polyfill"] as const;
const exported = [
  "Application",
  "Attribute",
  "HTTPError",
  "Middleware",
  "Resource",
  "ResourceGroup",
  "Status",
  "statusOf",
];

/** C1.6: the native module has a `Response`, too. */
function exportedBy(module: string): string[] {
  return module === "http.native" ? [...exported, "Response"].toSorted() : exported;
}

/** One module with all it imports; an import that is not ours could not be resolved. */
async function bundleOf(module: string, format: Format): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`${root}src/modules/${module}.ts`],
    bundle: true,
    write: false,
    format,
    globalName: "chain",
    platform: "neutral",
    target: "es2022",
  });
  return outputFiles[0]!.text;
}

describe("the package", () => {
  it("C1.1 is fingerpost 3.0.0-rc.N, MIT, ESM only, for Node 20.19 and later", () => {
    expect(manifest).toMatchObject({ name: "fingerpost", license: "MIT", type: "module" });
    expect(manifest.version).toMatch(/^3\.0\.0-rc\.\d+$/);
    expect(manifest.engines).toEqual({ node: ">=20.19" });
    expect(Object.keys(manifest.exports)).toEqual(
      expect.arrayContaining(["./modules/http.native.js", "./modules/http.polyfill.js", "./package.json"]),
    );
  });

  it("C1.1 has no dependencies", () => {
    expect(manifest.dependencies).toBeUndefined();
    for (const name of Object.keys(manifest.peerDependencies ?? {})) {
      expect(manifest.peerDependenciesMeta[name]).toEqual({ optional: true });
    }
  });

  it.each(modules)("C1.1 %s can be required", async (module) => {
    const file = join(scratch, `${module}.mjs`);
    writeFileSync(file, await bundleOf(module, "esm"));
    const script = `console.log(Object.keys(require(${JSON.stringify(file)})).sort().join())`;
    const output = execFileSync(process.execPath, ["--no-warnings", "-e", script], { encoding: "utf8" });
    expect(output.trim()).toBe(exportedBy(module).join());
  });

  it.each(modules)(
    "C1.1 %s needs nothing but ECMAScript and Web-standard globals, and no code generation",
    async (module) => {
      const source = await bundleOf(module, "iife");
      const web = { URL, URLSearchParams, Headers, Request, Response };
      const realm = createContext({ ...web }, { codeGeneration: { strings: false, wasm: false } });
      const answer = await runInContext(
        `${source}
      const { Application, Resource, ResourceGroup, Middleware } = chain;
      class Pass extends Middleware { ALL(input) { return this.next(input); } }
      class Item extends Resource {
        paths = ["/:id?", "/x/(\\\\d+)", "/v:major-:minor(\\\\d+)/*"];
        GET({ params }) { return params.pathParam("id") + params.queryParam("q"); }
      }
      const group = ResourceGroup.builder().resources(Item).prefix("/a").middleware(Pass).build();
      Application.builder().resources(group).build().handle({ url: "/a/%41?q=b", method: "GET" });`,
        realm,
      );
      expect(answer).toBe("Ab");
    },
  );

  it.each(modules)("C1.1 %s patches no global", async (module) => {
    const source = await bundleOf(module, "iife");
    const realm = createContext({ URL, URLSearchParams, Headers, Request, Response });
    const inventory = `JSON.stringify(Object.getOwnPropertyNames(globalThis).flatMap((name) => {
      const value = globalThis[name];
      const owners = typeof value === "function" || typeof value === "object" ? [value, value?.prototype] : [];
      return [name, ...owners.flatMap((owner) => owner == null ? [] : Reflect.ownKeys(owner).map(String))];
    }))`;
    const before = JSON.parse(runInContext(inventory, realm) as string);
    runInContext(`(() => { ${source} })()`, realm);
    expect(JSON.parse(runInContext(inventory, realm) as string)).toEqual(before);
  });

  it.each(modules)("C1.1 %s has no eval, no new Function, no URLPattern", async (module) => {
    expect(await bundleOf(module, "esm")).not.toMatch(/\beval\b|\bnew Function\b|\bURLPattern\b/);
  });

  // C1.1 runs unchanged on Bun, Deno and Cloudflare Workers: tests/runtimes.
});

describe("the chains", () => {
  it("C1.2 C1.6 export the same names, but for Response of the native module", () => {
    expect(Object.keys(native).toSorted()).toEqual(exportedBy("http.native"));
    expect(Object.keys(polyfill).toSorted()).toEqual(exported);
  });

  it("C1.2 native handlers take a Request and return a Response", async () => {
    class Greeting extends native.Resource {
      paths = ["/hello/:name"];
      GET(request: Handled): Response {
        return new Response(`Hello, ${request.params.pathParam("name")}`);
      }
    }
    const app = native.Application.builder().resources(Greeting).build();
    const response = await app.handle(new Request("https://example.com/hello/Ada"));
    expect(await response.text()).toBe("Hello, Ada");
  });

  it("C1.2 polyfill handlers take a context and write to its response", async () => {
    class Greeting extends polyfill.Resource {
      paths = ["/hello/:name"];
      GET(context: Handled & { response: { body: string } }): void {
        context.response.body = `Hello, ${context.params.pathParam("name")}`;
      }
    }
    const app = polyfill.Application.builder().resources(Greeting).build();
    const response = { body: "" };
    await app.handle({ url: "/hello/Ada", method: "GET", response });
    expect(response.body).toBe("Hello, Ada");
  });

  it("C1.2 behave identically for the same URL and method", async () => {
    const outcomes = await Promise.all(
      chains.map(async ({ Application, Resource }) => {
        class Home extends Resource {
          paths = ["/"];
          GET(input: Handled): unknown {
            return input.params.pattern;
          }
        }
        class Item extends Resource {
          paths = ["/items/:id?", "/files/*"];
          GET({ params }: Handled): unknown {
            return [params.pattern, params.pathParam("id"), params.pathParam("0"), params.queryParams("q")];
          }
        }
        const app = Application.builder().resources(Home, Item).build();
        return Promise.all(requests.map(([method, url]) => statusOf(app.handle({ method, url }))));
      }),
    );
    expect(outcomes[0]).toEqual(outcomes[1]);
    expect(new Set(outcomes[0]!.filter((outcome) => typeof outcome === "number"))).toEqual(
      new Set([400, 404, 414, 501]),
    );
  });
});

const targets =
  "/ /? //x * h:80 http://h http://h?q=1 http://u:p@h:1/items/7?q=1&q=2#f HTTP://H/items/ /items /items/7 " +
  "/items/%37/ /items//7 " +
  "/items/a%2Fb /items/%ff /items/./7 /%2e%2e/items/7 \\items\\7 /\\items/7 /files /files/ /files/a/b http://[::1/ " +
  "http://h:99999/ /__proto__";
const requests = ["GET", "POST", "get", "PURGE", "constructor", ""].flatMap((method) =>
  [...targets.split(" "), "", "/é", "/items/\t7", `/${"x".repeat(8192)}`].map((url) => [method, url] as const),
);

describe.each(chains)("$name", (chain) => {
  const buildWith = (Class: unknown) => () =>
    chain.Application.builder()
      .resources(Class as never)
      .build();
  const other = chains.find(({ name }) => name !== chain.name)!;

  it("C1.3 has a base Resource of its own that extends the core one", () => {
    expect(chain.Resource.prototype).toBeInstanceOf(CoreResource);
    expect(chain.Resource).not.toBe(other.Resource);
    expect(chain.Resource.prototype).not.toBeInstanceOf(other.Resource);
  });

  it("C1.3 refuses a resource that extends the core class, the other chain's class, or none", () => {
    for (const Base of [CoreResource, other.Resource, Object]) {
      class Users extends (Base as typeof CoreResource) {
        paths = ["/users"];
      }
      const error = thrownBy(buildWith(Users));
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toBe("Cannot add Users to the application: it must extend the Resource of the same entry");
    }
  });
});

describe("examples", () => {
  it("C1.4 hold one resource per file, named after what it handles", () => {
    const files = filesIn(`${root}examples`).filter(
      (file) => /\.[jt]s$/.test(file) && !/\.test\.ts$|\.d\.ts$/.test(file),
    );
    expect(files.filter((file) => file.endsWith(".js")).length).toBeGreaterThan(10);
    for (const file of files) {
      const source = readFileSync(`${root}examples/${file}`, "utf8");
      const names = [...source.matchAll(/^(?:export )?class (\w+)\b[^{]* extends Resource\b/gm)].map(
        ([, name]) => name!,
      );
      expect(names.length, file).toBeLessThanOrEqual(1);
      if (names.length === 1) expect(basename(file).slice(0, -".ts".length), file).toBe(kebab(names[0]!));
    }
  });
});

function kebab(name: string): string {
  return name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "-").toLowerCase();
}
