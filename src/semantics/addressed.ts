import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { exchangesOf } from "../dispatch/input-exchange.ts";
import { addVary } from "../fields/vary.ts";
import { copiedResponse } from "../http/message/copied-response.ts";
import { lightContent, lightFields, type LightResponse } from "../http/message/light-response.ts";
import { planAt } from "./line-resource.ts";

/**
 * Says in the fields of a response for whom it is. No handler of the line made the response: an error may have one.
 * Fields that it has stay.
 *
 * @param from the first status that gets them: good answers of middleware are its own.
 */
export function addressed(dispatcher: Dispatcher, response: Response, request: Request, from: number): Response {
  // 304 has the fields of the 200, which replace those that a cache has.
  if (response.status < from || response.status === 304) return response;
  // Middleware may have gone on with another request.
  const exchanges = exchangesOf(request).flatMap((one) => [one, ...(one.ties?.replacements ?? [])]);
  // Nothing matched: there are no params.
  // PERF: to match again takes 0.2 us of 1.9 on Bun (`node bench/requests.js`, R6 404).
  if (exchanges.length === 0 && (request as { readonly params?: unknown }).params === undefined) return response;
  const all = exchanges.length > 0 ? exchanges : [{ found: dispatcher.match(request), method: request.method }];
  const lines = all.flatMap(({ found, method }) => planAt(found, method)?.audience ?? []);
  if (lines.length === 0) return response;
  // A light response with a text is of one request. Any other one may be immutable, or given to everyone.
  const sent: Response & Partial<LightResponse> =
    typeof (response as Partial<LightResponse>)[lightContent] === "string" ? response : copiedResponse(response);
  const fields = sent[lightFields]?.() ?? sent.headers;
  for (const [name, value] of lines) {
    if (name === "vary") addVary(fields, ...value.split(", "));
    else if (!fields.has(name)) fields.set(name, value);
  }
  return sent;
}
