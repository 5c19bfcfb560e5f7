import { callUrl } from "../client/call-url.ts";
import { carryHostProperties } from "../dispatch/host-properties.ts";
import { shareHost } from "../dispatch/input-exchange.ts";
import { findStoppingBy, stoppingSignalFor } from "../dispatch/stopping-signal.ts";
import { isSendable } from "../semantics/operation/tools.ts";
import type { AgentTool } from "./agent-tool.ts";
import type { ToolArguments } from "./tool-input.ts";
import { wordSet } from "../http/javascript/word-set.ts";

/**
 * Makes the request of a tool's call. It has what the request around it has of its sender: all fields that are not of
 * that request alone, the address and the signal. So guards, `csrf()` and `rateLimit()` let through no more than they
 * do over HTTP.
 *
 * @param around the request that brought the call.
 * @throws {TypeError} when the path cannot hold an argument.
 */
export function requestOf(
  { model, pattern }: Pick<AgentTool, "model" | "pattern">,
  { path, query, headers, content }: ToolArguments,
  around: Request,
  hasCookies: boolean,
): Request {
  const fields = new Headers(headers as [string, string][]);
  for (const [name, value] of around.headers) {
    if (!isOfAround(name) || (hasCookies && name === "cookie")) fields.set(name, value);
  }
  const medium = model.content?.media.find(isSendable);
  if (content !== undefined && medium !== undefined) fields.set("content-type", medium.type);
  const accepted = [...model.answers.values()].find(({ status, media }) => status < 300 && media.length > 1);
  const json = accepted?.media.find(({ isJson }) => isJson);
  // Agents read JSON best, so they ask for it where an answer may have several types.
  if (json !== undefined) fields.set("accept", `${json.type}, application/problem+json, */*;q=0.5`);
  const request = new Request(callUrl(new URL(around.url).origin, pattern, { path, query }), {
    method: model.method,
    headers: fields,
    body: content === undefined ? null : medium!.schema === null ? String(content) : JSON.stringify(content),
    signal: around.signal,
  });
  carryHostProperties(around, request);
  shareHost(around, request);
  const stopping = stoppingSignalFor(around);
  if (stopping !== null) stoppings.set(request, stopping);
  return request;
}

/**
 * Returns whether a field is of the request that brought a call, and says nothing of its sender. All others are taken
 * over, and no input is in their place: a gateway says by a field of its own who asks.
 */
function isOfAround(name: string): boolean {
  return ofAround.has(name) || /^(?:content|if|mcp)-/.test(name);
}

const ofAround = /* @__PURE__ */ wordSet(
  "accept accept-encoding transfer-encoding connection keep-alive te trailer upgrade expect host range " +
    "last-event-id idempotency-key cookie",
);

/** The signals of the servers that calls came in by. */
const stoppings = new WeakMap<object, AbortSignal>();
findStoppingBy((request) => stoppings.get(request) ?? null);
