import type { CallToolResult } from "@modelcontextprotocol/server";
import type { JsonSchema } from "../json-schema/shape/json-schema.ts";
import { isPlainObject } from "../http/javascript/property.ts";
import type { ListedTool } from "./agent-tool.ts";
import { mistake, unknownTool } from "./tool-result.ts";

/** Three tools instead of all: a model that would be given two hundred looks for the one that it needs. */
export interface Catalog {
  readonly listed: readonly ListedTool[];
  call(name: string, given: Readonly<Record<string, unknown>>): Promise<CallToolResult>;
}

const text = (description: string): JsonSchema => ({ type: "string", description });

const listed: readonly ListedTool[] = [
  {
    name: "list_tools",
    description: "Lists the tools of this server, by name, with what each does",
    inputSchema: {
      type: "object",
      properties: { search: text("Lists only those whose name or description has this text") },
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: "describe_tool",
    description: "Describes a tool of list_tools: its inputs and its results, as JSON Schema",
    inputSchema: {
      type: "object",
      properties: { name: text("A name that list_tools says") },
      required: ["name"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: "call_tool",
    description: "Calls a tool of list_tools, with the inputs that describe_tool says",
    inputSchema: {
      type: "object",
      properties: {
        name: text("A name that list_tools says"),
        arguments: { type: "object", description: "Its inputs" },
      },
      required: ["name"],
      additionalProperties: false,
    },
    annotations: { destructiveHint: true },
  },
];

/** Makes the three tools. @param toolsOf lists the tools that the sender may use. @param call calls one of them. */
export function catalogTools(
  toolsOf: () => Promise<readonly ListedTool[]>,
  call: (name: string, given: Readonly<Record<string, unknown>>) => Promise<CallToolResult>,
): Catalog {
  return {
    listed,
    async call(name, given) {
      const asked = Object.hasOwn(given, "name") ? given["name"] : undefined;
      if (name === "list_tools") return said(linesOf(await toolsOf(), given["search"]));
      if (name !== "describe_tool" && name !== "call_tool") return mistake(unknownTool);
      const tool = (await toolsOf()).find((one) => one.name === asked);
      if (tool === undefined) return mistake("- #/name: Expected a name that list_tools says");
      if (name === "describe_tool") return said(JSON.stringify(tool, null, 2));
      const { arguments: inputs = {} } = given;
      return isPlainObject(inputs)
        ? call(tool.name, inputs as Readonly<Record<string, unknown>>)
        : mistake("- #/arguments: Expected an object");
    },
  };
}

function linesOf(tools: readonly ListedTool[], search: unknown): string {
  const wanted = typeof search === "string" ? search.toLowerCase() : "";
  const lines = tools
    .map(({ name, description = "" }) => (description === "" ? name : `${name}: ${description}`))
    .filter((line) => line.toLowerCase().includes(wanted));
  return lines.length === 0 ? "No tool" : lines.join("\n");
}

function said(whole: string): CallToolResult {
  return { content: [{ type: "text", text: whole }] };
}
