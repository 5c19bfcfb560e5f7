import { isContentless } from "../protocol/contentless-status.ts";
import { byteLengthOf } from "../javascript/byte-length.ts";
import { isArrayBuffer, isBytes } from "../javascript/any-realm.ts";
import type { Bytes } from "../javascript/bytes.ts";
import { ownOf } from "../javascript/property.ts";
import { Answer, noError } from "../answer/carried-answer.ts";
import { headersInitOf, pairsOf, type HeadersOrList } from "../answer/field-list.ts";
import { alike, imitate, withOwnFields } from "./imitation.ts";
import { kept, lightContent, lightFields, takeAnswer, type WholeContent } from "./light-response.ts";
import { hasType, headOf, initOf } from "./response-head.ts";

/**
 * A Web `Response` that costs little on Node: it keeps status, fields and content as they are, and `serve()` writes
 * them to the socket.
 *
 * On Bun, Deno and Cloudflare Workers it is the platform's own class. On Node, it becomes a `Response` of the platform
 * as soon as somebody reads its content. It is an `instanceof globalThis.Response`, has the same members, and throws
 * the same errors. The platform's own works everywhere too, and costs more.
 *
 * @throws {RangeError} when the status is not between 200 and 599.
 * @throws {TypeError} when the status has no content and there is some, a field is not valid, or bytes are in shared
 * memory.
 * @example
 * ```ts
 * import { Response } from "fingerpost/native";
 *
 * class Greeting extends Resource {
 *   paths = ["/hello"];
 *
 *   GET(): Response {
 *     return Response.json({ hello: "Ada" });
 *   }
 * }
 * const app = Application.builder().resources(Greeting).build();
 * console.log(await (await app.request("/hello")).text()); // {"hello":"Ada"}
 * ```
 */
export const Response: typeof globalThis.Response = /* @__PURE__ */ responseClassOf(globalThis as RuntimeGlobals);

/** A Web `Response`. */
export type Response = globalThis.Response;

export interface RuntimeGlobals {
  readonly Response: typeof globalThis.Response;
  readonly process?: { readonly release?: { readonly name?: unknown } };
  readonly navigator?: { readonly userAgent?: string };
  readonly Bun?: unknown;
  readonly Deno?: unknown;
}

/**
 * The class of responses for a runtime: a light one on Node.
 * PERF: a request takes 15 us of CPU with it, and 35 with the class of the platform (`node bench/requests.js`).
 */
export function responseClassOf(runtime: RuntimeGlobals): typeof globalThis.Response {
  const { Response: Platform, process, navigator, Bun, Deno } = runtime;
  const isNode = process?.release?.name === "node" && Bun === undefined && Deno === undefined;
  // Workers imitate Node.
  return isNode && navigator?.userAgent !== "Cloudflare-Workers" ? lightClassOf(Platform) : Platform;
}

