import { describe, expect, it } from "vitest";
import { formParametersOf } from "./form-parameters.ts";

describe("formParametersOf()", () => {
  it("reads a parameter without a value, with quotes or without", () => {
    for (const value of ["form-data; name=", "form-data; name= \t", 'form-data; name=""']) {
      expect([...formParametersOf(value, "form-data")!]).toEqual([["name", ""]]);
    }
    expect([...formParametersOf("form-data; name= a b ; x=1;", "form-data")!]).toEqual([
      ["name", "a b"],
      ["x", "1"],
    ]);
  });
});
