import { jsonPatched } from "../../json-schema/value/json-patch.ts";
import { mergePatched } from "../../json-schema/value/merge-patch.ts";
import { chainBesides, runFurther } from "../../dispatch/further-request.ts";
import { carryHostProperties } from "../../dispatch/host-properties.ts";
import { parseEntityTag } from "../../fields/entity-tag.ts";
import { ownSignal } from "../../http/javascript/any-signal.ts";
import { ownOf } from "../../http/javascript/property.ts";
import { headersInitOf } from "../../http/answer/field-list.ts";
import { fieldsOf } from "../../http/message/copied-response.ts";
import { lightFurther, lightSelf, type LightRequest } from "../../http/message/light-request.ts";
import { lightContent, type LightResponse } from "../../http/message/light-response.ts";
import { HTTPError, refusal } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import {
  methodsOfPatch,
  requestsOfPatch,
  type PatchCall,
  type PatchHandlerFor,
  type RequestOfPatch,
} from "../operation/made-operation.ts";
import type { RequestMedium } from "../operation/input-model.ts";
import type { ReadOnlyMembers } from "../../json-schema/library/read-only-members.ts";
import { refusedContent } from "./read-taken.ts";

/** So often GET, the patch and PUT run again, if the resource has changed meanwhile. */
const mostRepeats = 3;

/** Fields of a request that are of its content, its preconditions or its key, and not of another request. */
const ofPatch = /^(?:content-.*|if-.*|transfer-encoding|idempotency-key|range)$/;

/** Fields by which an answer is chosen: that of PUT is the one that the client gets. */
const ofAnswer = /^(?:accept|accept-encoding|prefer)$/;

/**
 * Makes the handler of a PATCH: it asks GET, patches what GET has sent, and sends that to PUT. Both requests go through
 * the middleware that guards them, as far as it has not run for PATCH. PUT gets `If-Match` with the tag of GET, so that
 * no change in between is lost.
 * @param medium the JSON that PUT takes.
 */
export function patchHandler(medium: RequestMedium, members: ReadOnlyMembers): PatchHandlerFor {
  return ({ mounted, dispatcher, isConditional, weigh }) => {
    const [patchMethod, getMethod, putMethod] = methodsOfPatch as [string, string, string];
    const { name } = mounted;
    const chains = new Map([
      [getMethod, chainBesides(mounted.chain, getMethod, [patchMethod])],
      [putMethod, chainBesides(mounted.chain, putMethod, [patchMethod, getMethod])],
    ]);

    async function ask(
      { request }: PatchCall,
      method: string,
      fields: string[],
      body: string | null,
    ): Promise<RequestOfPatch & { readonly response: Response }> {
      for (const [field, value] of request.headers) {
        if (!ofPatch.test(field) && (method === putMethod || !ofAnswer.test(field))) fields.push(field, value);
      }
      const further = furtherOf(request, method, fields, body);
      carryHostProperties(request, further);
      const learned: RequestOfPatch = { version: undefined };
      requestsOfPatch.set(further, learned);
      const response = (await runFurther(dispatcher, mounted, request, further, chains.get(method)!)) as Response;
      return { ...learned, response };
    }

    async function patchOnce(call: PatchCall): Promise<Response> {
      const { response: read, version } = await ask(call, getMethod, ["accept", "application/json"], null);
      if (read.status >= 400) return read;
      const etag = fieldsOf(read).get("etag") ?? "";
      const tag = parseEntityTag(etag);
      if (read.status !== 200 || tag === null || tag.isWeak || version === null) {
        await read.body?.cancel();
        throw new TypeError(
          read.status === 200
            ? `Cannot answer PATCH of ${name}: validator() has no strong etag for what GET sends, so that changes ` +
                `could be lost; return { etag: '"7"' }`
            : `Cannot answer PATCH of ${name}: GET answers ${read.status}, and only JSON of 200 can be patched`,
        );
      }
      if (isConditional(call)) weigh(call, etag);
      const { [lightContent]: text } = read as Partial<LightResponse>;
      const before: unknown = await (typeof text === "string" ? JSON.parse(text) : read.json());
      // JSON Patch changes what it is given.
      const patched =
        call.contentType === "application/json-patch+json"
          ? jsonPatched(JSON.parse(JSON.stringify(before)), call.content, medium.maxBytes)
          : mergePatched(before, call.content);
      const { content, failures } = members.leaveOut(patched, before);
      if (failures.length > 0) throw refusedContent(failures);
      const fields = ["content-type", medium.type, "if-match", etag];
      return (await ask(call, putMethod, fields, JSON.stringify(content))).response;
    }

    return async (call) => {
      for (let repeats = 0; ; repeats++) {
        try {
          const response = await patchOnce(call);
          if (response.status !== 412 || isConditional(call)) return response;
          await response.body?.cancel();
        } catch (error) {
          const isRace = error instanceof HTTPError && error.status === 412 && !isConditional(call);
          if (!isRace) throw error;
        }
        if (repeats < mostRepeats) continue;
        throw refusal(Status.Conflict, "The content changed four times; send the patch again");
      }
    };
  };
}

/**
 * Makes a request of another method. PERF: two of the platform take 110 of 250 us (`node bench/features/main.js
 * --rows=patch`).
 */
function furtherOf(request: Request, method: string, fields: readonly string[], body: string | null): Request {
  const { url } = request;
  // A `Proxy` of a light request is another one.
  const isLight = (request as Partial<LightRequest>)[lightSelf] === request;
  return isLight
    ? (request as Request & LightRequest)[lightFurther](url, method, fields, body)
    : new Request(url, ownOf({ method, headers: headersInitOf(fields), body, signal: ownSignal(request.signal) }));
}
