import { isArrayBuffer, isBlob, isDate } from "../../http/javascript/any-realm.ts";
import { writtenProblem, type ProblemDetails } from "../../dispatch/error-response.ts";
import { isResponseLike } from "../../dispatch/fetch-response.ts";
import { OfferedTypes } from "../../fields/accept.ts";
import { essenceOf } from "../../fields/media-type.ts";
import { isDateField } from "../../fields/http-date.ts";
import { preferenceOf } from "../../fields/prefer.ts";
import { kindOf } from "../../http/javascript/described.ts";
import { ownOf } from "../../http/javascript/property.ts";
import { registeredStatus } from "../../http/protocol/status.ts";
import { AnswerPlan } from "../schema/answer-plan.ts";
import { failuresOf } from "../schema/issues.ts";
import type { StandardSchema } from "../../json-schema/standard-schema.ts";
import type { GivenContent } from "../declaration/raw-content.ts";
import { isReply, type ReplyFields } from "../declaration/reply.ts";
import type { AnswerMedium, AnswerModel } from "../operation/answer-model.ts";
import { contentKinds } from "../operation/content-kinds.ts";
import { sentTypeOf, textTypeOf } from "../operation/media.ts";
import { challengesOf } from "../operation/guards-model.ts";
import { mayBeMinimal, type OperationModel } from "../operation/operation-model.ts";
import type { LinePlace } from "./allowed.ts";
import type { LineCall } from "./line-call.ts";
import type { WholeResponse } from "./concluded-response.ts";
import { validated } from "../../json-schema/validation.ts";

/** The answer of a handler. */
export interface Answered {
  readonly status: number;
  readonly content: unknown;
  readonly headers: ReplyFields | undefined;
}

/** Reads what a handler returned: a reply, or the content of 200. */
export function answeredBy(given: unknown, emptyStatus: number): Answered {
  if (isReply(given)) return given;
  return { status: given === undefined ? emptyStatus : 200, content: given, headers: undefined };
}

/** An answer on its way from what a handler returned to a response. */
export class AnswerUnderWay {
  readonly #place: LinePlace;
  readonly #model: OperationModel;
  readonly #call: LineCall;
  readonly #answered: Answered;
  readonly #declared: AnswerModel | undefined;
  readonly #headers: Headers = new Headers();

  constructor(place: LinePlace, model: OperationModel, call: LineCall, answered: Answered) {
    this.#place = place;
    this.#model = model;
    this.#call = call;
    this.#answered = answered;
    this.#declared = model.answers.get(answered.status);
  }

