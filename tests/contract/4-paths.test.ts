import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { HTTPError, ResourceGroup } from "fingerpost/modules/http.native.js";
import { Middleware } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it } from "vitest";
import { PathPatternError, parsePathPattern } from "../../src/routing/pattern/path-pattern.ts";
import { PathIndexBuilder } from "../../src/routing/build/path-index-builder.ts";
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

  describe("C4.1 one reading of the path", () => {
    it("C4.1 accepts absolute URLs and origin-form", async () => {
      const get = getFrom("/a");
      for (const target of ["https://u:p@host:1/a?b#c", "http://h/a", "HTTP://H/a", "/a?b", "/a#b", "/a"]) {
        expect(await get(target), target).toBe("/a");
      }
    });

    it("C4.1 takes a scheme-relative look-alike for a path that begins with an empty segment", async () => {
      const get = getFrom("/x", "/host/x");
      expect(await get("//host/x")).toBe(404);
      expect(await get("//x")).toBe(404);
      expect(await get("///x")).toBe(404);
    });

    it("C4.1 is not influenced by scheme, host, port, userinfo, query or fragment", async () => {
      const get = getFrom("/a", "/b");
      const targets =
        "http://b/a https://h:8080/a http://b:b@h/a ftp://h/a /a?/b /a?x=/b#/b /a#/b http://h/a?b#b http://[::1]/a";
      for (const target of targets.split(" ")) expect(await get(target), target).toBe("/a");
    });

    it("C4.1 reads an absolute URL without a path as /", async () => {
      const get = getFrom("/");
      for (const target of ["http://h", "http://h?x", "http://h#x", "https://u@h:1"])
        expect(await get(target)).toBe("/");
    });

    it("C4.1 equals what the URL parser gives", async () => {
      const get = getFrom("/*");
      const paths =
        '/./a /a/../b /../a /%2e%2e/a /a/%2E/b /a\\b /\\h/x /a/. /a/.. /a\tb /a\nb /é /a b /"<>`{} /a|b /..;/a /a;x=1/b'.split(
          / (?=\/)/,
        );
      for (const path of paths) {
        const expected = new URL(`http://h${path}`).pathname.slice(1);
        expect(await get(path), path).toBe(["/*", decodeURIComponent(expected)].join(" "));
        expect(await get(`http://h${path}`), path).toBe(["/*", decodeURIComponent(expected)].join(" "));
      }
    });

    it("C4.1 matches nothing by asterisk-form, authority-form, empty string or text without a leading slash", async () => {
      const get = getFrom("/:a?", "/*", "/x/(.*)");
      for (const target of ["*", "h:80", "", "?x", "a", "a/b", "#", "mailto:x", "[::1]:80"]) {
        expect(await get(target), target).toBe(404);
      }
    });

    it("C4.1 rejects a URL that cannot be parsed with HTTPError 400", async () => {
      const get = getFrom("/*");
      for (const target of ["http://[::1/", "http://h:99999/", "http://", "https://a b/"]) {
        expect(await get(target), target).toBe(400);
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

  describe("C4.2 canonical percent-encoding", () => {
    it("C4.2 decodes escapes of unreserved characters, in paths and in patterns", async () => {
      const get = getFrom("/admin", "/%7euser");
      expect(await get("/%61dmin")).toBe("/admin");
      expect(await get("/%61%64%6D%69%6e")).toBe("/admin");
      expect(await get("/~user")).toBe("/%7euser");
      expect(await get("/%7Euser")).toBe("/%7euser");
    });

    it("C4.2 counts hex digits as upper case, in paths and in patterns", async () => {
      const get = getFrom("/caf%c3%a9", "/a%2fb");
      for (const path of ["/caf%C3%A9", "/caf%c3%a9", "/café"]) expect(await get(path)).toBe("/caf%c3%a9");
      expect(await get("/a%2Fb")).toBe("/a%2fb");
    });

    it("C4.2 never takes %2F for a separator", async () => {
      const get = getFrom("/a/b", "/x/:one");
      expect(await get("/a%2Fb")).toBe(404);
      expect(await get("/x/1%2F2")).toBe("/x/:one 1/2");
    });

    it("C4.2 lets patterns be written in plain Unicode", async () => {
      const get = getFrom("/café/:größe");
      expect(await get("/caf%C3%A9/xl")).toBe("/café/:größe");
      expect(await get("/café/xl")).toBe("/café/:größe");
    });

    it("C4.2 is case-sensitive", async () => {
      const get = getFrom("/admin", "/Users/:id");
      expect(await get("/ADMIN")).toBe(404);
      expect(await get("/users/7")).toBe(404);
      expect(await get("/Users/A")).toBe("/Users/:id A");
    });
  });

  describe("C4.3 pattern grammar", () => {
    it("C4.3 root matches the path /", async () => {
      const get = getFrom("/");
      expect(await get("/")).toBe("/");
      expect(await get("/a")).toBe(404);
      expect(await get("//")).toBe(404);
    });

    it("C4.3 a static segment matches that segment", async () => {
      const get = getFrom("/users");
      expect(await get("/users")).toBe("/users");
      for (const path of ["/user", "/userss", "/users/7", "/x/users", "/"]) expect(await get(path)).toBe(404);
    });

    it("C4.3 a required param matches one non-empty segment", async () => {
      const get = getFrom("/users/:id");
      expect(await get("/users/7")).toBe("/users/:id 7");
      for (const path of ["/users", "/users/", "/users//", "/users/7/8"]) expect(await get(path)).toBe(404);
    });

    it("C4.3 optional params match one segment or none, any number of them", async () => {
      const get = getFrom("/a/:b?/:c?/:d?");
      expect(await get("/a")).toBe("/a/:b?/:c?/:d?");
      expect(await get("/a/1")).toBe("/a/:b?/:c?/:d? 1");
      expect(await get("/a/1/2/3")).toBe("/a/:b?/:c?/:d? 1 2 3");
      expect(await get("/a/1/2/3/4")).toBe(404);
    });

    it("C4.3 affixed params take the shortest text in one segment, the last one the rest", async () => {
      const get = getFrom("/:file.:ext", "/@:user", "/v:major-beta");
      expect(await get("/a.tar.gz")).toBe("/:file.:ext a tar.gz");
      expect(await get("/@ada")).toBe("/@:user ada");
      expect(await get("/v2-beta")).toBe("/v:major-beta 2");
      for (const path of ["/@", "/.x", "/v-beta", "/a."]) expect(await get(path), path).toBe(404);
    });

    it("C4.3 affixed params may be constrained", async () => {
      const get = getFrom("/:id(\\d+).json");
      expect(await get("/42.json")).toBe("/:id(\\d+).json 42");
      expect(await get("/x.json")).toBe(404);
    });

    it("C4.3 a constrained param matches a segment that the expression matches entirely", async () => {
      const get = getFrom("/a/:id(\\d+)", "/b/:id(\\d+)?", "/c/:id(x|xy)");
      expect(await get("/a/42")).toBe("/a/:id(\\d+) 42");
      expect(await get("/a/42x")).toBe(404);
      expect(await get("/a/")).toBe(404);
      expect(await get("/b")).toBe("/b/:id(\\d+)?");
      expect(await get("/b/7")).toBe("/b/:id(\\d+)? 7");
      expect(await get("/b/x")).toBe(404);
      expect(await get("/c/xy")).toBe("/c/:id(x|xy) xy");
    });

    it("C4.3 an expression matches at its place, slashes included; values are read by number", async () => {
      const get = getFrom("/([0-9]$)", "/(.+\\.jpg)", "/files/(a|b)/x", "/two/(\\d)-(\\d)");
      expect(await get("/7")).toBe("/([0-9]$) 7");
      expect(await get("/77")).toBe(404);
      expect(await get("/a/b.jpg")).toBe("/(.+\\.jpg) a/b.jpg");
      expect(await get("/files/b/x")).toBe("/files/(a|b)/x b");
      expect(await get("/files/c/x")).toBe(404);
      expect(await get("/two/1-2")).toBe("/two/(\\d)-(\\d) 1 2");
    });

    it("C4.3 a rest matches one or more, or zero or more remaining segments", async () => {
      const get = getFrom("/a/:path+", "/b/:path*", "/c/*");
      expect(await get("/a/1/2")).toBe("/a/:path+ 1/2");
      expect(await get("/a")).toBe(404);
      expect(await get("/b")).toBe("/b/:path*");
      expect(await get("/b/1/2")).toBe("/b/:path* 1/2");
      expect(await get("/c/1/2")).toBe("/c/* 1/2");
      expect(await get("/c")).toBe("/c/*");
    });

    it("C4.3 a backslash makes a character literal", async () => {
      const get = getFrom("/a\\:b", "/a\\(b\\)", "/a\\*b", "/a\\{b\\}");
      expect(await get("/a:b")).toBe("/a\\:b");
      expect(await get("/a(b)")).toBe("/a\\(b\\)");
      expect(await get("/a*b")).toBe("/a\\*b");
      expect(await get("/a{b}")).toBe("/a\\{b\\}");
    });

    it("C4.3 names are JavaScript identifiers", async () => {
      expect(await getFrom("/:$_a1")("/x")).toBe("/:$_a1 x");
      expect(refusalOf("/:1a")).toBeInstanceOf(PathPatternError);
    });

    it("C4.3 expressions see the canonical path, may hold groups and look-ahead; ^ and $ mean its ends", async () => {
      const get = getFrom("/(caf%C3%A9)/x", "/a/((?:b|(c))d)", "/b/(^no)", "/c/((?!admin).+)");
      expect(await get("/caf%c3%a9/x")).toBe("/(caf%C3%A9)/x café");
      expect(await get("/a/cd")).toBe("/a/((?:b|(c))d) cd");
      expect(await get("/b/no")).toBe(404);
      expect(await get("/c/user")).toBe("/c/((?!admin).+) user");
      expect(await get("/c/admin")).toBe(404);
    });
  });

  describe("C4.4 refused patterns", () => {
    it("C4.4 throws a PathPatternError, a SyntaxError, that names the class and shows the column", () => {
      const error = refusalOf("/users/:id?/:name");
      expect(error).toBeInstanceOf(PathPatternError);
      expect(error).toBeInstanceOf(SyntaxError);
      expect(error.name).toBe("PathPatternError");
      expect(error.message).toBe(
        'Cannot parse path pattern of Users: required param ":name" follows optional param ":id?"; write optional params last, or two patterns\n' +
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
      ["a rest that is not last", "/:a+/b", "must be last"],
      ["a * that is not last", "/*/b", "must be last"],
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

  describe("C4.5 which resource wins", () => {
    it("C4.5 does not depend on registration order: static, affixed, constrained, param, rest", async () => {
      const ranked = ["/a/me", "/a/m:x", "/a/:id([a-z]+)", "/a/:id", "/a/*"];
      const expected = {
        "/a/me": "/a/me",
        "/a/mx": "/a/m:x x",
        "/a/x": "/a/:id([a-z]+) x",
        "/a/7": "/a/:id 7",
        "/a/7/8": "/a/* 7/8",
      };
      for (const order of [ranked, ranked.toReversed(), [...ranked.slice(2), ...ranked.slice(0, 2)]]) {
        const get = getFrom(...order);
        for (const [path, answer] of Object.entries(expected)) expect(await get(path)).toBe(answer);
      }
    });

    it("C4.5 compares segment by segment from the left", async () => {
      for (const order of [
        ["/:a/b", "/a/:b"],
        ["/a/:b", "/:a/b"],
      ])
        expect(await getFrom(...order)("/a/b")).toBe("/a/:b b");
    });

    it("C4.5 counts an expression that matches anything as rest", async () => {
      for (const order of [
        ["/(.*)", "/:a"],
        ["/:a", "/(.*)"],
        ["/(.+)", "/:a"],
      ])
        expect(await getFrom(...order)("/x")).toBe("/:a x");
    });

    it("C4.5 prefers the affixed segment with more literal characters", async () => {
      for (const order of [
        ["/:a.:b", "/:a.json"],
        ["/:a.json", "/:a.:b"],
      ])
        expect(await getFrom(...order)("/x.json")).toBe("/:a.json x");
    });

    it("C4.5 tries two different expressions in the order of registration", async () => {
      expect(await getFrom("/(\\d+)", "/(\\w+)")("/7")).toBe("/(\\d+) 7");
      expect(await getFrom("/(\\w+)", "/(\\d+)")("/7")).toBe("/(\\w+) 7");
    });

    it("C4.5 tries the others when the more specific branch fails further on", async () => {
      const get = getFrom("/users/me/settings", "/users/:id/posts", "/users/*");
      expect(await get("/users/me/settings")).toBe("/users/me/settings");
      expect(await get("/users/me/posts")).toBe("/users/:id/posts me");
      expect(await get("/users/me/other")).toBe("/users/* me/other");
    });
  });

  describe("C4.6 equal patterns", () => {
    const conflict = (one: string, two: string) =>
      thrownBy(() => Application.builder().resources(resource("Users", one), resource("Accounts", two)).build());

    it("C4.6 refuses patterns of two resources that are equal but for names, naming both", () => {
      const error = conflict("/users/:id", "/users/:name");
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toBe(
        'Cannot add Accounts to the application: its pattern "/users/:name" and "/users/:id" of Users match the same paths',
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
    it("C4.7 ignores one trailing slash, in paths and in patterns", async () => {
      const get = getFrom("/users/:id", "/posts/");
      expect(await get("/users/7/")).toBe("/users/:id 7");
      expect(await get("/posts")).toBe("/posts/");
      expect(await get("/posts/")).toBe("/posts/");
      expect(await get("/users/7//")).toBe(404);
    });

    it("C4.7 lets an expression or rest at the end see the path as it is", async () => {
      const get = getFrom("/a/(\\d+)", "/b/:path+", "/c/*");
      expect(await get("/a/7/")).toBe(404);
      expect(await get("/b/7/")).toBe("/b/:path+ 7/");
      expect(await get("/c/7/")).toBe("/c/* 7/");
    });

    it("C4.7 never ignores inner empty segments, which match no param", async () => {
      const get = getFrom("/users/:id/posts", "/users/posts");
      expect(await get("/users//posts")).toBe(404);
      expect(await get("//users/posts")).toBe(404);
    });

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

    it("C4.8 segments() gives segments that can be joined to a file path, each decoded once, or throws HTTPError", async () => {
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

    it("C4.9 matches hostile segments without backtracking", async () => {
      const get = getFrom("/:a-:b-:c-:d-:e-:f.x");
      expect(await get(`/${"-a".repeat(4000)}`)).toBe(404);
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