function lightClassOf(Platform: typeof globalThis.Response): typeof globalThis.Response {
  class LightResponse {
    /** Status, fields and content. Of a response that somebody has made, `made` is that response. */
    #answer: Answer;
    #headers: Headers | null = null;
    #whole: globalThis.Response | null = null;
    #isTaken = false;

    constructor(body?: BodyInit | Answer | null, init?: ResponseInit) {
      const isText = typeof body === "string";
      const isEmpty = body === undefined || body === null;
      // What is made most often, text with 200, takes no call.
      if (isText && init === undefined) {
        this.#answer = new Answer(200, textFields, body);
        this.#answer.made = this as unknown as Response;
        return;
      }
      if (body instanceof Answer) {
        this.#answer = body;
        if (isBytes(body.content)) body.content = keptBytes(body.content);
        return;
      }
      if (!isText && ArrayBuffer.isView(body)) refuseShared(body);
      const head = isText || isEmpty || isFixedBytes(body) ? headOf(init) : { fields: null, init };
      if (head.fields === null || (!isEmpty && isContentless(head.status))) {
        this.#whole = new Platform(body, initOf(head));
        this.#answer = new Answer(this.#whole.status, [], null);
        this.#answer.reason = this.#whole.statusText;
        return;
      }
      const fields = isText && !hasType(head.fields) ? [...head.fields, ...textFields] : head.fields;
      this.#answer = new Answer(head.status, fields, isText ? body : isEmpty ? null : keptBytes(body as Uint8Array));
      this.#answer.reason = head.statusText;
      this.#answer.made = this as unknown as Response;
    }

    static json(value: unknown, init?: ResponseInit): globalThis.Response {
      const text = JSON.stringify(value) as string | undefined;
      // The value is not read again: it may have getters, or `toJSON()`.
      if (text === undefined) return Platform.json(text, init);
      const head = headOf(init);
      if (head.fields === null || isContentless(head.status)) return Platform.json(JSON.parse(text), initOf(head));
      const fields = hasType(head.fields) ? head.fields : [...head.fields, "content-type", "application/json"];
      const answer = new Answer(head.status, fields, text);
      answer.reason = head.statusText;
      const response = new LightResponse(answer) as unknown as globalThis.Response;
      return (answer.made = response);
    }

    static redirect(url: string | URL, status?: number): globalThis.Response {
      return Platform.redirect(url, status);
    }

    static error(): globalThis.Response {
      return Platform.error();
    }

    static [Symbol.hasInstance](this: Function, value: unknown): boolean {
      return this === LightResponse
        ? value instanceof Platform
        : Function.prototype[Symbol.hasInstance].call(this, value);
    }

    static whole(response: LightResponse): globalThis.Response {
      const { headers } = response;
      if (response.#whole === null) {
        const { status, statusText } = response;
        const content = response.#answer.content as BodyInit | null;
        response.#whole = new Platform(content, { status, statusText, headers });
        if (response.#isTaken) void response.#whole.body?.cancel();
      }
      return headers === response.#whole.headers ? response.#whole : withOwnFields(response.#whole, headers);
    }

    get status(): number {
      return this.#answer.status;
    }

    get statusText(): string {
      return this.#answer.reason;
    }

    get ok(): boolean {
      // 101 has no class of its own here, and is not ok (Fetch §5.5).
      return this.status >= 200 && this.status < 300;
    }

    get headers(): Headers {
      if (this.#headers === null) {
        this.#headers = this.#whole?.headers ?? new Headers(pairsOf(countedLines(this.#answer)));
      }
      return this.#headers;
    }

    get type(): ResponseType {
      return "default";
    }

    get url(): string {
      return "";
    }

    get redirected(): boolean {
      return false;
    }

    get bodyUsed(): boolean {
      return this.#whole?.bodyUsed ?? this.#isTaken;
    }

    get [lightContent](): WholeContent | undefined {
      return this.#whole === null ? (this.#answer.content as WholeContent) : undefined;
    }

    [lightFields](): HeadersOrList {
      return this.#headers === null && this.#whole === null ? this.#answer.fields : this.headers;
    }

    [takeAnswer](): Answer | null {
      if (this.#whole !== null || this.#isTaken) return null;
      this.#isTaken = this.#answer.content !== null;
      if (this.#headers !== null) this.#answer.lines = [...this.#headers].flat();
      return this.#answer;
    }
  }

  imitate(LightResponse, Platform, LightResponse.whole);
  Reflect.deleteProperty(LightResponse, "whole");
  alike(LightResponse, Platform);
  for (const name of ["json", "redirect", "error"] as const) {
    alike(LightResponse[name], Platform[name]);
    Object.defineProperty(LightResponse, name, ownOf({ enumerable: true }));
  }
  return LightResponse as unknown as typeof globalThis.Response;
}

/**
 * Makes the response of an answer.
 * @param isCounted false where the platform writes the length of what it sends, and nobody else sees the response.
 */
export function responseOf(
  answer: Answer,
  isCounted: boolean = true,
  Class: typeof globalThis.Response = Response,
): globalThis.Response {
  if (answer.made !== null) return answer.made;
  const { status, reason, content, isCoded } = answer;
  const isWhole = typeof content === "string" || content === null || isBytes(content);
  if (isWhole && takeAnswer in Class.prototype) return new Class(answer as unknown as BodyInit);
  const lines = isCounted ? countedLines(answer) : answer.lines;
  const init: ResponseInit & { encodeBody?: string } = { status, headers: headersInitOf(lines) };
  if (reason !== "") init.statusText = reason;
  if (isCoded) init.encodeBody = "manual";
  return (answer.made = new Class(content as BodyInit | null, init));
}

/**
 * The fields with the length of a text. Responses of users have the fields that they were made with, and errors get
 * their length when they are sent.
 */
export function countedLines({ lines, content, error, made }: Answer): readonly string[] {
  const isCounted = typeof content === "string" && error === noError && made === null;
  if (!isCounted || lines.includes("content-length")) return lines;
  return [...lines, "content-length", String(byteLengthOf(content))];
}

const textFields: readonly string[] = ["content-type", "text/plain;charset=UTF-8"];

/** Web IDL: memory that is shared, or changes its length, is not taken. @throws {TypeError} when it is shared. */
function refuseShared({ buffer }: ArrayBufferView): void {
  if (isArrayBuffer(buffer)) return;
  throw new TypeError(
    "Cannot make a response: its bytes are in shared memory, which may change while they are sent; write bytes.slice()",
  );
}

/** Copies bytes, as the class of the platform does, but not those of a file: 64 kB take some 40 us. */
function keptBytes(bytes: Uint8Array & { readonly [kept]?: true }): Bytes {
  return bytes[kept] ? (bytes as Bytes) : new Uint8Array(bytes);
}

/** Returns whether a value is bytes of a length that stays. The platform judges others. */
function isFixedBytes(value: unknown): value is Uint8Array {
  return isBytes(value) && (value.buffer as { readonly resizable?: boolean }).resizable !== true;
}
