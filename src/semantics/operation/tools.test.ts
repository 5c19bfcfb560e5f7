import { Application, bytes, events, lines, patch, Resource, text } from "fingerpost";
import { describe, expect, it } from "vitest";
import { z } from "zod";
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

/** What is wrong with an operation as a tool. */
function faultOf(method: "GET" | "POST", operation: object): string | null {
  try {
    modelOf(method, { tool: true, ...operation });
    return null;
  } catch (error) {
    return (error as Error).message.replace(/^.* is a tool /, "");
  }
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

describe("refuseUnfitTools()", () => {
  it("takes a tool that one of several paths leads to", () => {
    for (const at of [["/orders"], ["/orders/:id"]]) expect(faultOf("GET", { at })).toBeNull();
  });

  it("refuses a PATCH that is made of methods at different paths", () => {
    class Note extends Resource {
      override paths = ["/notes", "/drafts"];
      static GET = { at: ["/notes"], 200: z.object({ text: z.string() }) };
      override GET(): unknown {
        return { text: "" };
      }
      static PUT = { at: ["/drafts"], content: z.object({ text: z.string() }), 204: "Stored" };
      override PUT(): undefined {}
      static PATCH = { ...patch(this.GET, this.PUT), tool: true };
      validator(): object {
        return { etag: '"1"' };
      }
    }
    const builder = Application.builder().resources(Note as never);
    expect(() => builder.build()).toThrow("static PATCH is a tool, and no path of Note leads to it; write one in at");
  });

  it("refuses a field that is required and that no agent sends, and no other one", () => {
    const fault = (headers: object): unknown => faultOf("GET", { headers: z.object(headers as never) });
    const [kept, own] = [{ host: z.string() }, { "x-own": z.string() }];
    expect(fault(kept)).toMatch(/requires the field "host", which no agent can send; make it optional/);
    expect(fault({ host: z.string().optional(), ...own })).toBeNull();
    expect(fault(own)).toBeNull();
    expect(faultOf("GET", {})).toBeNull();
  });

  it("takes content if one of its types can be written, and names the first one if none can", () => {
    const fault = (content: unknown): unknown => faultOf("POST", { content });
    const csv = { "text/csv": z.string() };
    const beside = (what: string): string => `beside ${what}, which no agent reads or writes; leave one of them out`;
    expect(fault(csv)).toBe(beside("text/csv"));
    expect(fault({ "image/png": bytes(), ...csv })).toBe(beside("bytes()"));
    expect(fault({ "image/png": bytes(), "application/json": z.string() })).toBeNull();
    expect(fault({ "image/png": bytes(), "text/plain": text() })).toBeNull();
    // A type of JSON whose content is read as bytes.
    expect(fault({ "application/json": bytes() })).toBe(beside("bytes()"));
  });

  it("refuses answers that are streams of events or lines", () => {
    const fault = (answer: unknown): unknown => faultOf("GET", { 200: answer });
    expect(fault(events(z.string()))).toMatch(/^beside events\(\)/);
    expect(fault(lines(z.string()))).toMatch(/^beside lines\(\)/);
    expect(fault(z.string())).toBeNull();
  });
});
