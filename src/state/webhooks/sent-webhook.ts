/* oxlint-disable no-extraneous-class -- a webhook is a declaration, as those of operations are */
import { parseRetryAfter } from "../../fields/retry-after.ts";
import { formatBase64 } from "../../http/javascript/base64.ts";
import { described } from "../../http/javascript/described.ts";
import type { ModuleHost } from "../../http/javascript/builtin-module.ts";
import { OptionCheck, requireTime } from "../../http/javascript/option-check.ts";
import { isSchema, type InferInput, type StandardSchema } from "../../json-schema/shape/standard-schema.ts";
import { lookupBy, privateHostOf } from "./public-address.ts";
import { hmacOf, parseStandardSecret, signatureBy, signedBytes, type StandardSecret } from "./webhook-keys.ts";

/** Declares a webhook that you send: what it is about, and its content. */
export interface WebhookOperation {
  /** The schema of the content, which is sent as JSON. */
  readonly content: StandardSchema;
  /** A line about the webhook, for the document. */
  readonly summary?: string | undefined;
  /** A text about the webhook, for the document. */
  readonly description?: string | undefined;
  /** Examples of the content, by name. */
  readonly examples?: { readonly [name: string]: unknown } | undefined;
}

/**
 * The base class of webhooks that you send. `sendWebhook()` sends them, and `openapi({ webhooks })` documents them.
 *
 * @example
 * ```ts
 * class OrderShipped extends Webhook {
 *   static event = "order.shipped";
 *   static POST = { content: z.object({ type: z.literal("order.shipped"), order: z.int() }) };
 * }
 * console.log(OrderShipped.event); // order.shipped
 * ```
 */
export abstract class Webhook {
  /** The name of the event, by which the document lists the webhook. */
  static readonly event: string;
  /** The declaration of the content. */
  static readonly POST: WebhookOperation;
}

/** A class of webhooks. */
export interface WebhookClass {
  /** The name of the class. */
  readonly name: string;
  readonly event: string;
  readonly POST: WebhookOperation;
}

/** One try to send a webhook. */
export interface SendWebhookOptions<Content> {
  /** Where the receiver wants it: an `https:` or `http:` URL of the public network. */
  readonly url: string;
  /** The keys to sign by: `whsec_…`, which the receiver has, too, or `whsk_…`, of which it has the public key. */
  readonly secrets: readonly string[];
  /** The content. */
  readonly content: Content;
  /** Names the webhook: give the same for each try, so that the receiver knows a repeat. */
  readonly id: string;
  /** How long the try may take, in milliseconds. Default: 20,000. */
  readonly timeoutMs?: number | undefined;
  /** Sends the request, such as the `fetch` of a proxy. Names are not resolved then. Default: the global one. */
  readonly fetch?: ((request: Request) => Response | Promise<Response>) | undefined;
  /** Whether receivers in private networks are allowed, such as on this machine. Default: false. */
  readonly allowPrivate?: boolean | undefined;
}

/** What came of a try. */
export interface SentWebhook {
  /** `delivered`: done. `gone`: the receiver wants no more webhooks. `retry`: try again later, with the same id. */
  readonly outcome: "delivered" | "gone" | "retry";
  /** The status of the answer. Null if there was none. */
  readonly status: number | null;
  /** How long the receiver asks to wait, by `Retry-After`, in milliseconds. Null if it does not ask. */
  readonly retryAfterMs: number | null;
  /** Why there was no answer, such as a time-out. */
  readonly cause?: unknown;
}

const known: readonly (keyof SendWebhookOptions<unknown>)[] = [
  ...(["url", "secrets", "content", "id", "timeoutMs", "fetch", "allowPrivate"] as const),
];

/**
 * Tries once to send a webhook, signed as Standard Webhooks has it.
 *
 * The content is checked by its schema first. Redirects are not followed. Private addresses are refused. So are names
 * that have one, where the runtime can resolve them: Node, Bun and Deno.
 *
 * @throws {TypeError} when an option is wrong, the content does not fit, or the address is private.
 * @example
 * ```ts
 * class OrderShipped extends Webhook {
 *   static event = "order.shipped";
 *   static POST = { content: z.object({ order: z.int() }) };
 * }
 * const { outcome } = await sendWebhook(OrderShipped, {
 *   url: "https://shop.example/hooks",
 *   secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
 *   content: { order: 7 },
 *   id: "msg_1",
 *   fetch: () => new Response(null, { status: 204 }),
 * });
 * console.log(outcome); // delivered
 * ```
 */
