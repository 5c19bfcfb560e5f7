import { derivedTag, withOriginalTags, writtenAspect } from "../../fields/derived-tag.ts";
import { isRange } from "../../fields/media-type.ts";
import type { Preconditions, Validators } from "../../fields/preconditions.ts";
import { readValidators } from "../../fields/representation.ts";
import type { RequestFields } from "../../fields/request-fields.ts";
import { preconditionsOf } from "../../fields/request-preconditions.ts";
import { isAsyncIterable } from "../../http/javascript/async-iterable.ts";
import { after } from "../../http/javascript/thenable.ts";
import type { Opening } from "../declaration/opened-values.ts";
import { isReply, type Reply } from "../declaration/reply.ts";
import { fixedFieldsOf } from "../operation/fixed-fields.ts";
import type { OperationModel } from "../operation/operation-model.ts";
import { accessOf, type Access } from "./access.ts";
import { audienceOf, linesOf, type Audience, type Line } from "./audience.ts";
import { cacheFor } from "./cache-for.ts";
import { isPieces } from "../declaration/content-sending.ts";
import { plainAnswerOf, type PlainAnswer } from "./plain-answer.ts";

/** What `validator()` of a resource says. */
export type Weighed = Validators | Reply | null | undefined;

/** An operation as the line performs it. */
export interface Plan {
  readonly model: OperationModel;
  /**
   * Asks the resource for its validators: null if there is no representation, `undefined` if it does not say. A reply
   * refuses the request. The call gets the version. For a read, they are of the representation that the client prefers.
   */
  readonly validatorsOf: (call: VersionedCall) => Weighed | Promise<Weighed>;
  /**
   * Whether a request needs no validators before its content is read: they are asked when the handler begins, or by the
   * requests that it makes. Null where each needs them.
   */
  readonly asksLate: ((request: object, sent: Preconditions) => boolean) | null;
  /** Reads the preconditions of a request. A tag of a representation also names its version, for a write. */
  readonly preconditionsOf: (fields: Pick<RequestFields, "get">) => Preconditions;
  /** Whether the handler may refuse a read that preconditions would answer: it declares 401, 403 or 410. */
  readonly isRefusable: boolean;
  /**
   * Whether content of a read may be of another declared type than the client prefers, by its own or by its status.
   * Preconditions then fail after its handler only.
   */
  readonly isTyped: boolean;
  /** Whether preconditions have an effect: there is a validator, a tag of content, or they are required. */
  readonly weighs: boolean;
  readonly handler: (call: object) => unknown;
  /** Who may use it; null where nothing is said of that. */
  readonly access: Access | null;
  /** Whether the handler returns the response, which another operation has made. */
  readonly isMade: boolean;
  /** The status of a handler that returns nothing: 200 if it is declared, and has no content or stands without 204. */
  readonly emptyStatus: 200 | 204;
  /** The answers without a decision, by status. */
  readonly plainAnswers: ReadonlyMap<number, PlainAnswer>;
  /**
   * Whether the first value of what a handler returned decides the status: of lines and pieces, or of events beside
   * other declared answers.
   */
  readonly opened: {
    readonly is: (content: unknown) => content is AsyncIterable<unknown>;
    readonly open: Opening;
  } | null;
  /** Fields of all answers below 400. */
  readonly fields: readonly Line[];
  /** How all other answers say for whom they are: those from 400 on, and those that middleware makes. */
  readonly audience: Audience;
}

/** The answers of a handler to a client that may not see what it asks for. */
const refusals: readonly number[] = [401, 403, 410];

/** A call that learns the version of what it is about. */
interface VersionedCall {
  readonly request: object;
  readonly mediaType: string;
  version: string | null;
}

/** A resource that knows its validators. */
interface Validating {
  validator(call: object): unknown;
}

/**
 * Makes the plan of an operation.
 * @param handler the method of the resource class.
 * @param aspects the media types by which tags of the resource are derived, as `derivedTypesOf()` names them.
 * @param isChecked whether answers are checked in full.
 */
