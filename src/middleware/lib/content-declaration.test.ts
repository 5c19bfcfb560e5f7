import { describe, expect, it } from "vitest";
import { Resource } from "../../application/resource.ts";
import { readDeclaration } from "./content-declaration.ts";

class Report extends Resource {}

describe("readDeclaration()", () => {
  it("reads what a resource declares, itself or by its class, and nothing else", () => {
    class Sheet extends Report {
      produces = ["text/csv"];
      other = ["a/b"];
      get languages(): string[] {
        return ["en"];
      }
    }
    expect(readDeclaration(new Sheet())).toEqual({ produces: ["text/csv"], languages: ["en"] });
    expect(readDeclaration(new Report())).toEqual({});
  });

  it("keeps what was declared then", () => {
    const resource = Object.assign(new Report(), { produces: ["text/csv"] });
    const declaration = readDeclaration(resource);
    resource.produces.push("text/html");
    expect(declaration).toEqual({ produces: ["text/csv"] });
  });

  it("says what is wrong with what a resource declares", () => {
    const cannot = "Cannot negotiate for Report: its";
    const refused = (declaration: object, message: string) =>
      expect(() => readDeclaration(Object.assign(new Report(), declaration))).toThrow(
        new TypeError(`${cannot} ${message}`),
      );
    refused({ produces: "text/csv" }, '"produces" must be an array of media types such as "text/html", got "text/csv"');
    refused(
      { consumes: ["csv"] },
      '"consumes" must be an array of media types such as "text/html", or ranges of them, got "csv"',
    );
    refused(
      { codings: ["gzip", undefined] },
      '"codings" must be an array of content codings such as "gzip", got undefined',
    );
    refused({ languages: [] }, '"languages" must be an array of language tags such as "en-GB", got an array');
  });
});
