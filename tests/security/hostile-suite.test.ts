import * as native from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it } from "vitest";
import { sections, type Report } from "./hostile-suite.ts";

describe("the hostile suite", () => {
  // Guards have a test of their own.
  const names = Object.keys(sections).filter((name) => name !== "guards");

  it.each(names)("finds no fault in %s", async (name) => {
    const report: Report = { checks: 0, faults: [], outcomes: [] };
    await sections[name]!({ native, polyfill }, report);
    expect(report.faults.slice(0, 20)).toEqual([]);
    expect(report.checks).toBeGreaterThan(5);
  });
});
