import { describe, it } from "vitest";
import { echo, roundTripsBy } from "../support/round-trips.ts";
import { holds, runs, timeout } from "./runs.ts";

describe("client()", () => {
  it(
    "C11.4 gets back what it puts in, whatever the operation",
    async () => {
      const property = roundTripsBy(echo.fetch, "http://localhost");
      await holds(property, Math.max(runs, 10_000));
    },
    timeout * 5,
  );
});
