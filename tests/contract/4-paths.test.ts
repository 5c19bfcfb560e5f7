import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { HTTPError, ResourceGroup } from "fingerpost/modules/http.native.js";
import { Middleware } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it } from "vitest";
import { PathPatternError, parsePathPattern } from "../../src/routing/pattern/path-pattern.ts";
import { PathIndexBuilder } from "../../src/routing/build/path-index-builder.ts";
import { pathsByRule, winners } from "../cases/paths-by-rule.ts";
import { chains, rejectionOf, statusOf, thrownBy, type Handled } from "../support/chains.ts";

describe.each(chains)("$name", ({ Application, Resource, inputOf }) => {
  /** A resource class of this name; it answers with the pattern that matched and the values of its params. */
  const resource = (name: string, ...paths: readonly unknown[]) =>
    ({
      [name]: class extends Resource {
        paths = paths as string[];
        GET({ params }: Handled): unknown {
          const names = [...params.pattern.matchAll(/:([\w$]+)/g)].map(([, found]) => found!).concat("0", "1");
          const values = names.map((found) => params.pathParam(found)).filter((value) => value !== undefined);
          return [params.pattern, ...values].join(" ");
        }
      },
    })[name]!;
  const applicationOf = (...paths: readonly string[]) =>
    Application.builder()
      .resources(paths.map((path, index) => resource(`R${index}`, path)))
      .build();
  /** What one application of these patterns, a resource each, answers to GET: pattern and values, or a status. */
  const getFrom = (...paths: readonly string[]) => {
    const app = applicationOf(...paths);
    return (target: string): Promise<unknown> => statusOf(app.handle(inputOf("GET", target)));
  };
  const refusalOf = (...paths: readonly unknown[]) =>
    thrownBy(() =>
      Application.builder()
        .resources(resource("Users", ...paths))
        .build(),
    );

  it.each(pathsByRule)("%s", async (_rule, patterns, answers) => {
    const get = getFrom(...patterns);
    for (const [answer, targets] of Object.entries(answers))
      for (const target of targets) expect(String(await get(target)), target).toBe(answer);
  });

  it.each(winners)("C4.5 does not depend on registration order: %s", async (_rule, patterns, answers) => {
    for (const order of [patterns, patterns.toReversed(), [...patterns.slice(2), ...patterns.slice(0, 2)]]) {
      const get = getFrom(...order);
      for (const [answer, targets] of Object.entries(answers))
        for (const target of targets) expect(String(await get(target)), target).toBe(answer);
    }
  });

  describe("C4.1 one reading of the path", () => {
    it("C4.1 equals what the URL parser gives", async () => {
      const get = getFrom("/*");
      const paths = (
        '/./a /a/../b /../a /%2e%2e/a /a/%2E/b /a\\b /\\h/x /a/. /a/.. /a\tb /a\nb /é /a b /"<>`{} /a|b /..;/a ' +
        "/a;x=1/b"
      ).split(/ (?=\/)/);
      for (const path of paths) {
        const expected = new URL(`http://h${path}`).pathname.slice(1);
        expect(await get(path), path).toBe(["/*", decodeURIComponent(expected)].join(" "));
        expect(await get(`http://h${path}`), path).toBe(["/*", decodeURIComponent(expected)].join(" "));
      }
    });

    it("C4.1 gives middleware, matching and params the same path", async () => {
      const seen: unknown[] = [];
      class Look extends Middleware {
        ALL(input: Handled): unknown {
          seen.push(input.params.pathParam("id"));
          return this.next(input);
        }
      }
      const group = ResourceGroup.builder().resources(resource("Item", "/items/:id")).middleware(Look).build();
      const app = Application.builder().resources(group).middleware(Look).build();
      expect(await app.handle(inputOf("GET", "/x/../items/%2541/"))).toBe("/items/:id %41");
      expect(seen).toEqual(["%41", "%41"]);
    });
  });

  describe("C4.4 refused patterns", () => {
    it("C4.4 throws a PathPatternError, a SyntaxError, that names the class and shows the column", () => {
      const error = refusalOf("/users/:id?/:name");
      expect(error).toBeInstanceOf(PathPatternError);
      expect(error).toBeInstanceOf(SyntaxError);
      expect(error.name).toBe("PathPatternError");
      expect(error.message).toBe(
        'Cannot parse path pattern of Users: required param ":name" follows optional param ":id?"; write optional ' +
          "params last, or two patterns\n" +
          "  /users/:id?/:name\n" +
          "              ^",
      );
    });

    it.each([
      ["no leading slash", "users", 'write "/users"'],
      ["an empty string", "", 'an empty string matches nothing; write "/" for the root'],
      ["a full URL", "https://h/users", 'write "/users"'],
      ["?", "/users?x", 'or "\\\\?" for the character'],
      ["#", "/users#x", 'write "\\\\#" for the character'],
      ["duplicate names", "/:id/:id", 'duplicate name "id"'],
      ["something required after an optional", "/:id?/users", 'static segment "users" follows optional param ":id?"'],
      [": without a name", "/:/x", 'write "\\\\:"'],
      ["two params with nothing between them", "/:a:b", "separate them by literal text"],
      ["an opening parenthesis", "/(a", 'write "\\\\("'],
      ["a closing parenthesis", "/a)", 'write "\\\\)"'],
      ["an invalid expression", "/([)", "unbalanced"],
      ["an invalid quantifier", "/(*a)", "invalid expression"],
      ["a back reference", "/(a)(b)\\1/(\\1)", "back references"],
      ["unescaped {", "/a{b", '"\\\\{"'],
      ["unescaped }", "/a}", '"\\\\}"'],
      ["* inside a segment", "/a*b", '"\\\\*"'],
      ["a rest of zero or more segments that is not last", "/:a*/b", "must be last"],
      ["two rests before the end", "/:a+/x/:b+/c", "one before its end"],
      ["a * that is not last", "/*/b", "must be last"],
      ["a name that is no JavaScript identifier", "/:1a", 'write "\\\\:"'],
      ["a number", 5, "got 5"],
      ["null", null, "got null"],
    ])("C4.4 refuses %s", (_name, path, hint) => {
      const error = refusalOf("/fine", path);
      expect(error).toBeInstanceOf(PathPatternError);
      expect(error.message).toMatch(/^Cannot parse path pattern of Users: /);
      expect(error.message).toContain(hint);
    });

    it("C4.4 refuses paths that is not an array", () => {
      for (const paths of ["/users", undefined, null, 5, {}, new Set(["/users"])]) {
        class Users extends Resource {
          paths = paths as never;
        }
        const error = thrownBy(() => Application.builder().resources(Users).build());
        expect(error).toBeInstanceOf(PathPatternError);
        expect(error.message).toMatch(/^Cannot parse path pattern of Users: paths must be an array of strings, got /);
      }
    });
  });

  describe("C4.6 equal patterns", () => {
    const conflict = (one: string, two: string) =>
      thrownBy(() => Application.builder().resources(resource("Users", one), resource("Accounts", two)).build());

    it("C4.6 refuses patterns of two resources that are equal but for names, naming both", () => {
      const error = conflict("/users/:id", "/users/:name");
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toBe(
        'Cannot add Accounts to the application: its pattern "/users/:name" and "/users/:id" of Users match the same ' +
          "paths",
      );
    });

    it("C4.6 counts an optional as its form with and its form without", () => {
      expect(conflict("/users/:id?", "/users").message).toContain('"/users" and "/users/:id?" of Users');
      expect(conflict("/users/:id", "/users/:name?").message).toContain('"/users/:name?" and "/users/:id" of Users');
      expect(conflict("/café", "/caf%c3%a9")).toBeInstanceOf(TypeError);
    });

    it("C4.6 lets a pattern repeat inside one resource", async () => {
      const Users = resource("Users", "/users/:id", "/users/:name", "/users/:id", "/users/:id?");
      const app = Application.builder().resources(Users).build();
      expect(await app.handle(inputOf("GET", "/users/7"))).toBe("/users/:id 7");
    });
  });

  describe("C4.7 trailing slash", () => {
    it("C4.7 makes the slash significant everywhere with trailingSlash(strict)", async () => {
      const app = Application.builder()
        .resources(resource("R", "/users/:id", "/posts/", "/"))
        .trailingSlash("strict")
        .build();
      const get = (path: string) => statusOf(app.handle(inputOf("GET", path)));
      expect(await get("/users/7")).toBe("/users/:id 7");
      expect(await get("/users/7/")).toBe(404);
      expect(await get("/posts/")).toBe("/posts/");
      expect(await get("/posts")).toBe(404);
      expect(await get("/")).toBe("/");
    });
  });

  describe("C4.8 params", () => {
    const paramsOf = async (pattern: string, target: string) => {
      class Item extends Resource {
        paths = [pattern];
        GET({ params }: Handled): unknown {
          return params;
        }
      }
      return (await Application.builder().resources(Item).build().handle(inputOf("GET", target))) as Handled["params"];
    };

    it("C4.8 pathParam() decodes exactly once as UTF-8", async () => {
      expect((await paramsOf("/:a", "/caf%C3%A9%20%2541")).pathParam("a")).toBe("café %41");
      expect((await paramsOf("/:a", "/%252e%252e")).pathParam("a")).toBe("%2e%2e");
      expect((await paramsOf("/:a", "/1+1")).pathParam("a")).toBe("1+1");
    });

    it("C4.8 pathParam() is undefined for an absent optional and for names the pattern does not have", async () => {
      const params = await paramsOf("/x/:a?", "/x");
      for (const name of ["a", "b", "0", "", "__proto__", "constructor", "toString", "length"]) {
        expect(params.pathParam(name)).toBeUndefined();
      }
      expect((await paramsOf("/:constructor/:__proto__", "/1/2")).pathParam("constructor")).toBe("1");
      expect((await paramsOf("/:constructor/:__proto__", "/1/2")).pathParam("__proto__")).toBe("2");
    });

    it("C4.8 pathParam() throws HTTPError 400 for a value that is not percent-encoded UTF-8", async () => {
      for (const value of ["%ff", "%c0%af", "%ed%a0%80", "%", "%zz", "%4"]) {
        const params = await paramsOf("/:a", `/${value}`);
        const error = thrownBy(() => params.pathParam("a"));
        expect(error).toBeInstanceOf(HTTPError);
        expect(error).toMatchObject({ status: 400 });
      }
    });

    it("C4.8 segments() gives segments that can be joined to a file path, each decoded once, or throws", async () => {
      const segmentsOf = async (pattern: string, target: string, which?: "any"): Promise<unknown> => {
        const params = await paramsOf(pattern, target);
        return statusOf(Promise.resolve().then(() => params.segments(pattern.endsWith("/*") ? "0" : "path", which)));
      };
      for (const pattern of ["/files/:path+", "/files/:path*", "/files/*"]) {
        expect(await segmentsOf(pattern, "/files/a%20b/caf%C3%A9/%252e%252e")).toEqual(["a b", "café", "%2e%2e"]);
        for (const path of ["a//b", "a/", "..%2Fetc", "..%5Cetc", "a%00", "a/%00/b"]) {
          expect(await segmentsOf(pattern, `/files/${path}`)).toBe(404);
        }
        expect(await segmentsOf(pattern, "/files/..%2Fa//b", "any")).toEqual(["../a", "", "b"]);
        expect(await segmentsOf(pattern, "/files/a/%ff")).toBe(400);
        expect(await segmentsOf(pattern, "/files/a/%ff", "any")).toBe(400);
      }
      expect(await segmentsOf("/files/:path*", "/files")).toEqual([]);
      expect(await segmentsOf("/:path", "/a%20b")).toEqual(["a b"]);
      expect(await segmentsOf("/v:path", "/v..")).toBe(404);
    });

    it("C4.8 queryParam() is the first value or undefined, queryParams() all of them", async () => {
      const params = await paramsOf("/x", "/x?a=1&b=2&a=3&c=&d+e=%26+%C3%A9");
      expect([params.queryParam("a"), params.queryParam("b")]).toEqual(["1", "2"]);
      expect(params.queryParams("a")).toEqual(["1", "3"]);
      expect([params.queryParam("c"), params.queryParam("none")]).toEqual(["", undefined]);
      expect(params.queryParams("none")).toEqual([]);
      expect(params.queryParam("d e")).toBe("& é");
      expect(params.queryParam("constructor")).toBeUndefined();
    });

    it("C4.8 the query excludes the fragment", async () => {
      expect((await paramsOf("/x", "http://h/x?a=1#?a=2&b=3")).queryParams("a")).toEqual(["1"]);
      // URL standard §6.2: only the first question mark is none of it.
      const doubled = await paramsOf("/x", "/x??a=2");
      expect([doubled.queryParam("a"), doubled.queryParam("?a")]).toEqual([undefined, "2"]);
      expect((await paramsOf("/x", "/x#?a=2")).queryParam("a")).toBeUndefined();
    });

    it("C4.8 the query is that of the url, which a Request rewrites and nothing here does", async () => {
      class Item extends Resource {
        paths = ["/x"];
        GET({ params }: Handled): unknown {
          return [params.queryParam("b\tc"), params.queryParam("bc")];
        }
      }
      const app = Application.builder().resources(Item).build();
      for (const url of ["/x?b\tc=1\n", "http://h/x?b\tc=1\n"]) {
        expect(await app.handle({ method: "GET", url })).toEqual(["1\n", undefined]);
      }
      expect(await app.handle(new Request("http://h/x?b\tc=1\n"))).toEqual([undefined, "1"]);
    });

    it("C4.8 pattern is the one that matched, as written", async () => {
      expect((await paramsOf("/caf%c3%a9/:id(\\d+)?/", "/café/7?q")).pattern).toBe("/caf%c3%a9/:id(\\d+)?/");
    });
  });

  describe("C4.9 bounds", () => {
    it("C4.9 rejects a path longer than 8,192 characters with HTTPError 414", async () => {
      const get = getFrom("/*");
      const path = (length: number) => `/${"x".repeat(length - 1)}`;
      expect(await get(path(8192))).toBe(`/* ${"x".repeat(8191)}`);
      expect(await get(path(8193))).toBe(414);
      expect(await get(`${path(8192)}?${"q".repeat(10_000)}`)).not.toBe(414);
      expect(await rejectionOf(applicationOf("/a").handle(inputOf("GET", path(8193))))).toBeInstanceOf(HTTPError);
      expect(
        await statusOf(
          Application.builder()
            .build()
            .handle(inputOf("GET", path(8193))),
        ),
      ).toBe(414);
    });
  });
});

describe("the index", () => {
  it("C4.9 has n + 1 terminals for n optional params", () => {
    for (const n of [1, 18, 1000]) {
      const builder = new PathIndexBuilder<null>();
      builder.add(parsePathPattern(Array.from({ length: n }, (_, i) => `/:p${i}?`).join("")), null);
      expect(builder.terminals).toBe(n + 1);
    }
  });

  it("C4.9 caches nothing by anything a client sends", () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const builder = new PathIndexBuilder<null>();
    for (const pattern of ["/:a/:b?", "/n/:id(\\d+)", "/x/(.+)/y"]) builder.add(parsePathPattern(pattern), null);
    const index = builder.build();
    const heapAfter = (from: number): number => {
      for (let i = from; i < from + 100_000; i++) {
        index.match(`/n/${i}`, -1);
        index.match(`/x/${i}/y?q=${i}`, -1);
        index.match(`/%61${i}/${i}`, -1);
      }
      collect();
      return process.memoryUsage().heapUsed;
    };
    const before = heapAfter(0);
    expect(heapAfter(100_000) - before).toBeLessThan(1_000_000);
  });
});
