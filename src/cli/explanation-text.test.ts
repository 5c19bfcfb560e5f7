import { describe, expect, it } from "vitest";
import type { Explanation } from "./explained-request.ts";
import { explanationText } from "./explanation-text.ts";

const steered = "a\u001b[31m\nb";
const written = "a\\u{1b}[31m\\u{a}b";

const explanation: Explanation = {
  method: "GET",
  target: "/a",
  path: "/a",
  matched: false,
  status: 404,
  because: "No pattern matches the path",
  resource: null,
  pattern: null,
  params: {},
  middleware: [],
  questions: [],
  considered: [],
};

describe("explanationText()", () => {
  it("says what a param is, or that it was not supplied", () => {
    const found = { matched: true, status: null, resource: "A", pattern: "/:a/:b?" };
    expect(explanationText({ ...explanation, ...found, params: { a: "", b: null } })).toBe(
      [
        "GET /a",
        "",
        "  path      /a",
        "  pattern   /:a/:b?",
        "  resource  A",
        '  param a   ""',
        "  param b   (not supplied)",
        "  calls     A.GET",
        "",
        "  No pattern begins as this path does",
        "",
        "  Middleware of the application is not listed, and may answer first",
      ].join("\n"),
    );
  });

  it("says that there is no path, and then nothing of patterns", () => {
    expect(explanationText({ ...explanation, target: "*", path: null, because: "The URL has no path" })).toBe(
      [
        "GET *",
        "",
        "  path    (none)",
        "  answer  404: The URL has no path",
        "",
        "  Middleware of the application is not listed, and may answer first",
      ].join("\n"),
    );
  });

  it("has nothing that a client or a program wrote steer the terminal, wherever it stands", () => {
    const one = { pattern: steered, resource: steered, matches: false, because: steered };
    const text = explanationText({
      method: steered,
      target: steered,
      path: steered,
      matched: false,
      status: 501,
      because: steered,
      resource: steered,
      pattern: steered,
      params: { [steered]: `${steered}\u202e` },
      middleware: [steered],
      questions: [],
      considered: [one],
    });
    expect(text).not.toMatch(/[^\n -~]/);
    expect(text.split(written).length - 1).toBe(11);
    expect(text.split("\n").length).toBe(14);
  });

  it("cuts a long method", () => {
    expect(explanationText({ ...explanation, method: "X".repeat(10_000) }).split("\n")[0]).toBe(
      `${"X".repeat(39)}… /a`,
    );
  });
});
