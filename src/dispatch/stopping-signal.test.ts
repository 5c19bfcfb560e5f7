import { describe, expect, it } from "vitest";
import { findStoppingBy, stoppingSignalFor } from "./stopping-signal.ts";

describe("stoppingSignalFor()", () => {
  it("asks the servers of the process, one after the other, and says so where none knows the input", () => {
    const [mine, other] = [{}, {}];
    const { signal } = new AbortController();
    findStoppingBy(() => null);
    findStoppingBy((input) => (input === mine ? signal : null));
    expect(stoppingSignalFor(mine)).toBe(signal);
    expect(stoppingSignalFor(other)).toBeNull();
  });
});
