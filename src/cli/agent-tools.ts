import { listedOf, toolsOf, type ListedTool } from "../agents/agent-tool.ts";
import { refuseUnfitTools } from "../agents/unfit-tools.ts";
import type { LoadedApplication } from "./loaded-application.ts";
import { shown, tableOf } from "./text-table.ts";

export interface ListedAgentTool extends ListedTool {
  readonly method: string;
  readonly path: string;
  /** About how many tokens of a model it takes: a token has some four characters. */
  readonly tokens: number;
}

export function agentToolsOf({ dispatcher }: LoadedApplication): ListedAgentTool[] {
  if (dispatcher === undefined) return [];
  refuseUnfitTools(dispatcher.resources);
  return toolsOf(dispatcher).map((tool) => {
    const listed = listedOf(tool);
    return {
      ...listed,
      method: tool.model.method,
      path: tool.pattern,
      tokens: Math.ceil(JSON.stringify(listed).length / 4),
    };
  });
}

export function agentToolsText(tools: readonly ListedAgentTool[]): string {
  if (tools.length === 0) return 'No operation is a tool; write tool: { name: "…" } in its declaration';
  const rows = tools.map(({ name, method, path, annotations, tokens }) => [
    shown(name),
    `${method} ${shown(path)}`,
    annotations.readOnlyHint === true ? "reads" : annotations.destructiveHint === true ? "may destroy" : "writes",
    String(tokens),
  ]);
  const all = tools.reduce((sum, { tokens }) => sum + tokens, 0);
  const table = tableOf([["TOOL", "OPERATION", "EFFECT", "TOKENS"], ...rows]);
  return `${table}\n${tools.length} ${tools.length === 1 ? "tool takes" : "tools take"} about ${all} tokens`;
}
