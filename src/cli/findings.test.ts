import { Application } from "fingerpost/modules/http.polyfill.js";
import * as semantics from "fingerpost";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { PathIndexBuilder } from "../routing/build/path-index-builder.ts";
import { PathIndex } from "../routing/index/path-index.ts";
import { resource } from "../../tests/cli/resource.ts";
import { findingsOf } from "./findings.ts";

/** An application of these patterns, a resource each. */
const application = (patterns: readonly string[]) =>
  Application.builder().resources(patterns.map((pattern, index) => resource(`R${index}`, pattern)));

/** The findings about order: resource and resource that it wins over. */
const orderOf = async (app: Application): Promise<string[]> =>
  (await findingsOf(app))
    .filter(({ kind }) => kind === "order")
    .map(({ resource: first, message }) => `${first} ${/of (\w+)$/.exec(message)![1]}`);

afterEach(() => {
  vi.restoreAllMocks();
});

describe("findingsOf()", () => {
  it.each([
    ["/e{}/:id(\\d+)/:x([a-z]+)"],
    ["/e/:id(\\d+)/{}"],
    ["/:id(\\d+)-{}/x"],
    ["/f{}/(\\d+)/x"],
    ["/g/:id(\\d{{}})"],
  ])("does work that grows with the number of patterns, not of pairs: %s", async (form) => {
    const workFor = async (count: number): Promise<{ builds: number; finds: number }> => {
      const app = application(Array.from({ length: count }, (_, at) => form.replace("{}", String(at + 1)))).build();
      vi.restoreAllMocks();
      const build = vi.spyOn(PathIndexBuilder.prototype, "build");
      const find = vi.spyOn(PathIndex.prototype, "find");
      await findingsOf(app);
      return { builds: build.mock.calls.length, finds: find.mock.calls.length };
    };
    const [few, many] = [await workFor(10), await workFor(40)];
    expect(many.builds).toBeLessThan(4.5 * few.builds);
    if (!form.startsWith("/g/")) expect(many.finds).toBeLessThan(4.5 * few.finds);
  });

  it("finds expressions at one place that match the same path, wherever the patterns part", async () => {
    const patterns = [
      "/a/:x(\\d+)/b",
      "/a/:y(\\w+)/b",
      "/a/:y(\\w+)/c",
      "/a/:z([0-9a-f]+)/:q",
      "/n:x(\\d+)/b",
      "/n:x(\\w+)/b",
      "/r/(.*)",
      "/r/:s([a-z]+)/(\\d+)",
      "/r/:t([a-q]+)/b/2",
      "/r/:u([a-q]+)/:v(\\d)/2",
      "/r/:u([a-q]+)/:v(\\d)/2/3",
    ];
    expect(await orderOf(application(patterns).build())).toEqual(["R0 R1", "R0 R3", "R1 R3", "R2 R3", "R4 R5"]);
  });

  it("finds expressions that match the same path if others after them take slashes, by a path of either", async () => {
    const patterns = ["/:x(\\d+)/(.*)/d", "/:y(\\w+)/c/z/d", "/:z(\\w+)x/:a", "/:z([a-z]+)x/:a"];
    const found = (await findingsOf(application(patterns).build())).filter(({ kind }) => kind === "order");
    expect(found.map(({ pattern, example }) => [pattern, example])).toEqual([
      ["/:x(\\d+)/(.*)/d", expect.stringMatching(/^\/\d+\/c\/z\/d$/)],
      ["/:z(\\w+)x/:a", expect.stringMatching(/^\/[a-z]+x\/.+$/)],
    ]);
  });

  it("finds no order between patterns of one resource, and tries none that static segments part", async () => {
    const one = Application.builder().resources(resource("One", "/:x(\\d+)", "/:y(\\w+)"));
    expect(await orderOf(one.build())).toEqual([]);
    const findsFor = async (count: number): Promise<number> => {
      const patterns = Array.from({ length: count }, (_, at) => [`/:x(\\d)/a${at}`, `/:y(\\w)/b${at}`][at % 2]!);
      const app = application(patterns).build();
      vi.restoreAllMocks();
      const find = vi.spyOn(PathIndex.prototype, "find");
      await findingsOf(app);
      return find.mock.calls.length;
    };
    expect(await findsFor(40)).toBeLessThan(4.5 * (await findsFor(10)));
  });

  it("distinguishes resources of one name", async () => {
    const app = Application.builder().resources(resource("Users", "/:x(\\d+)"), resource("Users", "/:y(\\w+)"));
    expect(await orderOf(app.build())).toEqual(["Users Users"]);
  });

  it("takes patterns that part at a static segment for no case of order", async () => {
    expect(
      await orderOf(application(["/a/:x(\\d+)", "/b/:x(\\w+)", "/:y(\\d)/:x(\\d)", "/c/:x(\\d)"]).build()),
    ).toEqual([]);
  });

  it("finds no order between patterns that a slash at the end parts, where it counts", async () => {
    const patterns = ["/x/:a(\\d+)/", "/x/:b(\\w+)", "/y/:a(\\d+)/", "/y/:b(\\w+)/"];
    expect(await orderOf(application(patterns).build())).toEqual(["R0 R1", "R2 R3"]);
    expect(await orderOf(application(patterns).trailingSlash("strict").build())).toEqual(["R2 R3"]);
  });

  it("C4.7 takes patterns that end in an empty segment for reachable: of two slashes one is ignored", async () => {
    for (const trailingSlash of ["ignore", "strict"] as const) {
      const app = application(["//", "/k//", "/k", "/:a//", "/(\\d+)//"]).trailingSlash(trailingSlash).build();
      expect((await findingsOf(app)).filter(({ kind }) => kind === "unreachable")).toEqual([]);
    }
  });

  it("takes a rest for reachable that is reached by more than one segment only", async () => {
    const found = await findingsOf(application(["/x/:a", "/x/:b+", "/y/:c", "/y/:d*"]).build());
    expect(found).toEqual([]);
  });

  it("names up to three patterns that answer in place of one, or says that none does", async () => {
    const patterns = ["/:x(a|b|c|d|e)", ..."abcde"].map((pattern) => `/${pattern.replace("/", "")}`);
    const app = application([...patterns, "/y/:dots(\\.)"]).build();
    const found = (await findingsOf(app)).filter(({ kind }) => kind === "unreachable");
    expect(found.map(({ pattern, message }) => [pattern, message.replace(/\d+/, "n")])).toEqual([
      ["/:x(a|b|c|d|e)", expect.stringMatching(/answered by \/\w of R\d, \/\w of R\d, \/\w of R\d$/)],
      ["/y/:dots(\\.)", "it is never reached: all n paths that were tried are answered by nothing"],
    ]);
  });

  it("finds patterns that are never reached, whether or not the slash counts", async () => {
    for (const trailingSlash of ["ignore", "strict"] as const) {
      const app = application(["/x/:a(\\w+)/", "/x/:b(\\d+)/", "/y/"]).trailingSlash(trailingSlash).build();
      const found = (await findingsOf(app)).filter(({ kind }) => kind === "unreachable");
      expect(found.map(({ resource: name, example }) => [name, example!.endsWith("/")])).toEqual([
        ["R1", trailingSlash === "strict"],
      ]);
    }
  });
});

