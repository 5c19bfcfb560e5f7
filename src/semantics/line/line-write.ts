import { isBlob } from "../../http/javascript/any-realm.ts";
import { codedAlready } from "../../http/message/coded-content.ts";
import { checkedScope } from "../../state/writes/write-rules.ts";
import { Response, textResponse } from "../../http/message/response.ts";
import { fingerprintOf, targetOf } from "../../state/writes/fingerprint.ts";
import {
  errorKept,
  isKept,
  keptText,
  refuseUnkept,
  type KeptAnswer,
  type KeptResponse,
} from "../../state/writes/kept-answer.ts";
import { readKept } from "../../state/writes/kept-content.ts";
import { replayed } from "../../state/writes/replayed.ts";
import { beginWrite, findWrite, keyOf, Lease, writeIdOf } from "../../state/writes/write-line.ts";
import { isReply, reply } from "../declaration/reply.ts";
import type { RequestMedium } from "../operation/input-model.ts";
import type { LineResource, LineWrites } from "./allowed.ts";
import { answeredBy, AnswerUnderWay } from "./answer-response.ts";
import type { LineCall } from "./line-call.ts";
import { plainParts } from "./plain-response.ts";
import { lengthOf } from "./written-content.ts";
import type { Plan } from "./plan.ts";

/** Reads the key of a request; see `lineWriteOf()`. */
export async function writeOf(
  writes: LineWrites,
  resource: LineResource,
  plan: Plan,
  call: LineCall,
  media: RequestMedium | null,
): Promise<LineWrite | null> {
  const { request } = call;
  const { method, declaration } = plan.model;
  const key = keyOf(request, declaration.idempotency === "required", writes.rules);
  if (key === null) return null;
  const scope = checkedScope(await writes.scope(call));
  return new LineWrite(
    writes,
    resource,
    plan,
    call,
    media,
    await writeIdOf(scope, method, request.params.pattern, key),
  );
}

/** A request with a key, on the line. */
export class LineWrite {
  readonly #writes: LineWrites;
  readonly #resource: LineResource;
  readonly #plan: Plan;
  readonly #call: LineCall;
  readonly #media: RequestMedium | null;
  readonly #id: string;
  #content: Promise<Uint8Array<ArrayBuffer>> | null = null;

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
  get content(): Promise<Uint8Array<ArrayBuffer>> {
    return (this.#content ??= this.#read());
  }

  async #read(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#media === null ? new Uint8Array() : this.#call.carried.bytes(this.#media.maxBytes);
  }

  /** Finds the first answer; null if there is none. @throws {HTTPError} 409, 422 or 503. */
  async repeated(): Promise<Response | null> {
    const answer = await findWrite(this.#id, () => this.#fingerprint(), this.#writes.rules);
    return answer && replayed(answer);
  }

  /**
   * Calls the handler, and keeps its answer. Another request with the key may have come first: then the answer is its
   * own.
   */
  async answer(): Promise<Response> {
    const begun = await beginWrite(this.#id, await this.#fingerprint(), this.#writes.rules);
    if (!(begun instanceof Lease)) return replayed(begun);
    const call = this.#call;
    let made: Made;
    try {
      let given: unknown;
      call.idempotency = {
        commit: (transaction: unknown, answer: unknown) => this.#commit(begun, transaction, answer),
      };
      given = await this.#plan.handler(call);
      const { committed } = begun as { readonly committed: Committed | null };
      if (committed !== null) {
        if (given !== committed.reply && given !== committed.given) throw this.#otherAnswer();
        begun.end();
        return committed.response;
      }
      made = await this.#made(given);
    } catch (error) {
      await this.#keep(begun, errorKept(error));
      throw error;
    }
    const [answer, response] = made;
    // PERF: its list of fields, and not `Headers`, which are made when they are asked for: 2 of 20 us (`node
    // bench/middleware.js --only=idempotency`).
    const has = (name: string): boolean => answer.fields.some(([one]) => one === name);
    await this.#keep(begun, isKept(answer.status, { has }) ? answer : null);
    return response;
  }

  async #fingerprint(): Promise<string> {
    const { request, fields } = this.#call;
    const { method, content } = this.#plan.model;
    const type = content === null ? "" : (fields.get("content-type") ?? "");
    return fingerprintOf({ method, target: targetOf(request.url), type, content: await this.content });
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
  async #made(given: unknown): Promise<Made> {
    const plan = this.#plan;
    const answered = answeredBy(given, plan.emptyStatus);
    const plain = plainParts(this.#resource, plan, answered);
    if (plain !== null) return madeOf(answered.status, plain.fields, plain.text);
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
  async #keep(lease: Lease, answer: KeptAnswer | null): Promise<void> {
    try {
      await (answer === null ? lease.release() : lease.finish(answer));
    } catch (error) {
      this.#resource.onError(error, this.#call.request);
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