  /**
   * Makes the response, as declared.
   *
   * @param fields the fields of answers below 400.
   * @throws {TypeError} when the status is not declared, or the content does not fit: the server is at fault.
   */
  async response(fields: readonly (readonly [name: string, value: string])[]): Promise<WholeResponse> {
    const { status, content } = this.#answered;
    const { name } = this.#place;
    const { method } = this.#model;
    const declared = this.#declared;
    const headers = this.#headers;
    if (isResponseLike(content)) {
      throw new TypeError(
        `Cannot answer ${method} of ${name}: its handler returned a Response; return content or a reply(), or extend the Resource of the native module`,
      );
    }
    if (declared === undefined && this.#model.isDeclared) {
      throw new TypeError(
        `Cannot answer ${method} of ${name}: ${status} is not declared; write ${status}: … in static ${method}`,
      );
    }
    if (status < 400) for (const [field, value] of fields) headers.append(field, value);
    this.#addFields(declared, declared === undefined ? this.#answered.headers : await this.#fittingFields(declared));
    if (status === 401 && !headers.has("www-authenticate")) this.#addChallenges();
    // RFC 7240 §4.2. Of another status 204 would tell less, or something else: 201 says that there is a new resource,
    // 202 that there may be.
    if (mayBeMinimal(this.#model, status) && preferenceOf(this.#field("prefer") ?? "", "return") === "minimal") {
      headers.append("preference-applied", "return=minimal");
      headers.append("vary", "Prefer");
      return { status: 204, headers, content: null };
    }
    if (declared === undefined) {
      const text = content === undefined ? null : this.#planned(this.#what, anyPlan, content);
      return { status, headers, content: text === null ? null : written(text, "application/json", headers) };
    }
    if (declared.isProblem) {
      const { problems } = this.#place;
      const [type, text] = writtenProblem(problemOf(declared, content), problems, undefined, this.#call.request);
      return { status, headers, content: written(text, type, headers) };
    }
    if (declared.media.length === 0) return { status, headers, content: null };
    return { status, headers, content: await this.#contentAs(this.#mediumOf(declared)) };
  }

  /** Says how to authenticate, as each 401 must (RFC 9110 §15.5.2). */
  #addChallenges(): void {
    const { guards, declaration, method } = this.#model;
    const challenges = challengesOf(guards, declaration);
    for (const challenge of challenges) this.#headers.append("www-authenticate", challenge);
    if (challenges.length > 0 || this.#place.replies !== "check") return;
    throw new TypeError(
      `Cannot answer ${method} of ${this.#place.name}: 401 has no WWW-Authenticate; give reply() the field, declare security, or answer 403`,
    );
  }

  get #what(): string {
    return `the content of ${this.#answered.status}`;
  }

  #field(name: string): string | null {
    return this.#call.fields.get(name);
  }

  /**
   * Chooses among the media types of a status. Step 5 has asked for what is below 300; nothing else is refused any
   * more.
   */
  #mediumOf({ status, media }: AnswerModel): AnswerMedium {
    if (status < 300) return media.find(({ type }) => type === this.#call.mediaType) ?? media[0]!;
    if (media.length === 1) return media[0]!;
    if (status >= 400 || this.#model.produces.length < 2) this.#headers.append("vary", "Accept");
    return media[new OfferedTypes(media.map(sentTypeOf)).preferredAt(this.#field("accept"))] ?? media[0]!;
  }

  async #contentAs(medium: AnswerMedium): Promise<WholeResponse["content"]> {
    const { raw, type } = medium;
    const { status, content } = this.#answered;
    const headers = this.#headers;
    if (raw === null) {
      headers.set("content-type", type);
      return this.#textOf(this.#what, medium, content);
    }
    const { isFit, expected } = contentKinds[raw.kind];
    if (!isFit(content)) throw this.#unfit(this.#what, [{ pointer: "#", detail: expected }]);
    if (raw.kind === "bytes") {
      // What a client once named must not decide how a browser reads it: uploads are stored with the client's type.
      if (essenceOf(type) === unknownBytes) headers.set("x-content-type-options", "nosniff");
      else if (isBlob(content) && content.type !== "" && essenceOf(content.type) !== essenceOf(type)) {
        throw this.#unfit(this.#what, [
          { pointer: "#", detail: `Expected a Blob of ${type}, got one of another type` },
        ]);
      }
    }
    if (!("stream" in raw)) return rawContent(raw, content, type, headers);
    headers.set("content-type", type);
    const writeEvent = (data: unknown): Promise<string> => this.#textOf(`an event of ${status}`, medium, data);
    const writeLine = (value: unknown): Promise<string> => this.#textOf(`a line of ${status}`, medium, value);
    const values = content as AsyncIterable<unknown>;
    // The tag is of the type that the client prefers, and this status has only events.
    if (raw.kind === "events" && type !== this.#call.mediaType)
      for (const field of ["etag", "last-modified"]) headers.delete(field);
    return raw.kind === "events"
      ? raw.stream(values, writeEvent, this.#call, headers)
      : raw.stream(values, writeLine, this.#call.leaving, headers);
  }

  /** Writes what a schema declares: JSON, or text where the media type is another one. */
  async #textOf(what: string, { answered, writer, isJson, schema }: AnswerMedium, content: unknown): Promise<string> {
    const { replies } = this.#place;
    if (replies === "trust") return isJson || schema === null ? JSON.stringify(content) : String(content);
    // A plan writes only members that the JSON Schema names: most answers need no validation.
    if (replies === "plan" && writer !== null && !writer.isPartial) {
      const text = writer.write(content);
      if (typeof text === "string") return text;
    }
    const value = await this.#fitting(what, answered!, content);
    return writer === null ? String(value) : this.#planned(what, writer, value);
  }

  /** Writes JSON by a plan. */
  #planned(what: string, writer: AnswerPlan, content: unknown): string {
    const text = writer.write(content);
    if (typeof text === "string") return text;
    throw this.#unfit(what, text);
  }

  /** The fields that a handler gave: those that are declared as their schemas return them. */
  async #fittingFields({ status, headers }: AnswerModel): Promise<ReplyFields | undefined> {
    const { headers: given } = this.#answered;
    if (headers.length === 0 || this.#place.replies === "trust") return given;
    const fields: Record<string, unknown> = ownOf(
      Object.fromEntries(Object.entries(given ?? {}).map(([name, value]) => [name.toLowerCase(), value])),
    );
    for (const [declared, schema] of headers) {
      const name = declared.toLowerCase();
      fields[name] = await this.#fitting(`the field ${name} of ${status}`, schema, fields[name]);
    }
    return fields as ReplyFields;
  }

  #addFields(declared: AnswerModel | undefined, given: ReplyFields | undefined): void {
    const headers = this.#headers;
    for (const [name, value] of Object.entries(given ?? {})) {
      if (value === undefined) continue;
      const lines = (Array.isArray(value) ? value : [value]) as readonly unknown[];
      if (!added.test(name)) headers.delete(name);
      for (const line of lines) if (line !== undefined) headers.append(name, this.#lineOf(name, line, declared));
    }
  }

  /** Writes a value of a field. A date is what the document says: an HTTP-date where HTTP says so, else a date-time. */
  #lineOf(name: string, value: unknown, declared: AnswerModel | undefined): string {
    if (/^(?:string|number|boolean|bigint)$/.test(typeof value)) return String(value);
    if (isDate(value) && !Number.isNaN(value.getTime())) {
      const isDeclared = declared?.headers.some(([field]) => field.toLowerCase() === name.toLowerCase()) === true;
      return isDeclared && !isDateField(name) ? value.toISOString() : value.toUTCString();
    }
    const detail = `Expected text, a number, a boolean or a date, got ${kindOf(value)}`;
    throw this.#unfit(`the field ${name} of ${this.#answered.status}`, [{ pointer: "#", detail }]);
  }

  /** Returns the schema's output for the content. */
  async #fitting(what: string, schema: StandardSchema, content: unknown): Promise<unknown> {
    const { vendor } = schema["~standard"];
    const outcome = await validated(schema, content);
    if (outcome.issues === undefined) return outcome.value;
    throw this.#unfit(what, failuresOf("content", { vendor, schema, sent: content, issues: outcome.issues }));
  }