export async function sendWebhook<Of extends WebhookClass>(
  webhook: Of,
  options: SendWebhookOptions<InferInput<Of["POST"]["content"]>>,
): Promise<SentWebhook> {
  const schema = schemaOf(webhook);
  const check = new OptionCheck<SendWebhookOptions<unknown>>("sendWebhook", options, known);
  const { url, keys, id, timeoutMs, fetch, allowPrivate } = checked(check);
  const content = await writtenContent(webhook, schema, check.options.content);
  const signal = AbortSignal.timeout(timeoutMs);
  const headers = { "content-type": "application/json", ...(await signedFields(keys, id, content)) };
  let host: string | null = null;
  try {
    const lookup = fetch === undefined ? lookupBy(globalThis as ModuleHost) : null;
    if (!allowPrivate) host = await before(signal, privateHostOf(url.hostname, lookup));
    if (host === null) {
      const request = new Request(url, { method: "POST", headers, body: content, redirect: "manual", signal });
      const answering = fetch === undefined ? globalThis.fetch(request) : fetch(request);
      return outcomeOf(await before(signal, Promise.resolve(answering)));
    }
  } catch (cause) {
    return { outcome: "retry", status: null, retryAfterMs: null, cause };
  }
  throw new TypeError(
    `Cannot send ${webhook.event}: ${described(host)} is in a private network; write allowPrivate if it is one of ` +
      "your own",
  );
}

/** Fails when the time is up, also where a `fetch` of others or a resolver does not look at the signal. */
function before<Value>(signal: AbortSignal, value: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(signal.reason as Error);
    // The signal may have aborted while something else was waited for.
    if (signal.aborted) end();
    signal.addEventListener("abort", end);
    value.then(resolve, reject).finally(() => signal.removeEventListener("abort", end));
  });
}

function outcomeOf({ status, ok, headers, body }: Response): SentWebhook {
  // Nobody reads it, and it may have no end.
  void body?.cancel().catch(() => {});
  if (ok) return { outcome: "delivered", status, retryAfterMs: null };
  if (status === 410) return { outcome: "gone", status, retryAfterMs: null };
  const asked = parseRetryAfter(headers.get("retry-after") ?? "");
  return { outcome: "retry", status, retryAfterMs: asked && Math.min(asked, Number.MAX_SAFE_INTEGER) };
}

function schemaOf(webhook: WebhookClass): StandardSchema {
  const { event, POST } = Object(webhook) as Partial<WebhookClass>;
  const { content } = Object(POST) as Partial<WebhookOperation>;
  if (typeof event === "string" && event !== "" && isSchema(content)) return content;
  throw new TypeError(
    'Cannot send a webhook: expected a class with "static event" and "static POST = { content: schema }", got ' +
      `${described(webhook)}`,
  );
}

function checked(check: OptionCheck<SendWebhookOptions<unknown>>) {
  const { url: text, secrets, id, timeoutMs = 20_000, fetch, allowPrivate = false } = check.options;
  const url = typeof text === "string" && URL.canParse(text) ? new URL(text) : null;
  const isPlace = url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}` === "";
  check.requireSecret(isPlace, "url", "an https: or http: URL without a password", text);
  check.requireSecret(Array.isArray(secrets) && secrets.length > 0, "secrets", "an array of secrets");
  const keys = secrets.map((secret) => {
    const key = parseStandardSecret(secret);
    check.requireSecret(
      key !== null && key.prefix !== "whpk_",
      "secrets",
      "an array of whsec_ and 24 to 64 bytes in Base64, or whsk_ and 32 or 64 bytes",
      secret,
    );
    return key!;
  });
  const isId = typeof id === "string" && /^[!-\-/-~]{1,255}$/.test(id);
  check.require(isId, "id", "1 to 255 characters of visible ASCII without a full stop");
  requireTime(check, "timeoutMs", timeoutMs);
  check.function("fetch");
  check.boolean("allowPrivate");
  return { url: url!, keys, id, timeoutMs, fetch, allowPrivate };
}

/** Writes the content as JSON, and checks what the receiver will read. */
async function writtenContent(
  { event }: WebhookClass,
  schema: StandardSchema,
  content: unknown,
): Promise<Uint8Array<ArrayBuffer>> {
  const text = JSON.stringify(content) as string | undefined;
  const { issues } = await schema["~standard"].validate(text === undefined ? undefined : JSON.parse(text));
  if (issues === undefined && text !== undefined) return new TextEncoder().encode(text);
  const places = (issues ?? []).map(({ path = [] }) => `/${path.map(keyOf).join("/")}`);
  throw new TypeError(
    `Cannot send ${event}: the content does not fit its schema at ${described(places.join(", ") || "/")}; send what ` +
      '"static POST" declares',
  );
}

function keyOf(part: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof part === "object" ? part.key : part);
}

async function signedFields(
  keys: readonly StandardSecret[],
  id: string,
  content: Uint8Array<ArrayBuffer>,
): Promise<Record<string, string>> {
  const seconds = String(Math.floor(Date.now() / 1000));
  const signed = signedBytes(id, seconds, content);
  const signatures = keys.map(async ({ prefix, bytes }) =>
    prefix === "whsec_"
      ? `v1,${formatBase64(await hmacOf(bytes, signed))}`
      : `v1a,${formatBase64(await signatureBy(bytes, signed))}`,
  );
  return {
    "webhook-id": id,
    "webhook-timestamp": seconds,
    "webhook-signature": (await Promise.all(signatures)).join(" "),
  };
}
