import { Application, Middleware, Resource, ResourceGroup } from "fingerpost/modules/http.native.js";
import { describe, expect, it } from "vitest";
import { PathIndexBuilder } from "../routing/build/path-index-builder.ts";
import { Dispatcher } from "./dispatcher.ts";

class Outer extends Middleware {}
class Inner extends Middleware {}

describe("Dispatcher", () => {
  it("lists the middleware classes around the application, outermost first", () => {
    const dispatcher = new Dispatcher(new PathIndexBuilder<never>().build(), [Outer, Inner], [], undefined);
    expect([dispatcher.around, dispatcher.trailingSlash]).toEqual([[Outer, Inner], "ignore"]);
  });

  it("knows of each pattern the groups that it is in", () => {
    class Item extends Resource {
      override paths = ["/a", "/b"];
    }
    const group = ResourceGroup.builder().resources(Item).prefix("/v1").build();
    const { dispatcher } = Application.builder().resources(Item, group).build() as unknown as {
      readonly dispatcher: Dispatcher;
    };
    const [{ patterns, groups }] = dispatcher.resources as [Dispatcher["resources"][0]];
    expect(patterns.map((pattern, at) => [pattern, groups[at]])).toEqual([
      ["/a", []],
      ["/b", []],
      ["/v1/a", [group]],
      ["/v1/b", [group]],
    ]);
  });
});
