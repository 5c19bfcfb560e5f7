import { isPlainObject } from "../../http/javascript/property.ts";
import type { Tool } from "../declaration/operation.ts";
import type { Media } from "./media.ts";
import { operationNameOf } from "./operation-name.ts";
import type { OperationModel } from "./operation-model.ts";

export function isTool(value: unknown): boolean {
  if (value === true) return true;
  if (!isPlainObject(value)) return false;
  const { name, title, description, destructive, ...others } = value as Readonly<Record<string, unknown>>;
  return (
    Object.keys(others).length === 0 &&
    [name, title, description].every((text) => text === undefined || (typeof text === "string" && text !== "")) &&
    (destructive === undefined || typeof destructive === "boolean")
  );
}

/** Returns the tool that an operation is, with its name; null where it is none. */
export function toolOf(model: OperationModel): (Tool & { readonly name: string }) | null {
  const { tool } = model.declaration;
  if (tool === undefined) return null;
  const { name = operationNameOf(model, "Resource"), ...more } = tool === true ? {} : tool;
  return { ...more, name };
}

/** Whether agents can neither send a field nor choose it: it says who asks, or comes with the request of the call. */
export function isKeptFromTools(field: string): boolean {
  return kept.test(field);
}

const kept =
  /^(?:authorization|cookie|host|origin|idempotency-key|forwarded|x-real-ip|traceparent|tracestate|baggage|transfer-encoding|connection|(?:proxy|sec|x-forwarded|content)-.*)$/i;

/** Returns whether an agent can write content of a media type: JSON, or text. */
export function isSendable({ isJson, raw, schema }: Media): boolean {
  return (isJson && schema !== null) || raw?.kind === "text";
}
