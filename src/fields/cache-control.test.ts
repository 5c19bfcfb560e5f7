import { describe, expect, it } from "vitest";
import { parseCacheControl } from "./cache-control.ts";

describe("parseCacheControl()", () => {
  it("RFC 9111 §5.2 reads tokens and quoted strings alike, without regard to the case of names", () => {
    expect(Object.fromEntries(parseCacheControl('Max-Age="3600", no-transform,private="set-cookie, x"'))).toEqual({
      "max-age": "3600",
      "no-transform": "",
      private: "set-cookie, x",
    });
  });

  it("RFC 9111 §4.2.1 counts the first of two", () => {
    expect(parseCacheControl("max-age=1, max-age=2").get("max-age")).toBe("1");
  });

  it("leaves out what is malformed", () => {
    expect([...parseCacheControl("a b, =c, , no-store").keys()]).toEqual(["no-store"]);
  });
});
