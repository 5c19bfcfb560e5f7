import type { Preconditions, Validators } from "../fields/preconditions.ts";
import { isConditional, preconditionsOf } from "../fields/request-preconditions.ts";
import { HTTPError } from "../http/protocol/http-error.ts";
import type { Trace } from "./explained-trace.ts";
import { allowedAt, type LinePlace } from "./line/allowed.ts";
import type { RequestMedia } from "./line/input-plan.ts";
import { LineCall, type LineRequest } from "./line/line-call.ts";
import type { Plan } from "./line/plan.ts";
import { readFields, readPath, readTaken, takenMedia } from "./line/read-parts.ts";
import { acceptable, isModified } from "./line/weigh.ts";

/**
 * Walks along the steps of `perform()`, and notes what each finds.
 *
 * @param copy the request, whose content is read: `perform()` reads the one of the request.
 */
export async function explainLine(
  trace: Trace,
  place: LinePlace,
  request: LineRequest,
  copy: Request,
  method: string,
  isRun: boolean,
): Promise<void> {
  const allowed = allowedAt(place, request.params.pattern);
  const plan = allowed.planFor(method);
  if (plan === null) {
    if (method === "OPTIONS") return trace.end(1, `yes: Allow is ${allowed.allow}`, 204);
    return trace.end(1, `no: ${place.name} allows ${allowed.allow}`, 405);
  }
  trace.find(1, plan.method === method ? "yes" : `yes: ${plan.method} answers it`);
  const call = new LineCall(request, allowed.paramNames);
  try {
    const { path, query, headers, cookies, content, produces } = plan;
    trace.at = 2;
    call.path = Object.fromEntries(call.pathEntries());
    if (path !== null) trace.find(2, `yes: ${JSON.stringify((call.path = await readPath(path, call)))}`);
    trace.at = 3;
    if (query !== null || headers !== null || cookies !== null) {
      await readFields(plan, request, call, call);
      trace.find(3, "yes");
    }
    trace.at = 4;
    let media: RequestMedia | null = null;
    if (content !== null) {
      media = await takenMedia(content, copy, plan.method);
      trace.find(4, `yes: ${media?.type ?? "there is none, and none need be"}`);
    }
    trace.at = 5;
    if (produces.length > 0) {
      call.mediaType = acceptable(plan, request.headers.get("accept"));
      trace.find(5, `yes: ${call.mediaType}`);
    }
    trace.at = 6;
    if (!(await explainPreconditions(trace, plan, call, isRun))) return;
    trace.at = 7;
    if (media !== null) {
      await readTaken(content!, media, copy);
      trace.find(7, "yes");
    }
  } catch (error) {
    if (!(error instanceof HTTPError)) {
      if (!isRun) throw error;
      return trace.end(trace.at, `it fails: ${String(error)}`, 500);
    }
    const places = error.errors ?? [];
    const told = places.map((one) => `${one.in} ${one.pointer}: ${one.detail}`).join("; ");
    const finding = `no: ${told || error.message}`;
    if (trace.isSure) return trace.end(trace.at, finding, error.status);
    return trace.end(trace.at, `${finding}; ${error.status} if the preconditions hold`, null);
  }
  const statuses = [...plan.answers.keys()].join(", ");
  if (!isRun) trace.find(8, `not called: ${plan.method} of ${place.name}${statuses && `, which declares ${statuses}`}`);
}

/** Returns whether the request goes on. */
async function explainPreconditions(trace: Trace, plan: Plan, call: LineCall, isRun: boolean): Promise<boolean> {
  // RFC 9110 §13.2.1: of some methods they are ignored.
  if (!plan.takesPreconditions) return true;
  const preconditions = preconditionsOf(call.request);
  const isSent = Object.values(preconditions).some((value) => value !== null);
  const isRequired = plan.operation.conditional === "required";
  if (!isSent && !isRequired && !plan.hasValidator) return true;
  if (plan.hasValidator && !isRun) {
    if (isRequired && !isConditional(preconditions, undefined)) {
      trace.end(6, "no: one is required, unless validator() returns null", 428);
      return false;
    }
    trace.isSure = !isSent;
    trace.find(6, "not asked: validator() is not called");
    return true;
  }
  const current = plan.hasValidator ? await plan.validatorsOf(call) : undefined;
  if (!isModified(plan, preconditions, current)) {
    trace.end(6, "yes, and the client has it already", 304);
    return false;
  }
  trace.find(
    6,
    current === undefined ? "not known: the resource does not say" : `yes: ${whyHeld(preconditions, current)}`,
  );
  return true;
}

/** Says why preconditions hold, by the first that was evaluated (RFC 9110 §13.2.2). */
function whyHeld(preconditions: Preconditions, current: Validators | null): string {
  if (current === null) return "there is no representation";
  if (preconditions.ifMatch !== null) return "If-Match holds";
  if (isConditional({ ...preconditions, ifNoneMatch: null }, current)) return "If-Unmodified-Since holds";
  return "the client has another version, or asks for none";
}
