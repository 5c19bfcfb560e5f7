import { HTTPError } from "fingerpost/modules/http.native.js";
import { describe, expect, it } from "vitest";
import { chains, statusOf, thrownBy, type Handled } from "../support/chains.ts";
import { PathIndexBuilder } from "../../src/routing/build/path-index-builder.ts";
import { parsePathPattern } from "../../src/routing/pattern/path-pattern.ts";
import { compileRemainder } from "../../src/routing/build/remainder.ts";
import { collectGarbage } from "./garbage.ts";
import { sourcesBelow } from "./sources.ts";

function indexOf(...patterns: readonly string[]) {
  const builder = new PathIndexBuilder<string>();
  for (const pattern of patterns) builder.add(parsePathPattern(pattern), pattern);
  return builder.build();
}

/** CPU time that a function takes in the best of several runs: what is measured is how it grows, within one run. */
function costOf(run: () => void): number {
  let best = Infinity;
  for (let i = 0; i < 7; i++) {
    const from = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(from);
    best = Math.min(best, user + system);
  }
  return best;
}

describe("matching", () => {
  it("CVE-2024-45296, CVE-2024-52798, CVE-2026-4867, CVE-2024-45813: params in a segment are linear", () => {
    const shapes = [
      "/:a-:b-:c-:d",
      "/:a-:b-:c-:d.x",
      "/:a-:b-:c-:d/x",
      "/:a(\\w+)-:b(\\w+)-:c(\\d+)",
      "/:a-a-:b-a-:c-a-:d.",
    ];
    for (const shape of shapes) {
      const index = indexOf(shape);
      const costAt = (length: number): number => {
        const paths = Array.from({ length: 100 }, (_, i) => `/${i}${"-a".repeat(length / 2)}`);
        return costOf(() => {
          for (let i = 0; i < 20; i++) for (const path of paths) index.find(path);
        });
      };
      costAt(400);
      // Quadratic would be 400 times as much. At the fast end, timers and calls blur it.
      expect(costAt(8000) / costAt(400), shape).toBeLessThan(80);
    }
  });

  it("CVE-2024-45296 and a rest before other segments: each end is tried once", () => {
    for (const shape of ["/:a+/x/:b", "/:a+/x/:b/:c", "/:a+/-:b.:c", "/:a+/x/:b?/:c?", "/:a+/x/:b*", "/:a+/:b"]) {
      const index = indexOf(shape);
      const costAt = (length: number): number => {
        const paths = ["/x/x", "/-a", "/x/", "//"].map((text) => text.repeat(length / text.length));
        return costOf(() => {
          for (let i = 0; i < 200; i++) for (const path of paths) index.find(path);
        });
      };
      costAt(400);
      // Quadratic would be 400 times as much.
      expect(costAt(8000) / costAt(400), shape).toBeLessThan(80);
    }
  });

  it("CVE-2026-4926: optional params expand to n + 1 terminals, not to 2^n", () => {
    const builder = new PathIndexBuilder<null>();
    builder.add(parsePathPattern(Array.from({ length: 1000 }, (_, i) => `/:p${i}?`).join("")), null);
    const index = builder.build();
    expect(builder.terminals).toBe(1001);
    expect(index.find("/x".repeat(1000))!.param("p999")).toBe("x");
    expect(index.find("/x".repeat(1001))).toBeNull();
  });

  it("native URLPattern: is not used, since matching takes it seconds", () => {
    for (const { file, text } of sourcesBelow("src")) expect(text.includes("URLPattern"), file).toBe(false);
  });

  it("rou3 on Node 20: params make no named groups, which older engines refuse to have twice", () => {
    for (const pattern of ["/(\\d+)/:id/:name(\\w+)-:other", "/:id-(\\d+)/x/:rest*"]) {
      const { segments } = parsePathPattern(pattern);
      const from = segments.findIndex(({ kind }) => kind === "expression");
      expect(compileRemainder(segments.slice(from), false).expression.source).not.toContain("(?<");
    }
    expect(() => indexOf("/(\\d+)/:id", "/x/:id/(\\d+)/:name", "/y/:id(\\d+)")).not.toThrow();
  });
});

