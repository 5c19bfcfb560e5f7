import { isBlob, isDate, isError } from "../../http/javascript/any-realm.ts";
import { writtenProblem, type ProblemDetails } from "../../dispatch/error-response.ts";
import { isResponseLike } from "../../dispatch/fetch-response.ts";
import { isDateField } from "../../fields/http-date.ts";
import { addVary } from "../../fields/vary.ts";
import { preferenceOf } from "../../fields/prefer.ts";
import { Answer, type Content } from "../../http/answer/carried-answer.ts";
import type { FieldList } from "../../http/answer/field-list.ts";
import { kindOf, quoted } from "../../http/javascript/described.ts";
import { ownOf } from "../../http/javascript/property.ts";
import { registeredStatus } from "../../http/protocol/status.ts";
import { AnswerPlan } from "../../json-schema/answer/answer-plan.ts";
import { failuresOf } from "../../json-schema/library/issues.ts";
import type { StandardSchema } from "../../json-schema/shape/standard-schema.ts";
import { isReply, type ReplyHeaders } from "../declaration/reply.ts";
import { isNamed, textTypeOf, typeGivenBy } from "../declaration/content-sending.ts";
import type { AnswerMedium, AnswerModel } from "../operation/answer-model.ts";
import { challengesOf } from "../operation/guards-model.ts";
import { mayBeMinimal, type OperationModel } from "../operation/operation-model.ts";
import type { LineResource } from "./allowed.ts";
import type { Line } from "./audience.ts";
import { cacheFor } from "./cache-for.ts";
import type { Plan } from "./plan.ts";
import type { LineCall } from "./line-call.ts";
import { unknownToUnmodified } from "./unmodified-fields.ts";
import { cancel } from "./concluded-response.ts";
import { knownLengthOf, typedText } from "./written-content.ts";
import { mediumFor, ownMediaOf, preferredOf } from "./typed-content.ts";
import { validated } from "../../json-schema/shape/validation.ts";

/** The answer of a handler. */
export interface Answered {
  readonly status: number;
  readonly content: unknown;
  readonly headers: ReplyHeaders | undefined;
}

/** An answer on its way from what a handler returned to what is declared. */
export class AnswerUnderWay {
  readonly #resource: LineResource;
  readonly #plan: Plan;
  readonly #model: OperationModel;
  readonly #call: LineCall;
  readonly #answered: Answered;
  readonly #declared: AnswerModel | undefined;
  readonly #answer: Answer;
  readonly #fields: FieldList;

  constructor(resource: LineResource, plan: Plan, call: LineCall, answered: Answered) {
    this.#resource = resource;
    this.#plan = plan;
    this.#model = plan.model;
    this.#call = call;
    this.#answered = answered;
    this.#declared = plan.model.answers.get(answered.status);
    this.#answer = new Answer(answered.status, [], null);
    this.#answer.isCoded = true;
    this.#fields = this.#answer.fields;
  }

