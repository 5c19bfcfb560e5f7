import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { echo, roundTrips } from "../support/round-trips.ts";
import { holds, runs, timeout } from "./runs.ts";

describe("client()", () => {
  it(
    "C11.4 gets back what it puts in, whatever the operation",
    async () => {
      const property = fc.asyncProperty(roundTrips(echo.fetch, "http://localhost"), async (call) => {
        const { sent, come } = await call();
        expect(come).toEqual(sent);
      });
      await holds(property, Math.max(runs, 10_000));
    },
    timeout * 5,
  );
});
