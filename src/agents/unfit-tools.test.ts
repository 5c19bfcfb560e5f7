import { Application, bytes, events, lines, patch, Resource, text } from "fingerpost";
import { mcp } from "fingerpost/mcp";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const agents = mcp({ name: "orders", version: "1" });

/** What is wrong with an operation as a tool. */
function faultOf(method: "GET" | "POST", operation: object): string | null {
  class Order extends Resource {
    override paths = ["/orders", "/orders/:id"];
  }
  Object.assign(Order, { [method]: { 204: "Done", tool: true, ...operation } });
  Object.assign(Order.prototype, { [method]: () => undefined });
  try {
    Application.builder().resources(Order, agents).build();
    return null;
  } catch (error) {
    return (error as Error).message.replace(/^.* is a tool /, "");
  }
}

describe("refuseUnfitTools()", () => {
  it("leaves alone what nobody serves to agents", () => {
    class Picture extends Resource {
      override paths = ["/picture"];
      static GET = { 200: events(z.string()), tool: { name: "a picture" } };
      override async *GET(): AsyncGenerator<string> {}
    }
    expect(() => Application.builder().resources(Picture).build()).not.toThrow();
    expect(() => Application.builder().resources(Picture, agents).build()).toThrow('is a tool of the name "a picture"');
  });

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
    const builder = Application.builder().resources(Note as never, agents);
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