describe.each(chains)("matching through $name", ({ Application, Resource, inputOf }) => {
  const applicationOf = (...patterns: readonly string[]) =>
    Application.builder()
      .resources(
        patterns.map(
          (pattern) =>
            class Item extends Resource {
              paths = [pattern];
              GET({ params }: Handled): unknown {
                return params;
              }
            },
        ),
      )
      .build();

  it("find-my-way 2026: tables are looked up by names that every object has", async () => {
    const app = applicationOf("/constructor", "/__proto__/x", "/toString/:id");
    for (const method of ["constructor", "__proto__", "toString", "paths", "hasOwnProperty"]) {
      expect(await statusOf(app.handle(inputOf(method, "/constructor")))).toBe(501);
      expect(await statusOf(app.handle(inputOf(method, `/${method}`)))).toBe(method === "constructor" ? 501 : 404);
      expect(await statusOf(app.handle(inputOf("GET", `/valueOf/${method}`)))).toBe(404);
    }
    expect(((await app.handle(inputOf("GET", "/__proto__/x"))) as Handled["params"]).pattern).toBe("/__proto__/x");
  });

  it("find-my-way 2026: an expression that fails does not end the search", async () => {
    const app = applicationOf("/a/:id(\\d+)", "/a/:name", "/b/(x+)/y", "/b/:one/:two", "/c/:x(\\d+)/end", "/c/*");
    const patternFor = async (path: string) => ((await app.handle(inputOf("GET", path))) as Handled["params"]).pattern;
    expect(await patternFor("/a/me")).toBe("/a/:name");
    expect(await patternFor("/b/xx/z")).toBe("/b/:one/:two");
    expect(await patternFor("/c/7/other")).toBe("/c/*");
  });

  it("CVE-2023-50710: params of one pattern are never those of another of the same shape", async () => {
    const patterns = Array.from({ length: 1000 }, (_, i) => `/${"x/".repeat(i % 7)}:a${i}/s${i}/:b${i}?`);
    const app = applicationOf(...patterns);
    for (const [i, pattern] of patterns.entries()) {
      const path = `/${"x/".repeat(i % 7)}one/s${i}/two`;
      const params = (await app.handle(inputOf("GET", path))) as Handled["params"];
      expect([params.pattern, params.pathParam(`a${i}`), params.pathParam(`b${i}`)]).toEqual([pattern, "one", "two"]);
      expect(params.pathParam(`a${(i + 1) % 1000}`)).toBeUndefined();
    }
  });

  it("Hono: a param named constructor is not read from the prototype", async () => {
    const app = applicationOf("/a/:id", "/b/:constructor/:__proto__");
    const a = (await app.handle(inputOf("GET", "/a/7"))) as Handled["params"];
    const b = (await app.handle(inputOf("GET", "/b/1/2"))) as Handled["params"];
    for (const name of ["constructor", "__proto__", "toString"]) expect(a.pathParam(name)).toBeUndefined();
    expect([b.pathParam("constructor"), b.pathParam("__proto__")]).toEqual(["1", "2"]);
  });

  it("react-router, Next.js: nothing is kept by the URL that a client sends", async () => {
    const app = applicationOf("/users/:id", "/files/*", "/n/(\\d+)");
    const heapAfter = async (from: number): Promise<number> => {
      for (let i = from; i < from + 10_000; i++) {
        await app.handle({ url: `/users/${i}?q=${i}`, method: "GET" });
        await app.handle({ url: `/files/%61${i}/x`, method: "GET" });
        await statusOf(app.handle({ url: `/none/${i}`, method: "GET" }));
      }
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = await heapAfter(0);
    expect((await heapAfter(10_000)) - before).toBeLessThan(500_000);
  });

  it("path-to-regexp: expressions that do not compile together are refused, not run", () => {
    const error = thrownBy(() => applicationOf("/((?<year>\\d+))/((?<year>\\d+))"));
    expect(error).toBeInstanceOf(SyntaxError);
    expect(error).not.toBeInstanceOf(HTTPError);
  });
});

describe("bounds", () => {
  it("C4.9 10,000 patterns are one index, and each is found", () => {
    const patterns = Array.from({ length: 10_000 }, (_, i) => `/r${i % 100}/:a/s${i}/:b`);
    const index = indexOf(...patterns);
    for (let i = 0; i < patterns.length; i += 37) expect(index.find(`/r${i % 100}/x/s${i}/y`)!.value).toBe(patterns[i]);
    expect(index.find("/r5/x/s6/y")).toBeNull();
  });
});