export function planOf(
  model: OperationModel,
  handler: (call: object) => unknown,
  aspects: ReadonlySet<string>,
  isChecked: boolean,
): Plan {
  const { mounted, declaration, answers, hasValidator } = model;
  const { name, resource } = mounted;
  // A precondition that is required needs a validator, or a tag.
  const weighs = hasValidator || declaration.etag !== undefined;
  const [fields, audience] = [linesOf(fixedFieldsOf(model)), audienceOf(model)];
  const plainAnswers = new Map<number, PlainAnswer>();
  for (const [status, answer] of answers) {
    const plain =
      weighs || model.page !== null ? null : plainAnswerOf(model, answer, status < 400 ? fields : audience.lines);
    if (plain !== null) plainAnswers.set(status, plain);
  }
  return {
    model,
    // Validators of a `validator()` that does not wait are weighed in the moment in which the handler begins.
    validatorsOf: (call) =>
      after((resource as Validating).validator(call), (given): Weighed => {
        if (isReply(given)) return given;
        const current = readValidators(given, name);
        // Answers to writes have none of them.
        for (const line of model.isRead ? (current?.fields ?? []) : []) {
          if (line[0] === "cache-control")
            line[1] = cacheFor({ model, audience }, line[1], "its validator()", isChecked);
        }
        call.version = current?.etag?.opaque ?? null;
        return current && representationOf(model, call.mediaType, current);
      }),
    asksLate: null,
    preconditionsOf: (sentFields) => {
      const sent = preconditionsOf(sentFields);
      return model.isRead || aspects.size === 0 ? sent : versionedBy(aspects, sent);
    },
    weighs,
    isRefusable: weighs && model.isRead && refusals.some((status) => answers.has(status)),
    isTyped: model.isRead && (model.produces.length > 1 || model.produces.some(isRange)),
    handler: (call) => handler.call(resource, call),
    access: accessOf(model),
    isMade: false,
    emptyStatus: !answers.has(200) || (answers.has(204) && answers.get(200)!.media.length > 0) ? 204 : 200,
    plainAnswers,
    opened: openedOf(model),
    fields,
    audience,
  };
}

/**
 * The media types that a read chooses among, as tags have them, but for the first one: that has the tag of
 * `validator()` itself. Each of the others has its own, made from it (RFC 9110 §8.8.3).
 */
export function derivedTypesOf({ isRead, produces }: OperationModel): readonly string[] {
  return isRead ? produces.slice(1).map(writtenAspect) : [];
}

/** Returns the validators of the representation that a read answers with. */
function representationOf(
  { isRead, produces }: OperationModel,
  mediaType: string,
  current: Validators,
): Validators | undefined {
  const { etag } = current;
  // No two streams of events are the same, whatever version they begin with.
  if (isRead && mediaType === "text/event-stream") return undefined;
  const isDerived = isRead && etag !== null && mediaType !== "" && mediaType !== produces[0];
  return isDerived ? { ...current, etag: derivedTag(etag, mediaType) } : current;
}

/** Returns the validators of a representation other than the one that the client prefers, of which `current` are. */
export function validatorsAs(
  model: OperationModel,
  mediaType: string,
  version: string | null,
  current: Validators,
): Validators | undefined {
  const etag = current.etag && { isWeak: current.etag.isWeak, opaque: version! };
  return representationOf(model, mediaType, { ...current, etag });
}

/** Adds to the tags of preconditions the versions from which they were derived. */
function versionedBy(aspects: ReadonlySet<string>, sent: Preconditions): Preconditions {
  const versioned = (value: string | null): string | null =>
    value === null ? null : (withOriginalTags(value, (aspect) => aspects.has(aspect)) ?? value);
  return { ...sent, ifMatch: versioned(sent.ifMatch), ifNoneMatch: versioned(sent.ifNoneMatch) };
}

function openedOf({ answers }: OperationModel): Plan["opened"] {
  const raws = answers.get(200)?.media.map(({ raw }) => raw) ?? [];
  const pieces = raws.find((raw) => raw !== null && "pieces" in raw);
  if (pieces !== undefined) return { is: isPieces, open: pieces!.open };
  const hasErrors = [...answers.keys()].some((status) => status >= 300);
  const values = raws.find((raw) => raw?.kind === "lines" || (raw?.kind === "events" && hasErrors));
  return values === undefined ? null : { is: isAsyncIterable, open: (values as { readonly open: Opening }).open };
}
