import { after, isThenable } from "../../http/javascript/thenable.ts";
import type { Bytes } from "../../http/javascript/bytes.ts";
import { isBlob } from "../../http/javascript/any-realm.ts";
import { codedAlready } from "../../http/message/coded-content.ts";
import { checkedScope } from "../../writes/write-rules.ts";
import { Response, textResponse } from "../../http/message/response.ts";
import { fingerprintOf, targetOf } from "../../writes/fingerprint.ts";
import {
  errorKept,
  isKept,
  keptText,
  refuseUnkept,
  type KeptAnswer,
  type KeptResponse,
} from "../../writes/kept-answer.ts";
import { readKept } from "../../writes/kept-content.ts";
import { replayed } from "../../writes/replayed.ts";
import { answerOf, beginWrite, findWrite, keyOf, Lease, writeIdOf } from "../../writes/write-line.ts";
import type { WriteRecord } from "../../writes/record-store.ts";
import { isReply, reply } from "../declaration/reply.ts";
import type { RequestMedium } from "../operation/input-model.ts";
import type { LineResource, LineWrites } from "./allowed.ts";
import { answeredBy, AnswerUnderWay, type Answered } from "./answer-response.ts";
import type { LineCall } from "./line-call.ts";
import { plainParts } from "./plain-response.ts";
import { lengthOf } from "./written-content.ts";
import type { Plan } from "./plan.ts";

/** Reads the key of a request; see `lineWriteOf()`. */
export function writeOf(
  writes: LineWrites,
  resource: LineResource,
  plan: Plan,
  call: LineCall,
  media: RequestMedium | null,
): LineWrite | null | Promise<LineWrite | null> {
  const { request } = call;
  const { method, declaration } = plan.model;
  const key = keyOf(request, declaration.idempotency === "required", writes.rules);
  if (key === null) return null;
  const { pattern } = request.params;
  return after(writes.scope(call), (scope) =>
    after(
      writeIdOf(checkedScope(scope), method, pattern, key),
      (id) => new LineWrite(writes, resource, plan, call, media, id),
    ),
  );
}

/** What a step of a write yields is waited for, as what the steps of the line yield. */
type Steps<Value> = Generator<unknown, Value, unknown>;

/** A request with a key, on the line. */
export class LineWrite {
  readonly #writes: LineWrites;
  readonly #resource: LineResource;
  readonly #plan: Plan;
  readonly #call: LineCall;
  readonly #media: RequestMedium | null;
  readonly #id: string;
  #content: Bytes | null = null;

  constructor(
    writes: LineWrites,
    resource: LineResource,
    plan: Plan,
    call: LineCall,
    media: RequestMedium | null,
    id: string,
  ) {
    this.#writes = writes;
    this.#resource = resource;
    this.#plan = plan;
    this.#call = call;
    this.#media = media;
    this.#id = id;
  }

  /** The bytes of the content, which are read once. @throws {HTTPError} 413 when there are more than declared. */
  *content(): Steps<Bytes> {
    if (this.#content === null) {
      const media = this.#media;
      this.#content = media === null ? new Uint8Array() : ((yield this.#call.carried.bytes(media.maxBytes)) as Bytes);
    }
    return this.#content;
  }