  #unfit(what: string, faults: readonly { readonly pointer: string; readonly detail: string }[]): TypeError {
    const places = faults.slice(0, 3).map(({ pointer, detail }) => `${pointer} (${detail})`);
    return new TypeError(
      `Cannot answer ${this.#model.method} of ${this.#place.name}: ${what} does not fit at ${places.join(", ")}`,
    );
  }
}

/** Writes what nothing is declared of. */
const anyPlan = new AnswerPlan({});

/** The type of bytes of which nothing is known (RFC 9110 §8.3). */
const unknownBytes = "application/octet-stream";

function rawContent(
  declared: Exclude<GivenContent, { readonly stream: unknown }>,
  content: unknown,
  type: string,
  headers: Headers,
): WholeResponse["content"] {
  if (declared.kind === "written")
    return written((declared.write as (value: unknown) => string)(content), type, headers);
  if (declared.kind === "text") return written(content as string, textTypeOf(type), headers);
  headers.set("content-type", type);
  if (isArrayBuffer(content)) return new Uint8Array(content);
  if (!ArrayBuffer.isView(content)) return content as Blob | ReadableStream<Uint8Array>;
  return new Uint8Array(content.buffer as ArrayBuffer, content.byteOffset, content.byteLength);
}

function written(text: string, type: string, headers: Headers): string {
  headers.set("content-type", type);
  return text;
}

/** Problem details (RFC 9457): what the handler says, and what the status says where it says nothing. */
function problemOf({ status, description }: AnswerModel, content: unknown): ProblemDetails {
  const {
    title = registeredStatus(status)?.statusText ?? description ?? `Status ${status}`,
    detail = description ?? undefined,
    ...more
  } = (content ?? {}) as Partial<ProblemDetails>;
  return { title, status, detail, ...more };
}

/** The fields that are lists, of which the line may have written members already. A handler adds others. */
const added = /^(?:link|preference-applied|set-cookie|vary)$/i;
