import { Application, Resource, ResourceGroup } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it } from "vitest";
import { trailingSlashOf } from "./trailing-slash.ts";

const resource = (...paths: readonly string[]) =>
  class R extends Resource {
    override paths = paths;
  };

/** Resources with these patterns each. */
const builder = (...resources: readonly (readonly string[])[]) =>
  Application.builder().resources(resources.map((paths) => resource(...paths)));

describe("trailingSlashOf()", () => {
  it.each([
    [[["/a"]]],
    [[["/a/"]]],
    [[["/:id(\\d+)"]]],
    [[["/", "/:x?"]]],
    [[["/*"], ["/a"]]],
    [[["/*"], ["/a/"]]],
    [[["/:rest+"], ["/:x/"]]],
    [[["/a", "/a/"]]],
    [[["/:x"], ["/(a/)"]]],
    [[["/(.*)/:c?"], ["/a/:b"]]],
    [[["/:a(\\w+)", "/:b(\\d+)/"]]],
  ])("tells what the application was built with, whatever its patterns: %j", (patterns) => {
    for (const trailingSlash of ["ignore", "strict"] as const) {
      const app = builder(...patterns)
        .trailingSlash(trailingSlash)
        .build();
      expect(trailingSlashOf(app)).toBe(trailingSlash);
      for (const path of ["/", "//", "/a", "/a/", "/7/", "/x/y/"]) {
        expect(trailingSlashOf(app, path), path).toBe(trailingSlash);
      }
    }
  });

  it("tells it where patterns differ by the slash alone", () => {
    expect(trailingSlashOf(builder(["/a/"], ["/a"]).trailingSlash("strict").build())).toBe("strict");
    expect(trailingSlashOf(builder(["/:x/"], ["/:y"]).trailingSlash("strict").build(), "/a/")).toBe("strict");
  });

  it("tells it by an expression that sees a slash in front of an optional param", () => {
    const app = builder(["/b/(a/)/*"], ["/(a/)/:b?"], ["/:c(\\w+)/*"]).trailingSlash("strict").build();
    expect(trailingSlashOf(app, "/a/")).toBe("strict");
    expect(trailingSlashOf(app)).toBe("strict");
  });

  it("is not led astray by the order of registration, which the model does not give", () => {
    class Both extends resource("/x/:a(\\d+)") {}
    class Other extends resource("/x/:b(\\w+)/") {}
    const groups = [Both, Other, Both].map((Class, at) =>
      ResourceGroup.builder()
        .resources(Class)
        .prefix(at === 0 ? "/first" : "/")
        .build(),
    );
    for (const trailingSlash of ["ignore", "strict"] as const) {
      const app = Application.builder().resources(groups).trailingSlash(trailingSlash).build();
      expect(trailingSlashOf(app, "/x/7/")).toBe(trailingSlash);
    }
  });

  it("takes no path for refused that a slash makes too long", () => {
    expect(trailingSlashOf(builder(["/:a"]).build(), `/${"x".repeat(8191)}`)).toBe("ignore");
  });

  it("says that it is ignored where nothing can tell", () => {
    expect(trailingSlashOf(builder(["/*", "/a/:r+"]).trailingSlash("strict").build(), "/a/b/")).toBe("ignore");
    expect(trailingSlashOf(builder().trailingSlash("strict").build())).toBe("ignore");
  });
});
