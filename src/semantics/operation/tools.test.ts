import { Application, Resource } from "fingerpost";
import { describe, expect, it } from "vitest";
import type { OperationModel } from "./operation-model.ts";
import { operationsOf } from "./reading.ts";
import { isKeptFromTools, isTool, toolOf } from "./tools.ts";

/** The model of an operation of a class with two paths. */
function modelOf(method: "GET" | "POST", operation: object): OperationModel {
  class Order extends Resource {
    override paths = ["/orders", "/orders/:id"];
  }
  Object.assign(Order, { [method]: { 204: "Done", ...operation } });
  Object.assign(Order.prototype, { [method]: () => undefined });
  const { dispatcher } = Application.builder().resources(Order).build();
  return operationsOf(dispatcher.resources[0]!).get(method)!;
}

describe("isTool()", () => {
  it("is true, or an object of names that are text and of destructive", () => {
    const texts = { name: "order", title: "Order", description: "Orders" };
    for (const tool of [true, {}, texts, { destructive: false }, { ...texts, destructive: true }]) {
      expect(isTool(tool), JSON.stringify(tool)).toBe(true);
    }
    const others = [false, 1, "order", null, undefined, [], new Date()];
    const unfit = Object.keys(texts).flatMap((name) => [5, "", null].map((value) => ({ [name]: value })));
    for (const tool of [...others, ...unfit, { destructive: "no" }, { destructive: null }, { other: 1 }]) {
      expect(isTool(tool), JSON.stringify(tool)).toBe(false);
    }
  });
});

describe("toolOf()", () => {
  it("is what the operation says, with a name of its own where it says none, and null where it is no tool", () => {
    const toolFor = (tool: unknown): unknown => toolOf(modelOf("GET", tool === undefined ? {} : { tool }));
    expect(toolFor(undefined)).toBeNull();
    expect(toolFor(true)).toEqual({ name: "getOrder" });
    expect(toolFor({ title: "Order" })).toEqual({ name: "getOrder", title: "Order" });
    expect(toolFor({ name: "order", destructive: true })).toEqual({ name: "order", destructive: true });
  });
});

describe("isKeptFromTools()", () => {
  it("keeps fields that say who asks, by their whole name", () => {
    const kept = ["Authorization", "cookie", "HOST", "sec-fetch-site", "content-type", "x-forwarded-for", "proxy-x"];
    expect(kept.filter((name) => !isKeptFromTools(name))).toEqual([]);
    const others = ["x-authorization", "authorization-x", "cookies", "x-host", "sec", "x-content-type"];
    expect(others.filter(isKeptFromTools)).toEqual([]);
  });
});
