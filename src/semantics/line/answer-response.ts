import { writtenProblem, type ProblemDetails } from "../../dispatch/error-response.ts";
import { OfferedTypes } from "../../fields/accept.ts";
import { preferenceOf } from "../../fields/prefer.ts";
import { requestField } from "../../fields/request-fields.ts";
import { isAsyncIterable } from "../../http/javascript/async-iterable.ts";
import { ownOf } from "../../http/javascript/property.ts";
import { registeredStatus } from "../../http/protocol/status.ts";
import { AnswerPlan } from "../content/answer-plan.ts";
import { failuresOf } from "../content/issues.ts";
import type { StandardSchema } from "../declaration/standard-schema.ts";
import type { RawContent } from "../declaration/raw-content.ts";
import type { ReplyFields } from "../declaration/reply.ts";
import type { LinePlace } from "./allowed.ts";
import type { LineCall } from "./line-call.ts";
import { sentTypeOf, textTypeOf } from "./media.ts";
import { mayBeMinimal } from "./plain-answer.ts";
import type { Plan } from "./plan.ts";
import type { AnswerMedia, StatusPlan } from "./status-plan.ts";
import type { WholeResponse } from "./concluded.ts";

/** The answer of a handler. */
export interface Answered {
  readonly status: number;
  readonly content: unknown;
  readonly headers: ReplyFields | undefined;
}

/**
 * Makes an answer out of what the handler returned, as declared.
 *
 * @throws {TypeError} when the status is not declared, or the content does not fit: the server is at fault.
 */
export async function answerResponse(
  place: LinePlace,
  plan: Plan,
  call: LineCall,
  { status, content, headers: given }: Answered,
  fields: [string, string][],
): Promise<WholeResponse> {
  const answer = plan.answers.get(status);
  if (answer === undefined && plan.isDeclared) {
    throw new TypeError(
      `Cannot answer ${plan.method} of ${place.name}: ${status} is not declared; write ${status}: … in static ${plan.method}`,
    );
  }
  const headers = new Headers(status < 400 ? fields : []);
  addFields(headers, answer === undefined ? given : await fittingFields(place, plan, answer, given));
  // RFC 7240 §4.2. Of another status 204 would tell less, or something else: 201 says that there is a new resource, 202 that there may be.
  if (mayBeMinimal(plan, status) && preferenceOf(requestField(call.request, "prefer") ?? "", "return") === "minimal") {
    headers.append("preference-applied", "return=minimal");
    headers.append("vary", "Prefer");
    return { status: 204, headers, content: null };
  }
  if (answer === undefined)
    return {
      status,
      headers,
      content:
        content === undefined
          ? null
          : written(planned(place, plan, `the content of ${status}`, anyPlan, content), "application/json", headers),
    };
  if (answer.isProblem) {
    const [type, text] = writtenProblem(problemOf(answer, content), place.problems, undefined, call.request);
    return { status, headers, content: written(text, type, headers) };
  }
  if (answer.media.length === 0) return { status, headers, content: null };
  const media = mediaFor(plan, call, answer, headers);
  return { status, headers, content: await contentOf(place, plan, call, status, media, content, headers) };
}

/** Chooses among the media types of a status. Step 5 has asked for what is below 300; nothing else is refused any more. */
function mediaFor({ produces }: Plan, call: LineCall, { status, media }: StatusPlan, headers: Headers): AnswerMedia {
  if (status < 300) return media.find(({ type }) => type === call.mediaType) ?? media[0]!;
  if (media.length === 1) return media[0]!;
  if (status >= 400 || produces.length < 2) headers.append("vary", "Accept");
  return media[new OfferedTypes(media.map(sentTypeOf)).preferredAt(requestField(call.request, "accept"))] ?? media[0]!;
}

async function contentOf(
  place: LinePlace,
  plan: Plan,
  call: LineCall,
  status: number,
  media: AnswerMedia,
  content: unknown,
  headers: Headers,
): Promise<WholeResponse["content"]> {
  const { raw, type } = media;
  if (raw === null) {
    headers.set("content-type", type);
    return textOf(place, plan, `the content of ${status}`, media, content);
  }
  const [isFit, expected] = kinds[raw.kind];
  if (!isFit(content)) {
    throw unfit(place, plan, `the content of ${status}`, [{ pointer: "#", detail: expected }]);
  }
  if (raw.kind !== "events") return rawContent(raw, content, type, headers);
  const write = (data: unknown): Promise<string> => textOf(place, plan, `an event of ${status}`, media, data);
  return raw.stream(content as AsyncIterable<unknown>, write, call.leaving, headers);
}

