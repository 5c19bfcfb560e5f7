import { describe, expect, it } from "vitest";
import { parseTraceparent } from "./trace-context.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const parentId = "b7ad6b7169203331";

describe("parseTraceparent()", () => {
  it("W3C Trace Context §3.2.4 reads the examples", () => {
    expect(parseTraceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")).toEqual({
      traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
      parentId: "00f067aa0ba902b7",
      flags: 1,
    });
    expect(parseTraceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00")?.flags).toBe(0);
  });

  it("W3C Trace Context §3.2.2.2 refuses version ff", () => {
    expect(parseTraceparent(`ff-${traceId}-${parentId}-01`)).toBeNull();
  });

  it("W3C Trace Context §3.2.2.3 §3.2.2.4 refuses identifiers that are all zeros", () => {
    expect(parseTraceparent(`00-${"0".repeat(32)}-${parentId}-01`)).toBeNull();
    expect(parseTraceparent(`00-${traceId}-${"0".repeat(16)}-01`)).toBeNull();
    expect(parseTraceparent(`00-${traceId.slice(1)}0-${parentId.slice(1)}0-01`)).not.toBeNull();
  });

  it("W3C Trace Context §3.2.2.5 reads no flag but the one that it knows", () => {
    expect(parseTraceparent(`00-${traceId}-${parentId}-ff`)?.flags).toBe(1);
    expect(parseTraceparent(`00-${traceId}-${parentId}-02`)?.flags).toBe(0);
  });

  it("W3C Trace Context §3.2.2 refuses upper case, other lengths and more than one value", () => {
    for (const value of [
      "",
      "00",
      `00-${traceId.toUpperCase()}-${parentId}-01`,
      `00-${traceId}-${parentId}-1`,
      `00-${traceId}-${parentId}-01-`,
      `00-${traceId}-${parentId}-01-extra`,
      `00-${traceId.slice(1)}-${parentId}-01`,
      `0-${traceId}-${parentId}-01`,
      `00-${traceId}-${parentId}-0g`,
      `00-${traceId}-${parentId}-01, 00-${traceId}-${parentId}-01`,
    ]) {
      expect(parseTraceparent(value), value).toBeNull();
    }
  });

  it("W3C Trace Context §4.3 reads higher versions as far as they are known", () => {
    expect(parseTraceparent(`cc-${traceId}-${parentId}-01-what-comes`)).toEqual({ traceId, parentId, flags: 1 });
    expect(parseTraceparent(`cc-${traceId}-${parentId}-01`)).toEqual({ traceId, parentId, flags: 1 });
    expect(parseTraceparent(`cc-${traceId}-${parentId}-01.what`)).toBeNull();
  });
});
