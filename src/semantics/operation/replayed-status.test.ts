import { memoryRecords } from "fingerpost/idempotency";
import { Application, Resource } from "fingerpost/semantics";
import { describe, expect, it } from "vitest";
import { operationsOf } from "./reading.ts";
import { mayBeReplayed } from "./replayed-status.ts";

describe("mayBeReplayed()", () => {
  it("is true of declared answers that are kept, of operations that take keys", () => {
    class Order extends Resource {
      override paths = ["/"];
      static POST = {
        idempotency: "optional",
        204: "Placed",
        409: "Sold out",
        429: "Too many",
        503: "Closed",
      } as const;
      override POST(): undefined {}
      static PUT = { 204: "Stored" };
      override PUT(): undefined {}
    }
    const { dispatcher } = Application.builder()
      .resources(Order)
      .idempotency({ store: memoryRecords(), scope: () => "all" })
      .build();
    const operations = operationsOf(dispatcher.resources[0]!);
    const statuses = (method: string): number[] =>
      [200, 204, 409, 429, 503].filter((status) => mayBeReplayed(operations.get(method)!, status));
    expect(statuses("POST")).toEqual([204, 409]);
    expect(statuses("PUT")).toEqual([]);
  });
});
