import * as native from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import type { NodeApplication, NodeContext } from "fingerpost/node";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { canonicalEscapes } from "../../src/routing/percent-encoding.ts";
import { chains, statusOf, type Handled } from "../support/chains.ts";
import { started } from "../support/sockets.ts";
import { targets } from "./hostile.ts";
import { exchange } from "./raw.ts";
import { sourcesBelow } from "./sources.ts";

describe.each(chains)("one reading of the path through $name", ({ Application, Resource, inputOf }) => {
  const { Middleware, ResourceGroup } = polyfill;
  const guard = vi.fn();
  class Guard extends Middleware {
    ALL(input: unknown): unknown {
      guard();
      return this.next(input);
    }
  }
  class Pass extends Middleware {}
  class Admin extends Resource {
    paths = ["/", "/:name"];
    GET({ params }: Handled): unknown {
      return `admin ${params.pathParam("name") ?? ""}`.trim();
    }
  }
  class Open extends Resource {
    paths = ["/:path*"];
    GET(_input: unknown): unknown {
      return "open";
    }
  }
  const guarded = ResourceGroup.builder().resources(Admin).prefix("/admin").middleware(Guard).build();
  const app = Application.builder().resources(guarded, Open).build();
  /** What is answered, and how often the guard ran. */
  const get = async (target: string): Promise<unknown[]> => {
    guard.mockClear();
    return [await statusOf(app.handle(inputOf("GET", target))), guard.mock.calls.length];
  };

  it("CVE-2026-22031, CVE-2025-69211: a guard and the router read the same path, however it is encoded", async () => {
    expect(await get("/%61dmin")).toEqual(["admin", 1]);
    expect(await get("/%61%64%6D%69%6e/%61")).toEqual(["admin a", 1]);
    expect(await get("/adm%69n/")).toEqual(["admin", 1]);
    expect(await get("/%2561dmin")).toEqual(["open", 0]);
    for (const target of targets) {
      const [answer, runs] = await get(target);
      // What the guard let through may be a value that cannot be decoded.
      const isAdmin = String(answer).startsWith("admin") || (answer === 400 && target.startsWith("/"));
      expect(runs, target).toBe(isAdmin ? 1 : 0);
    }
  });

  it("CVE-2026-2880, CVE-2026-33804: nothing is collapsed or cut off by one side only", async () => {
    for (const target of ["//admin", "///admin", "/admin;x", "/admin;x=1", "/ADMIN", "/..;/admin", "/admin//"]) {
      expect(await get(target), target).toEqual(["open", 0]);
    }
    for (const target of ["/admin", "/admin/", "/./admin", "/x/../admin", "/admin/.", "/admin?;x", "/admin#;x"]) {
      expect(await get(target), target).toEqual(["admin", 1]);
    }
  });

  it("CVE-2026-6270: a guard runs once at each place where it hangs, whatever prefixes groups have", async () => {
    const inner = ResourceGroup.builder().resources(Admin).prefix("/admin").middleware(Guard).build();
    const middle = ResourceGroup.builder().resources(inner).prefix("/admin", "/v1").middleware(Pass, Guard).build();
    const outer = ResourceGroup.builder().resources(middle).prefix("/admin").middleware(Guard).build();
    const nested = Application.builder().resources(outer, Open).middleware(Guard).build();
    const ask = async (target: string): Promise<unknown[]> => {
      guard.mockClear();
      return [await statusOf(nested.handle(inputOf("GET", target))), guard.mock.calls.length];
    };
    expect(await ask("/admin/admin/admin")).toEqual(["admin", 4]);
    expect(await ask("/admin/v1/admin/x")).toEqual(["admin x", 4]);
    expect(await ask("/admin/admin")).toEqual(["open", 1]);
    expect(await ask("/admin")).toEqual(["open", 1]);
  });

  it("CVE-2026-29045, CVE-2026-6414: an encoded slash separates nothing, and decodes in its value", async () => {
    expect(await get("/admin%2Fsecret")).toEqual(["open", 0]);
    expect(await get("/%2Fadmin")).toEqual(["open", 0]);
    expect(await get("/admin/a%2Fb")).toEqual(["admin a/b", 1]);
    expect(await get("/admin/a%2fb")).toEqual(["admin a/b", 1]);
    expect(await get("/admin/..%2Fx")).toEqual(["admin ../x", 1]);
    expect(await get("/open%2F..%2Fadmin")).toEqual(["open", 0]);
  });

  it("GHSA-72gr-qfp7-vwhw: a path is decoded once", async () => {
    expect(await get("/admin/%252e%252e")).toEqual(["admin %2e%2e", 1]);
    expect(await get("/admin/%25252e")).toEqual(["admin %252e", 1]);
    expect(await get("/x/%252e%252e/admin")).toEqual(["open", 0]);
    // A "%" that begins no escape must not be completed to one by what is decoded behind it.
    for (const target of ["/%%36%31dmin", "/%25%36%31dmin", "/%2%35%36%31dmin"]) {
      expect(await get(target), target).toEqual(["open", 0]);
    }
  });

  it("CVE-2026-33490: a prefix ends at a segment", async () => {
    for (const target of [
      "/administrator",
      "/adminx/a",
      "/admin.json",
      "/admin-x",
      "/admin%20",
      "/admin%00",
      "/admi",
    ]) {
      expect(await get(target), target).toEqual(["open", 0]);
    }
  });

  it("CVE-2025-58362: the path is where the URL parser finds it, for every absolute URL", () => {
    const seen: string[] = [];
    class Path extends Resource {
      paths = ["/*"];
      GET({ params }: Handled): unknown {
        return seen.push(params.pathParam("0")!);
      }
    }
    const all = Application.builder().resources(Path).build();
    const part = (...parts: string[]) => fc.constantFrom(...parts);
    const urls = fc
      .tuple(
        part(
          "http:",
          "https:",
          "HTTP:",
          "ws:",
          "ftp:",
          "file:",
          "http",
          "blob:http:",
          "abcd:",
          "x:",
          "foo+bar:",
          "httpx:",
        ),
        part("//", "//", "//", "/", "///", "", "\\\\", "//\t", "//@"),
        part(
          "h",
          "h:80",
          "h:8080",
          "a.b-c.d",
          "[::1]",
          "u:p@h",
          "u@h",
          "",
          "1",
          "127.1",
          "h.",
          "xn--a",
          "b\u00fccher",
          "%68",
          "h%2Fx",
          "a_b",
        ),
        fc.array(
          part(
            "/",
            "/a",
            "//",
            "/.",
            "/..",
            "/%2e",
            "/%2E%2e",
            "\\",
            "/a%2Fb",
            "/\u00e9",
            "/%C3%A9",
            "/a b",
            "\t",
            "/@",
            "/:",
            "/;x",
          ),
          {
            maxLength: 5,
          },
        ),
        part("", "?", "?q", "?/x", "??", "?a#b", "#", "#/x", "#?x"),
      )
      .map(([scheme, slashes, authority, path, rest]) => scheme + slashes + authority + path.join("") + rest);
    return fc.assert(
      fc.asyncProperty(urls, async (url) => {
        const parsed = pathnameOf(url);
        seen.length = 0;
        const outcome = await statusOf(all.handle(inputOf("GET", url)));
        if (parsed === null) expect([400, 404]).toContain(outcome);
        else if (!parsed.startsWith("/") && !(parsed === "" && /^[a-z+]+:\/\//.test(new URL(url).href)))
          expect(outcome).toBe(404);
        else expect(seen[0]).toBe(decodeURIComponent(canonicalEscapes((parsed || "/").slice(1))));
      }),
      { numRuns: 3000 },
    );
  });

  it("GHSA-crvj-82cr-hjcx: the query ends at the fragment", async () => {
    class Query extends Resource {
      paths = ["/q"];
      GET({ params }: Handled): unknown {
        return params.queryParams("a").join();
      }
    }
    const query = Application.builder().resources(Query).build();
    const ask = (target: string) => statusOf(query.handle(inputOf("GET", target)));
    expect(await ask("/q#?a=1")).toBe("");
    expect(await ask("/q?a=1#?a=2")).toBe("1");
    expect(await ask("/q?a=1#&a=2")).toBe("1");
    expect(await ask("/q?a=1?a=2&a=3")).toBe("1?a=2,3");
    expect(await ask("http://h?a=0/q")).toBe(404);
  });

  it("Drash v3: a method outside the nine, and a handler as class field, do not walk around a guard", async () => {
    const run = vi.fn(() => "reached");
    class Fields extends Resource {
      paths = ["/fields"];
      GET = (): unknown => run();
      PURGE = (): unknown => run();
    }
    class Refuse extends Middleware {
      ALL(_input: unknown): unknown {
        throw new native.HTTPError(native.Status.Unauthorized);
      }
    }
    const group = ResourceGroup.builder().resources(Fields).middleware(Refuse).build();
    const refusing = Application.builder().resources(group).build();
    expect(await statusOf(refusing.handle(inputOf("GET", "/fields")))).toBe(401);
    expect(await statusOf(refusing.handle(inputOf("POST", "/fields")))).toBe(401);
    expect(await statusOf(refusing.handle(inputOf("PURGE", "/fields")))).toBe(501);
    expect(run).not.toHaveBeenCalled();
  });
});

const guard = vi.fn();
class Guard extends polyfill.Middleware {
  ALL(input: unknown): unknown {
    guard();
    return this.next(input);
  }
}
class NativeAdmin extends native.Resource {
  paths = ["/admin"];
  GET(_request: Request): Response {
    return new Response("admin");
  }
}
class PolyfillAdmin extends polyfill.Resource {
  paths = ["/admin"];
  GET({ response }: NodeContext): unknown {
    return response.end("admin");
  }
}
const admins = native.ResourceGroup.builder();

describe.each([
  [
    "http.native.js",
    native.Application.builder().resources(admins.resources(NativeAdmin).middleware(Guard).build()).build(),
  ],
  [
    "http.polyfill.js",
    polyfill.Application.builder()
      .resources(native.ResourceGroup.builder().resources(PolyfillAdmin).middleware(Guard).build())
      .build(),
  ],
] as readonly [string, NodeApplication][])("one reading of the request line through %s", (_name, app) => {
  it("CVE-2026-33131, CVE-2026-27959: the path never depends on the Host field", async () => {
    const server = await started(app, { onError: () => {} });
    for (const host of ["h", "h:80", "[::1]", ""]) {
      guard.mockClear();
      const admin = await exchange(server, `GET /admin HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(admin, host).toMatch(
        /^HTTP\/1\.1 200 OK\r\n[^]*admin\r\n0\r\n\r\n$|^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nadmin$/,
      );
      expect(guard, host).toHaveBeenCalledTimes(1);
      const other = await exchange(server, `GET /other HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(other, host).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
      expect(guard, host).toHaveBeenCalledTimes(1);
    }
    guard.mockClear();
    const noHosts = "evil/admin /admin admin?/x h/x# user@h h\\x //h http://h/admin %2Fadmin h:99999 h/../admin".split(
      " ",
    );
    for (const host of noHosts) {
      for (const path of ["/admin", "/other"]) {
        const answer = await exchange(server, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
        expect(answer, host).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
      }
    }
    expect(guard).not.toHaveBeenCalled();
  });

  it("CVE-2026-33732: the absolute form leads where its path leads, guard included", async () => {
    const server = await started(app, { onError: () => {} });
    const ask = async (target: string) => {
      guard.mockClear();
      const answer = await exchange(server, `GET ${target} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`);
      return [answer.slice(9, 12), guard.mock.calls.length];
    };
    for (const target of [
      "http://evil/admin",
      "HTTP://evil:8080/admin?x",
      "http://u:p@evil/x/../admin",
      "https://e/%61dmin",
    ]) {
      expect(await ask(target), target).toEqual(["200", 1]);
    }
    for (const target of ["http://admin/", "http://h//admin", "//h/admin", "http://h/x?/admin", "http://h/admin%2F"]) {
      expect(await ask(target), target).toEqual(["404", 0]);
    }
  });

  it("CVE-2025-29927: no field of a request switches a guard off or changes the path or method", async () => {
    const server = await started(app, { onError: () => {} });
    const fields = [
      "X-Middleware-Subrequest: middleware:middleware:middleware:middleware:middleware",
      "X-HTTP-Method-Override: PURGE",
      "X-HTTP-Method: DELETE",
      "X-Method-Override: POST",
      "X-Original-URL: /other",
      "X-Rewrite-URL: /other",
      "X-Forwarded-Host: other",
      "X-Forwarded-Prefix: /other",
      "X-Forwarded-Proto: javascript",
      "X-Forwarded-For: 127.0.0.1",
      "X-Real-IP: 127.0.0.1",
      "Forwarded: for=127.0.0.1;host=other;proto=https",
      "X-Skip-Middleware: 1",
      "X-Next-Middleware: 1",
      "Upgrade: h2c",
      "Expect: 200-ok",
      "Purpose: prefetch",
    ];
    for (const field of [...fields, fields.join("\r\n")]) {
      guard.mockClear();
      const answer = await exchange(server, `GET /admin HTTP/1.1\r\nHost: h\r\n${field}\r\nConnection: close\r\n\r\n`);
      const isRefusedByNode = field.includes("Expect");
      expect(answer.slice(9, 12), field).toBe(isRefusedByNode ? "417" : "200");
      expect(guard, field).toHaveBeenCalledTimes(isRefusedByNode ? 0 : 1);
    }
  });
});

describe("the sources", () => {
  it("CVE-2025-29927: routing, resources and guards read no field of a request", () => {
    for (const { file, text } of ["src/http", "src/routing", "src/dispatch", "src/application"].flatMap(sourcesBelow)) {
      // How long the content is decides how it is read, and nothing else.
      if (file === "src/http/message/framed-content.ts") continue;
      // It hands all fields on, and looks at none.
      const read = text.replace("ownOf({ headers: request.headers, ...init })", "");
      expect(read, file).not.toMatch(/\b(?:request|input)\.headers\b|headers\.get\(/);
    }
  });
});

function pathnameOf(url: string): string | null {
  try {
    return new URL(url).pathname;
  } catch {
    return null;
  }
}
