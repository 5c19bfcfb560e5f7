import type { JsonSchema } from "../json-schema/json-schema.ts";
import type { DocumentedOperation, OpenAPIDocument } from "./openapi-document.ts";
import { sampleOf } from "./sample.ts";
import type { SampleRequest } from "./sample-request.ts";

/** An operation as the script of the page reads it. It is short: each article of the page has one. */
export interface Trial {
  readonly method: string;
  readonly path: string;
  readonly params?: readonly (readonly [name: string, place: string, isRequired: 0 | 1, form: string, value: string])[];
  /** What guards take. */
  readonly keys?: readonly (readonly [kind: string, name: string])[];
  readonly type?: string;
  readonly text?: string | null;
  readonly parts?: readonly (readonly [name: string, text: string | null])[];
  /** A message for the WebSocket that the operation opens. */
  readonly socket?: string;
}

/** Returns what an operation is tried by. Null of methods that browsers do not send (Fetch §2.2.1). */
export function trialOf(
  path: string,
  { method, parameters, content }: SampleRequest,
  { security = [], responses }: DocumentedOperation,
  document: OpenAPIDocument,
): Trial | null {
  if (method === "TRACE" || method === "CONNECT") return null;
  const root = document as unknown as JsonSchema;
  const { securitySchemes = {} } = document.components;
  const params = parameters
    // A page cannot say which cookies the browser sends.
    .filter((one) => one.in !== "cookie")
    .map((one) => [one.name, one.in, one.isRequired ? 1 : 0, one.form, one.value] as const);
  const names = new Set(security.flatMap((one) => Object.keys(one)));
  const keys = [...names].map((name) => keyOf(securitySchemes[name]!));
  const messages = responses["101"]?.["x-receives"];
  return {
    method,
    path,
    ...(params.length === 0 ? {} : { params }),
    ...(keys.length === 0 ? {} : { keys }),
    ...(content === null ? {} : { type: content.type, text: content.text }),
    ...(content?.parts == null ? {} : { parts: content.parts.map(({ name, text }) => [name, text] as const) }),
    ...(messages === undefined ? {} : { socket: messageOf(sampleOf(messages, root)) }),
  };
}

function keyOf({ type, scheme, in: place, name }: Readonly<Record<string, unknown>>): readonly [string, string] {
  if (type === "apiKey") return [String(place), String(name)];
  return type === "http" ? [scheme === "basic" ? "basic" : "token", String(scheme)] : ["token", "Bearer"];
}

function messageOf(message: unknown): string {
  return typeof message === "string" ? message : JSON.stringify(message);
}
