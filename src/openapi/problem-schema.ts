import type { JsonSchema } from "../json-schema/shape/json-schema.ts";

/** The content of errors, where the application does not declare its own. */
export const problemSchema: JsonSchema = {
  type: "object",
  description: "Problem details (RFC 9457)",
  properties: {
    type: { type: "string", format: "uri-reference" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    instance: { type: "string", format: "uri-reference" },
    errors: {
      type: "array",
      description: "What does not fit",
      items: {
        type: "object",
        properties: {
          in: { type: "string", enum: ["path", "query", "header", "cookie", "content"] },
          pointer: { type: "string", description: "A JSON pointer as a URI fragment (RFC 6901)" },
          detail: { type: "string" },
          code: { type: "string" },
        },
        required: ["in", "pointer", "detail"],
      },
    },
  },
};
