import { entries } from "virtual:entries";
import { describe, expect, it } from "./registry.ts";
import { expectUntouched } from "./snapshot.ts";

describe("globals", () => {
  it("C1.1 are not touched by importing and running the package", async () => {
    await expectUntouched(async () => {
      expect(entries.length).toBeGreaterThan(1);
      for (const load of entries) await load();
      await runChains();
    });
  });
});

async function runChains(): Promise<void> {
  const native = await import("fingerpost/modules/http.native.js");
  const polyfill = await import("fingerpost/modules/http.polyfill.js");
  for (const { Application, Resource, Middleware, Attribute, ResourceGroup } of [
    native,
    polyfill,
  ] as (typeof native)[]) {
    const seen = new Attribute<boolean>("seen");
    class Guard extends Middleware {
      async ALL(input: Request): Promise<Response> {
        seen.set(input, true);
        return this.next(input);
      }
    }
    class Item extends Resource {
      paths = ["/items/:id?", "/(.+\\.txt)"];
      GET(input: Request & { params: { pathParam(name: string): string | undefined } }): Response {
        if (input.params.pathParam("id") === "bug") throw new Error("bug");
        return new Response(`${input.params.pathParam("id")} ${seen.get(input)}`);
      }
    }
    const group = ResourceGroup.builder().resources(Item).prefix("/a", "/b").middleware(Guard).build();
    const builder = Application.builder().resources(group);
    if ("onError" in builder) builder.onError(() => {});
    const app = builder.build();
    for (const path of ["/a/items/7", "/b/items/bug", "/a/x.txt", "/a/%ff", "/nothing", "/a/items/7?q=1#f"]) {
      const request = new Request(`http://h${path}`);
      await app.handle(request).catch(() => {});
      if ("fetch" in app) await app.fetch(request);
    }
  }
}