/** Writes what a schema declares: JSON, or text where the media type is another one. */
async function textOf(
  place: LinePlace,
  plan: Plan,
  what: string,
  { answered, writer, isJson, schema }: AnswerMedia,
  content: unknown,
): Promise<string> {
  if (place.replies === "trust") return isJson || schema === null ? JSON.stringify(content) : String(content);
  // A plan writes only members that the JSON Schema names: most answers need no validation.
  if (place.replies === "plan" && writer !== null && !writer.isPartial) {
    const text = writer.write(content);
    if (typeof text === "string") return text;
  }
  const value = await fitting(place, plan, what, answered!, content);
  return writer === null ? String(value) : planned(place, plan, what, writer, value);
}

/** Writes JSON by a plan. */
function planned(place: LinePlace, plan: Plan, what: string, writer: AnswerPlan, content: unknown): string {
  const text = writer.write(content);
  if (typeof text === "string") return text;
  throw unfit(place, plan, what, text);
}

/** Writes what nothing is declared of. */
const anyPlan = new AnswerPlan({});

/** The fields that a handler gave: those that are declared as their schemas return them. */
async function fittingFields(
  place: LinePlace,
  plan: Plan,
  { status, headers }: StatusPlan,
  given: ReplyFields | undefined,
): Promise<ReplyFields | undefined> {
  if (headers.length === 0 || place.replies === "trust") return given;
  const fields: Record<string, unknown> = ownOf(
    Object.fromEntries(Object.entries(given ?? {}).map(([name, value]) => [name.toLowerCase(), value])),
  );
  for (const [name, schema] of headers) {
    fields[name] = await fitting(place, plan, `the field ${name} of ${status}`, schema, fields[name]);
  }
  return fields as ReplyFields;
}

/** Returns the schema's output for the content. */
async function fitting(
  place: LinePlace,
  plan: Plan,
  what: string,
  schema: StandardSchema,
  content: unknown,
): Promise<unknown> {
  const { vendor, validate } = schema["~standard"];
  const outcome = await validate(content);
  if (outcome.issues === undefined) return outcome.value;
  throw unfit(place, plan, what, failuresOf("content", { vendor, sent: content, issues: outcome.issues }));
}

function unfit(
  { name }: LinePlace,
  { method }: Plan,
  what: string,
  faults: readonly { readonly pointer: string; readonly detail: string }[],
): TypeError {
  const places = faults.slice(0, 3).map(({ pointer, detail }) => `${pointer} (${detail})`);
  return new TypeError(`Cannot answer ${method} of ${name}: ${what} does not fit at ${places.join(", ")}`);
}

/** The value that a handler must return for each kind of raw content. */
const kinds: Readonly<Record<RawContent["kind"], readonly [isFit: (content: unknown) => boolean, expected: string]>> = {
  written: [() => true, ""],
  text: [(content) => typeof content === "string", "Expected a string"],
  bytes: [
    (content) =>
      content instanceof Blob ||
      content instanceof ArrayBuffer ||
      content instanceof ReadableStream ||
      ArrayBuffer.isView(content),
    "Expected a Blob, an ArrayBuffer, a view of one or a ReadableStream",
  ],
  events: [isAsyncIterable, "Expected an async iterable"],
};

function rawContent(
  declared: Exclude<RawContent, { kind: "events" }>,
  content: unknown,
  type: string,
  headers: Headers,
): WholeResponse["content"] {
  if (declared.kind === "written")
    return written((declared.write as (value: unknown) => string)(content), type, headers);
  if (declared.kind === "text") return written(content as string, textTypeOf(type), headers);
  headers.set("content-type", content instanceof Blob && content.type !== "" ? content.type : type);
  if (content instanceof ArrayBuffer) return new Uint8Array(content);
  if (!ArrayBuffer.isView(content)) return content as Blob | ReadableStream<Uint8Array>;
  return new Uint8Array(content.buffer as ArrayBuffer, content.byteOffset, content.byteLength);
}

function written(text: string, type: string, headers: Headers): string {
  headers.set("content-type", type);
  return text;
}

/** Problem details (RFC 9457): what the handler says, and what the status says where it says nothing. */
function problemOf({ status, description }: StatusPlan, content: unknown): ProblemDetails {
  const {
    title = registeredStatus(status)?.statusText ?? "",
    detail = description ?? undefined,
    ...more
  } = (content ?? {}) as Partial<ProblemDetails>;
  return { title, status, ...(detail === undefined ? {} : { detail }), ...more };
}

/** The fields that are lists, of which the line may have written members already. A handler adds others. */
const added = /^(?:link|preference-applied|set-cookie|vary)$/i;

function addFields(headers: Headers, given: ReplyFields | undefined): void {
  for (const [name, value] of Object.entries(given ?? {})) {
    if (value === undefined) continue;
    const lines = (Array.isArray(value) ? value : [value]) as readonly unknown[];
    if (!added.test(name)) headers.delete(name);
    for (const line of lines) headers.append(name, line instanceof Date ? line.toUTCString() : String(line));
  }
}
