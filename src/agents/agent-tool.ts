import type { JsonSchema } from "../json-schema/shape/json-schema.ts";
import type { RequestRunner } from "../dispatch/mounted-resource.ts";
import { placedOperationsOf } from "../openapi/described-operation.ts";
import type { UndeclaredHandler } from "../openapi/drift.ts";
import type { OperationModel } from "../semantics/operation/operation-model.ts";
import { toolOf } from "../semantics/operation/tools.ts";
import { ToolInput } from "./tool-input.ts";
import { outputOf, type ToolOutput } from "./tool-output.ts";

export interface ToolAnnotations {
  readonly readOnlyHint?: true;
  readonly idempotentHint?: boolean;
  readonly destructiveHint?: boolean;
}

/** An operation as a tool of agents: what it says of itself, its inputs and its results. */
export class AgentTool {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly model: OperationModel;
  /** The path pattern at which it is called: the first one that has the operation. */
  readonly pattern: string;
  readonly annotations: ToolAnnotations;
  readonly input: ToolInput;
  /** Null for results that have no one schema. */
  readonly output: ToolOutput | null;

  /** @param hidden fields that no tool has as input, in lower case. */
  constructor(model: OperationModel, pattern: string, hidden: ReadonlySet<string>) {
    const { summary } = model.declaration;
    const tool = toolOf(model)!;
    const { name, title = summary, destructive } = tool;
    this.name = name;
    this.title = title;
    this.description = descriptionOf(model, tool);
    this.model = model;
    this.pattern = pattern;
    this.annotations = annotationsOf(model, destructive);
    this.input = new ToolInput(model, pattern, hidden);
    this.output = outputOf(model);
  }
}

/**
 * Lists the operations of an application that are tools, in the order in which they were added.
 * @param hidden fields that no tool has as input, in lower case.
 */
export function toolsOf(runner: RequestRunner, hidden: ReadonlySet<string> = new Set()): AgentTool[] {
  const known = new Set<OperationModel>();
  return placedOperationsOf(runner).flatMap(({ model, source }) => {
    if (toolOf(model) === null || known.has(model)) return [];
    known.add(model);
    return [new AgentTool(model, source, hidden)];
  });
}

/** Lists the tools that say nothing of themselves. Nothing of them is converted. */
export function undescribedToolsOf(runner: RequestRunner): (UndeclaredHandler & { readonly name: string })[] {
  const models = new Set(placedOperationsOf(runner).map(({ model }) => model));
  return [...models].flatMap((model) => {
    const tool = toolOf(model);
    if (tool === null || descriptionOf(model, tool) !== undefined) return [];
    return { name: tool.name, resource: model.mounted.name, method: model.method };
  });
}

function descriptionOf(
  { declaration }: OperationModel,
  { description }: NonNullable<ReturnType<typeof toolOf>>,
): string | undefined {
  return description ?? declaration.description ?? declaration.summary;
}

export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: ToolAnnotations;
}

export function listedOf({ name, title, description, annotations, input, output }: AgentTool): ListedTool {
  return {
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    inputSchema: input.schema,
    ...(output === null ? {} : { outputSchema: output.schema }),
    annotations,
  };
}

/** A method that reads changes nothing, and neither repeats nor destroys. */
function annotationsOf({ isRead, method, isOnce }: OperationModel, destructive: boolean = true): ToolAnnotations {
  if (isRead) return { readOnlyHint: true };
  return { idempotentHint: idempotent.has(method) || isOnce, destructiveHint: destructive };
}

/** RFC 9110 §9.2.2, of those that change something. */
const idempotent: ReadonlySet<string> = new Set(["PUT", "DELETE"]);