  /** Goes through all steps. @param fields those that do not depend on what the handler gave. */
  async answer(fields: readonly (readonly [name: string, value: string])[]): Promise<Answer> {
    const answer = this.#answer;
    answer.content = await this.#content(fields);
    // Nothing else sets them.
    if (this.#answered.headers === undefined) return answer;
    this.#refuseUnknown(fields);
    if (this.#fields.has("transfer-encoding")) throw this.#misframed("Transfer-Encoding, which the server writes");
    const given = this.#fields.get("content-length");
    if (given === null) return answer;
    const length = knownLengthOf(answer.content);
    if (length !== null && given !== String(length)) {
      throw this.#misframed(`Content-Length ${quoted(given.slice(0, 80))}, and its content has ${length} bytes`);
    }
    return answer;
  }

  /** @throws {TypeError} for a field that a 304 to the same client would lack, where answers are checked. */
  #refuseUnknown(known: readonly Line[]): void {
    const { status, headers, content } = this.#answered;
    if (this.#resource.replies !== "check" || status !== 200) return;
    const name = unknownToUnmodified(headers!, known);
    if (name === undefined) return;
    cancel(content);
    throw new TypeError(
      `Cannot answer ${this.#model.method} of ${this.#resource.name}: the reply() of 200 has ${name}, which 304 ` +
        "would lack; return it as headers of validator()",
    );
  }

  #misframed(told: string): TypeError {
    const { method } = this.#model;
    cancel(this.#answered.content);
    return new TypeError(
      `Cannot answer ${method} of ${this.#resource.name}: the reply() of ${this.#answered.status} has ${told}; leave ` +
        "the field out",
    );
  }

  async #content(added: readonly (readonly [name: string, value: string])[]): Promise<Content> {
    const { status, content } = this.#answered;
    const { name } = this.#resource;
    const { method } = this.#model;
    const declared = this.#declared;
    const fields = this.#fields;
    if (isResponseLike(content)) {
      throw new TypeError(
        `Cannot answer ${method} of ${name}: its handler returned a Response; return content or a reply(), or extend ` +
          "the Resource of fingerpost/native",
      );
    }
    if (isError(content)) {
      throw new TypeError(`Cannot answer ${method} of ${name}: its handler returned an error; write throw`);
    }
    if (declared === undefined && this.#model.isDeclared) {
      throw new TypeError(
        `Cannot answer ${method} of ${name}: ${status} is not declared; write ${status}: … in static ${method}`,
      );
    }
    for (const [field, value] of added) fields.append(field, value);
    const given = this.#answered.headers && typeGivenBy(this.#answered.headers);
    this.#addFields(declared, declared === undefined ? this.#answered.headers : await this.#fittingFields(declared));
    if (status === 401 && !fields.has("www-authenticate")) this.#addChallenges();
    // RFC 7240 §4.2. Of another status 204 would tell less, or something else: 201 says that there is a new resource,
    // 202 that there may be.
    if (mayBeMinimal(this.#model, status) && preferenceOf(this.#field("prefer") ?? "", "return") === "minimal") {
      fields.append("preference-applied", "return=minimal");
      fields.append("vary", "Prefer");
      for (const field of ["content-type", "content-length"]) fields.delete(field);
      this.#answer.status = 204;
      return null;
    }
    if (declared === undefined) {
      const text = content === undefined ? null : this.#planned(this.#what, anyPlan, content);
      if (text === null) return null;
      this.#refuseOther(given, "application/json");
      return typedText(text, "application/json", fields);
    }
    if (declared.isProblem) {
      const { problems } = this.#resource;
      const [type, text] = writtenProblem(problemOf(declared, content), problems, undefined, this.#call.request);
      this.#refuseOther(given, type);
      return typedText(text, type, fields);
    }
    return declared.media.length === 0 ? null : this.#contentAs(this.#mediumOf(declared, given));
  }

  /** Says how to authenticate, as each 401 must (RFC 9110 §15.5.2). */
  #addChallenges(): void {
    const { guards, declaration, method } = this.#model;
    const challenges = challengesOf(guards, declaration);
    for (const challenge of challenges) this.#fields.append("www-authenticate", challenge);
    if (challenges.length > 0 || this.#resource.replies !== "check") return;
    throw new TypeError(
      `Cannot answer ${method} of ${this.#resource.name}: 401 has no WWW-Authenticate; give reply() the field, ` +
        "declare security, or answer 403",
    );
  }

  get #what(): string {
    return `the content of ${this.#answered.status}`;
  }

  #field(name: string): string | null {
    return this.#call.fields.get(name);
  }

  /** Compares a `Content-Type` that a handler gave with the one of text. @throws {TypeError} when it is another one. */
  #refuseOther(given: string | undefined, type: string): void {
    if (given !== undefined && !isNamed(given, textTypeOf(type))) throw this.#named(given, [type]);
  }

