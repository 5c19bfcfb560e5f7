import { Application as SemanticsApplication, Resource as Declared, socket } from "fingerpost";
import { Application, Resource } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { resource } from "../../tests/cli/resource.ts";
import { routesOf, routesText } from "./routes.ts";

describe("routesOf()", () => {
  it("lists patterns by their text, and resources without one last", () => {
    class None extends Resource {}
    class Nothing extends Resource {}
    const app = Application.builder()
      .resources(None, resource("B", "/b", "/a/:id"), Nothing, resource("A", "/a"))
      .build();
    const listed = routesOf(app).map(({ pattern, resource: name }) => [pattern, name]);
    expect(listed).toEqual([
      ["/a", "A"],
      ["/a/:id", "B"],
      ["/b", "B"],
      [null, "None"],
      [null, "Nothing"],
    ]);
  });

  it("lists the statuses that a method declares, that of a handshake, too", () => {
    class Live extends Declared {
      override paths = ["/live"];
      static GET = { 101: socket({ receives: z.string(), sends: z.string() }), 404: "None" };
      override GET = (): object => ({ message: () => {} });
    }
    const [listed] = routesOf(
      SemanticsApplication.builder()
        .resources(Live as never)
        .build(),
    );
    expect(listed!.statuses).toEqual({ GET: [101, 404] });
  });
});

describe("routesText()", () => {
  it("says what is not there", () => {
    expect(routesText([])).toBe("The application has no resources");
    expect(routesText([{ pattern: null, resource: "A", methods: [], statuses: {}, scopes: {}, middleware: [] }])).toBe(
      "PATTERN     RESOURCE  METHODS  MIDDLEWARE\n(no paths)  A         (none)",
    );
  });

  it("has nothing that a program wrote steer the terminal", () => {
    const steered = "a\u001b[31m\nb";
    const text = routesText([
      { pattern: steered, resource: steered, methods: ["GET"], statuses: {}, scopes: {}, middleware: [steered] },
    ]);
    expect(text.split("\n")[1]!.split("a\\u{1b}[31m\\u{a}b").length).toBe(4);
    expect(text).not.toMatch(/[^\n -~]/);
  });
});