  /** Finds the first answer; null if there is none. @throws {HTTPError} 409, 422 or 503. */
  *repeated(): Steps<Response | null> {
    const { rules } = this.#writes;
    const finding = findWrite(this.#id, rules);
    const record = isThenable(finding) ? ((yield finding) as WriteRecord | null) : finding;
    return record && replayed(answerOf(record, yield* this.#fingerprint(), rules));
  }

  /**
   * Calls the handler, and keeps its answer. Another request with the key may have come first: then the answer is its
   * own.
   */
  *answer(): Steps<Response> {
    const beginning = beginWrite(this.#id, yield* this.#fingerprint(), this.#writes.rules);
    const begun = isThenable(beginning) ? ((yield beginning) as Lease | KeptAnswer) : beginning;
    if (!(begun instanceof Lease)) return replayed(begun);
    const call = this.#call;
    let made: Made;
    try {
      call.idempotency = {
        commit: (transaction: unknown, answer: unknown) => this.#commit(begun, transaction, answer),
      };
      const handled = this.#plan.handler(call);
      if (isThenable(handled)) begun.extend();
      const given = isThenable(handled) ? yield handled : handled;
      const { committed } = begun as { readonly committed: Committed | null };
      if (committed !== null) {
        if (given !== committed.reply && given !== committed.given) throw this.#otherAnswer();
        begun.end();
        return committed.response;
      }
      const making = this.#made(given);
      if (isThenable(making)) begun.extend();
      made = isThenable(making) ? ((yield making) as Made) : making;
    } catch (error) {
      const failing = this.#keep(begun, errorKept(error));
      if (isThenable(failing)) yield failing;
      throw error;
    }
    const [answer, response] = made;
    // PERF: its list of fields, and not `Headers`, which are made when they are asked for: 2 of 20 us (`node
    // bench/middleware.js --only=idempotency`).
    const has = (name: string): boolean => answer.fields.some(([one]) => one === name);
    const keeping = this.#keep(begun, isKept(answer.status, { has }) ? answer : null);
    if (isThenable(keeping)) yield keeping;
    return response;
  }

  *#fingerprint(): Steps<string> {
    const { request, fields } = this.#call;
    const { method, content: declared } = this.#plan.model;
    const type = declared === null ? "" : (fields.get("content-type") ?? "");
    const content = yield* this.content();
    const digest = fingerprintOf({ method, target: targetOf(request.url), type, content });
    return isThenable(digest) ? ((yield digest) as string) : digest;
  }

  async #commit(lease: Lease, transaction: unknown, given: unknown): Promise<unknown> {
    const [answer, response] = await this.#made(given);
    refuseUnkept(response.status, response.headers, answer.content);
    const answered = answeredBy(given, this.#plan.emptyStatus);
    const committed: Committed = {
      given,
      // A driver may return another list than it was given.
      reply: isReply(given) ? given : reply(answered.status, given),
      response,
    };
    await lease.commit(transaction, answer, committed);
    return committed.reply;
  }

  /** Makes the response of an answer, and what is kept of it. */
  #made(given: unknown): Made | Promise<Made> {
    const plan = this.#plan;
    const answered = answeredBy(given, plan.emptyStatus);
    const plain = plainParts(this.#resource, plan, answered);
    return plain === null ? this.#madeWhole(answered) : madeOf(answered.status, plain.fields, plain.text);
  }

  async #madeWhole(answered: Answered): Promise<Made> {
    const plan = this.#plan;
    const under = new AnswerUnderWay(this.#resource, plan.model, this.#call, answered);
    const { status, headers, content } = await under.response(plan.fields);
    const whole = keptText(content);
    if (whole !== undefined) {
      if (whole !== null) headers.set("content-length", String(lengthOf(whole)));
      const response = new Response(whole, { status, headers, ...codedAlready });
      return [{ status, statusText: "", fields: [...headers], content: whole }, response];
    }
    if (isBlob(content)) headers.set("content-length", String(content.size));
    const [read, response] = await readKept(new Response(content, { status, headers, ...codedAlready }));
    return [{ status, statusText: "", fields: [...headers], content: read }, response];
  }

  #otherAnswer(): TypeError {
    const { method, mounted } = this.#plan.model;
    return new TypeError(
      `Cannot answer ${method} of ${mounted.name}: the handler returned another answer than it committed; return what call.idempotency.commit() returns`,
    );
  }

  /** If the store fails now, the client gets the answer, and the observer the error. */
  #keep(lease: Lease, answer: KeptAnswer | null): void | Promise<void> {
    const tell = (error: unknown): void => this.#resource.onError(error, this.#call.request);
    try {
      const kept = answer === null ? lease.release() : lease.finish(answer);
      return isThenable(kept) ? kept.then(undefined, tell) : undefined;
    } catch (error) {
      tell(error);
    }
  }
}

type Made = readonly [KeptResponse, Response];

interface Committed {
  readonly given: unknown;
  readonly reply: object;
  readonly response: Response;
}

/** Makes the response of a plain answer, whose length is added here to what is kept, and elsewhere to what is sent. */
function madeOf(status: number, fields: readonly string[], text: string | null): Made {
  const pairs: [string, string][] = [];
  for (let at = 0; at < fields.length; at += 2) pairs.push([fields[at]!, fields[at + 1]!]);
  if (text !== null) pairs.push(["content-length", String(lengthOf(text))]);
  return [{ status, statusText: "", fields: pairs, content: text }, textResponse(status, fields, text)];
}