  #named(given: string, types: readonly string[]): TypeError {
    return new TypeError(
      `Cannot answer ${this.#model.method} of ${this.#resource.name}: ${this.#answered.status} is ` +
        `${types.join(" or ")}, and its reply() has Content-Type ${quoted(given.slice(0, 80))}; write a declared ` +
        "type, or leave it out",
    );
  }

  /**
   * Chooses among the media types of a status, or among those that the content has, where it has a type already. Step 6
   * has asked for what is below 300. A read whose content has no type that the client accepts was refused, too. Nothing
   * else is refused any more.
   */
  #mediumOf(declared: AnswerModel, given: string | undefined): AnswerMedium {
    const { status, media } = declared;
    const own = ownMediaOf(declared, this.#answered);
    if (own?.length === 0) {
      const types = media.map(({ type }) => type);
      cancel(this.#answered.content);
      throw given === undefined ? this.#ofOtherType(types) : this.#named(given, types);
    }
    if (media.length > 1 && status >= 300) addVary(this.#fields, "Accept");
    if (own === null && status < 300) return mediumFor(declared, this.#call.mediaType)!;
    const offered = own ?? media;
    return preferredOf(offered, this.#field("accept")) ?? offered[0]!;
  }

  #ofOtherType(types: readonly string[]): TypeError {
    return this.#unfit(this.#what, [
      {
        pointer: "#",
        detail: isBlob(this.#answered.content)
          ? `Expected a Blob of ${types.join(" or ")}, got one of another type`
          : `Expected content of ${types.join(" or ")}, with its type as Content-Type of reply()`,
      },
    ]);
  }

  async #contentAs(medium: AnswerMedium): Promise<Content> {
    const { raw } = medium;
    const { status, content } = this.#answered;
    const fields = this.#fields;
    if (raw === null) {
      fields.set("content-type", medium.type);
      return this.#textOf(this.#what, medium, content);
    }
    const { isFit, expected } = raw.sending;
    if (!isFit(content)) throw this.#unfit(this.#what, [{ pointer: "#", detail: expected }]);
    const type = raw.kind === "bytes" ? raw.sending.typeOf(medium, this.#answered, fields) : medium.type;
    if (type === null) throw this.#ofOtherType([medium.type]);
    if (!("stream" in raw)) return raw.sending.send(raw, content, type, fields, this.#call);
    fields.set("content-type", type);
    const values = content as AsyncIterable<unknown>;
    const writerOf = (place: string) => (value: unknown) => this.#textOf(place, medium, value);
    if (raw.kind !== "events") return raw.stream(values, writerOf(`a line of ${status}`), this.#call.leaving, fields);
    // Tag and date are of the type that the client prefers, and this status has only events.
    if (type !== this.#call.mediaType) for (const field of ["etag", "last-modified"]) fields.delete(field);
    return raw.stream(values, writerOf(`an event of ${status}`), this.#call, fields);
  }

  /** Writes what a schema declares: JSON, or text where the media type is another one. */
  async #textOf(what: string, { answered, writer, isJson, schema }: AnswerMedium, content: unknown): Promise<string> {
    const { replies } = this.#resource;
    if (replies === "trust") return isJson || schema === null ? JSON.stringify(content) : String(content);
    // A plan writes only members that the JSON Schema names: most answers need no validation.
    if (replies === "shape" && writer !== null && !writer.isPartial) {
      const text = writer.write(content);
      if (typeof text === "string") return text;
    }
    const value = await this.#fitting(what, answered!, content);
    return writer === null ? String(value) : this.#planned(what, writer, value);
  }

  #planned(what: string, writer: AnswerPlan, content: unknown): string {
    const text = writer.write(content);
    if (typeof text === "string") return text;
    throw this.#unfit(what, text);
  }

  /** The fields that a handler gave: those that are declared as their schemas return them. */
  async #fittingFields({ status, headers }: AnswerModel): Promise<ReplyHeaders | undefined> {
    const { headers: given } = this.#answered;
    if (headers.length === 0 || this.#resource.replies === "trust") return given;
    const fields: Record<string, unknown> = ownOf(
      Object.fromEntries(Object.entries(given ?? {}).map(([name, value]) => [name.toLowerCase(), value])),
    );
    for (const [declared, schema] of headers) {
      const name = declared.toLowerCase();
      fields[name] = await this.#fitting(`the field ${name} of ${status}`, schema, fields[name]);
    }
    return fields as ReplyHeaders;
  }

  #addFields(declared: AnswerModel | undefined, given: ReplyHeaders | undefined): void {
    const fields = this.#fields;
    for (const [name, value] of Object.entries(given ?? {})) {
      if (value === undefined) continue;
      const lines = (Array.isArray(value) ? value : [value]) as readonly unknown[];
      if (!added.test(name)) fields.delete(name);
      for (const line of lines) if (line !== undefined) fields.append(name, this.#lineOf(name, line, declared));
    }
    const cache = fields.get("cache-control");
    if (cache === null || given === undefined) return;
    const { replies } = this.#resource;
    fields.set("cache-control", cacheFor(this.#plan, cache, "its reply()", replies === "check"));
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

  async #fitting(what: string, schema: StandardSchema, content: unknown): Promise<unknown> {
    const { vendor } = schema["~standard"];
    const outcome = await validated(schema, content);
    if (outcome.issues === undefined) return outcome.value;
    throw this.#unfit(what, failuresOf("content", { vendor, schema, sent: content, issues: outcome.issues }));
  }

  #unfit(what: string, faults: readonly { readonly pointer: string; readonly detail: string }[]): TypeError {
    const cannot = `Cannot answer ${this.#model.method} of ${this.#resource.name}`;
    if (what === this.#what && this.#answered.content === undefined) {
      const nothing = isReply(this.#answered) ? "its reply() has no content" : "its handler returned nothing";
      return new TypeError(`${cannot}: ${nothing}, and ${this.#answered.status} has content; write return with it`);
    }
    const places = faults.slice(0, 3).map(({ pointer, detail }) => `${pointer} (${detail})`);
    return new TypeError(`${cannot}: ${what} does not fit at ${places.join(", ")}`);
  }
}

/** Writes what nothing is declared of. */
const anyPlan = new AnswerPlan({});

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
