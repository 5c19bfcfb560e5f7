import type { JsonSchema } from "../json-schema/shape/json-schema.ts";
import type { DocumentedOperation, OpenAPIDocument } from "./openapi-document.ts";
import { sampleOf } from "./sample.ts";
import { hasShownExample, type SampleParameter, type SampleRequest } from "./sample-request.ts";

/**
 * An operation as the script of the page reads it, besides its method and path, which the article shows. It is short:
 * each article of the page has one.
 */
export interface Trial {
  /** Each without what it ends in, if that is optional, of one value, and named as it is filled. */
  readonly params?: readonly (readonly [name: string, place: string, ...more: (string | number)[]])[];
  /** What guards take. */
  readonly keys?: readonly (readonly [kind: string, name: string])[];
  readonly type?: string;
  /** Null of a file. Absent of an example that the article shows. */
  readonly text?: string | null;
  readonly parts?: readonly (readonly [name: string, text: string | null])[];
  /** A message for the WebSocket that the operation opens. */
  readonly socket?: string;
}

/** Returns what an operation is tried by. Null of methods that browsers do not send (Fetch §2.2.1). */
export function trialOf(
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
    .map((one) => [one.name, one.in, ...shortened(one)] as const);
  const names = new Set(security.flatMap((one) => Object.keys(one)));
  const keys = [...names].map((name) => keyOf(securitySchemes[name]!));
  const messages = responses["101"]?.["x-receives"];
  return {
    ...(params.length === 0 ? {} : { params }),
    ...(keys.length === 0 ? {} : { keys }),
    ...(content === null
      ? {}
      : { type: content.type, ...(hasShownExample(content.type) ? {} : { text: content.text }) }),
    ...(content?.parts == null ? {} : { parts: content.parts.map(({ name, text }) => [name, text] as const) }),
    ...(messages === undefined ? {} : { socket: messageOf(sampleOf(messages, root)) }),
  };
}

function shortened({ name, isRequired, form, value }: SampleParameter): (string | number)[] {
  const all = [isRequired ? 1 : 0, form, value];
  const usual = [0, "one", name];
  return all.slice(0, all.findLastIndex((one, at) => one !== usual[at]) + 1);
}

function keyOf({ type, scheme, in: place, name }: Readonly<Record<string, unknown>>): readonly [string, string] {
  if (type === "apiKey") return [String(place), String(name)];
  return type === "http" ? [scheme === "basic" ? "basic" : "token", String(scheme)] : ["token", "Bearer"];
}

function messageOf(message: unknown): string {
  return typeof message === "string" ? message : JSON.stringify(message);
}
