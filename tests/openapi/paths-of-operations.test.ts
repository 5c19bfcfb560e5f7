import { Application, Resource, ResourceGroup } from "fingerpost";
import { document, drift } from "fingerpost/openapi";
import { describe, expect, it } from "vitest";
import { clientTypes } from "../../src/openapi/client-types.ts";
import { methodsAtPatterns } from "./declared-paths.ts";

const about = { title: "Paths", version: "1" };

/** Returns the methods that the document, the client types, drift and the line know at each path. */
async function knownOf(paths: string[], at: string[], prefixes: string[], targets: readonly string[]): Promise<object> {
  class X extends Resource {
    override paths = paths;
    static GET = { at, 200: { description: "It is there" } };
    override GET(): undefined {}
    static PUT = { 204: "Done" };
    override PUT(): undefined {}
  }
  const group = ResourceGroup.builder()
    .resources(X)
    .prefix(...prefixes)
    .build();
  const app = Application.builder().resources(group).build();
  const observed = drift(app);
  const line: Record<string, string> = {};
  for (const target of targets) {
    line[target] = "";
    for (const method of ["GET", "PUT"]) {
      const { status } = await observed.fetch(new Request(`http://localhost${target}`, { method }));
      if (status !== 405) line[target] += method;
    }
  }
  const described = Object.entries(document(app, about).paths).map(([path, methods]) => [
    path.replaceAll(/\{\w+\}/g, "1"),
    Object.keys(methods).join("").toUpperCase(),
  ]);
  const printed = Object.entries(methodsAtPatterns(clientTypes(app.dispatcher)));
  return {
    line,
    document: Object.fromEntries(described) as unknown,
    types: Object.fromEntries(printed.map(([path, methods]) => [path, methods.join("")])),
    drift: observed.statuses,
  };
}

describe("C8.5 the paths of an operation", () => {
  it("are the same to document, client types, drift and line where two prefixes lead to one pattern", async () => {
    const there = { "/x": "GETPUT", "/x/x": "PUT", "/x/x/x": "PUT" };
    const known = await knownOf(["/x", "/x/x"], ["/x"], ["/", "/x"], Object.keys(there));
    expect(known).toEqual({ line: there, document: there, types: there, drift: [] });
  });

  it("are the same where patterns differ by the names of params only", async () => {
    const there = { "/x": "GETPUT", "/1/x": "PUT", "/1/1/x": "PUT" };
    const known = await knownOf(["/:a/x", "/x"], ["/x"], ["/", "/:b"], Object.keys(there));
    const types = { "/x": "GETPUT", "/:a/x": "PUT", "/:b/:a/x": "PUT" };
    expect(known).toEqual({ line: there, document: there, types, drift: [] });
  });

  it("are the same where a pattern with an optional param begins as another one ends", async () => {
    const there = { "/x": "PUT", "/x/1": "GETPUT" };
    const known = await knownOf(["/x", "/x/:a?"], ["/x/:a?"], ["/"], Object.keys(there));
    expect(known).toEqual({ line: there, document: there, types: { "/x": "PUT", "/x/:a?": "GETPUT" }, drift: [] });
  });

  it("are the same where patterns differ by a trailing slash that does not count", async () => {
    const there = { "/x": "PUT" };
    const known = await knownOf(["/x", "/x/"], ["/x/"], ["/"], Object.keys(there));
    expect(known).toEqual({ line: there, document: there, types: there, drift: [] });
  });
});
