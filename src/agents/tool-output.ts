import { schemaAt, type JsonSchema } from "../json-schema/shape/json-schema.ts";
import { Components } from "../openapi/components.ts";
import type { OperationModel } from "../semantics/operation/operation-model.ts";

/** The content of a tool's results, where all of its answers below 300 have one schema. */
export interface ToolOutput {
  readonly schema: JsonSchema;
  /** Whether the content is the member `content`: results are objects, and it is none, or not always one. */
  readonly isWrapped: boolean;
}

export function outputOf({ answers, mounted, method }: OperationModel): ToolOutput | null {
  const good = [...answers.values()].filter(({ status }) => status < 300);
  const [first, ...others] = good.map(({ media }) =>
    media.length === 1 && media[0]!.isJson ? media[0]!.schema : null,
  );
  if (first === undefined || first === null || others.some((schema) => schema !== first)) return null;
  const components = new Components();
  const described = components.describe(first, "output", `${mounted.name} ${method}`);
  const definitions = components.finish("#/$defs/");
  // A schema with a name is a reference, and the root of an output schema must be an object.
  const content = schemaAt(described, { $defs: definitions });
  const more = Object.keys(definitions).length === 0 ? {} : { $defs: definitions };
  if (content["type"] === "object") return { schema: { ...content, ...more }, isWrapped: false };
  const schema = { type: "object", properties: { content }, required: ["content"], ...more };
  return { schema, isWrapped: true };
}