it("C8.15 reports which members stay strings, and refuse every value that was tried", async () => {
  class Code {
    readonly text = "";
  }
  const code = z.instanceof(Code);
  class Search extends semantics.Resource {
    override paths = ["/"];
    static GET = {
      query: z.object({ n: z.int(), day: z.coerce.date(), code: code.optional(), any: z.any() }),
      204: "Nothing",
    };
    override GET = (): undefined => undefined;
    static POST = {
      content: {
        "application/x-www-form-urlencoded": z.object({ code }),
        "multipart/form-data": z.object({ code }),
        "application/json": z.object({ code }),
      },
      204: "Nothing",
    };
    override POST = (): undefined => undefined;
  }
  const found = await findingsOf(semantics.Application.builder().resources(Search).build());
  expect(found.map(({ kind, resource: name, message }) => `${kind} ${name} ${message.split(":")[0]}`)).toEqual([
    'text Search its GET reads "code" of query as text, and refused each text that was tried',
    'text Search its POST reads "code" of application/x-www-form-urlencoded as text, and refused each text that was ' +
      "tried",
  ]);
});

it("C8.15 reports which parts of requests stay strings, as their schemas have no JSON Schema", async () => {
  const shapeless = { "~standard": { version: 1, vendor: "none", validate: (value: unknown) => ({ value }) } } as const;
  class Search extends semantics.Resource {
    override paths = ["/a/:id", "/b/:id"];
    static GET = { path: shapeless, query: z.object({ n: z.int() }), headers: shapeless, 204: "Nothing" };
    override GET = (): undefined => undefined;
    static POST = {
      content: { "application/json": shapeless, "multipart/form-data": shapeless, "text/plain": semantics.text() },
      204: "Nothing",
    };
    override POST = (): undefined => undefined;
  }
  const found = await findingsOf(semantics.Application.builder().resources(Search).build());
  expect(found.map(({ kind, resource: name, message }) => `${kind} ${name} ${message.split(":")[0]}`)).toEqual([
    "text Search its GET reads path as text",
    "text Search its GET reads headers as text",
    "text Search its POST reads multipart/form-data as text",
  ]);
});
