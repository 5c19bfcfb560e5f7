import { Application, Resource, text } from "fingerpost";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { agentToolsOf, agentToolsText } from "./agent-tools.ts";

class Orders extends Resource {
  override paths = ["/orders/:id"] as const;

  static GET = { 200: text(), tool: { name: "read_order" } };
  override GET(): string {
    return "";
  }

  static POST = { content: z.object({ n: z.int() }), 200: text(), tool: { name: "add", destructive: false } };
  override POST(): string {
    return "";
  }

  static DELETE = { 204: "Gone", tool: true as const };
  override DELETE(): void {}
}

describe("agentToolsOf()", () => {
  it("lists tools with their operations and their size", () => {
    const app = Application.builder().resources(Orders).build();
    const tools = agentToolsOf(app as never);
    expect(tools.map(({ name, method, path }) => [name, method, path])).toEqual([
      ["deleteOrders", "DELETE", "/orders/:id"],
      ["read_order", "GET", "/orders/:id"],
      ["add", "POST", "/orders/:id"],
    ]);
    for (const { tokens, name, inputSchema, annotations } of tools) {
      expect(tokens).toBe(Math.ceil(JSON.stringify({ name, inputSchema, annotations }).length / 4));
    }
    const lines = agentToolsText(tools).split("\n");
    expect(lines[0]).toMatch(/^TOOL +OPERATION +EFFECT +TOKENS$/);
    expect(lines.slice(1, 4).map((line) => line.split(/ {2,}/).slice(0, 3))).toEqual([
      ["deleteOrders", "DELETE /orders/:id", "may destroy"],
      ["read_order", "GET /orders/:id", "reads"],
      ["add", "POST /orders/:id", "writes"],
    ]);
    const all = tools.reduce((sum, { tokens }) => sum + tokens, 0);
    expect(lines[4]).toBe(`3 tools take about ${all} tokens`);
    expect(agentToolsText(tools.slice(0, 1)).split("\n").at(-1)).toBe(`1 tool takes about ${tools[0]!.tokens} tokens`);
  });

  it("lists none of an application without a dispatcher", () => {
    expect(agentToolsOf({} as never)).toEqual([]);
  });
});
