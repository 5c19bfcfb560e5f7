import type { Bytes } from "../http/javascript/bytes.ts";
import { Middleware, type MiddlewareClass } from "../application/middleware.ts";
import type { DeclaredSecurity } from "../dispatch/guarded.ts";
import { routedBy } from "../dispatch/input-exchange.ts";
import { Params, type ReceivedRequest } from "../dispatch/params.ts";
import type { StoreTimeout } from "../http/protocol/store-timeout.ts";
import { requestField } from "../fields/request-fields.ts";
import { sha256 } from "../http/javascript/digest.ts";
import { described } from "../http/javascript/described.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { patternOf } from "../middleware/lib/outcome.ts";
import { answeredOnce } from "./answered-once.ts";
import { isRequestLike, takenContent } from "./taken-content.ts";
import { schemes, securityOf, unsigned, type SignedKey } from "./webhooks/schemes.ts";
import type { RecordStore } from "../writes/record-store.ts";
import { safeMethods } from "../http/protocol/safe-methods.ts";
import { placeOf, writeNamesOf } from "../writes/write-names.ts";
import { checkedRules, type WriteOptions } from "../writes/write-rules.ts";

export { sendWebhook, Webhook } from "./webhooks/sent-webhook.ts";
export type { SendWebhookOptions, SentWebhook, WebhookClass, WebhookOperation } from "./webhooks/sent-webhook.ts";

/** The options of guards by any scheme. */
export interface VerifyWebhookOptions extends StoreTimeout {
  /** Keeps which webhooks came before; shared by all processes. `memoryRecords()` is for one. */
  readonly store: RecordStore;
  /** The most bytes of content that a webhook may have. Default: 1 MiB. */
  readonly maxBytes?: number | undefined;
  /** How long an answer is kept, in milliseconds: a repeat gets it. Default: a day. */
  readonly ttlMs?: number | undefined;
  /** How long a run that no longer extends its lease counts as under way, in milliseconds. Default: a minute. */
  readonly leaseMs?: number | undefined;
}

/** The options of a guard by a named scheme. */
export interface NamedWebhookOptions extends VerifyWebhookOptions {
  /** How the sender signs: by Standard Webhooks, or as GitHub or Stripe do. */
  readonly scheme: "standard" | "github" | "stripe";
  /** The keys of the sender. Any of them will do, so that keys can rotate. */
  readonly secrets: readonly string[];
}

/** The options of a guard by a scheme of your own. */
export interface OwnWebhookOptions<Input extends object = ReceivedRequest> extends VerifyWebhookOptions {
  /** Checks a webhook. */
  readonly scheme: WebhookScheme<Input>;
}

/**
 * Checks the signature of a webhook over its bytes as they came. Returns the key that its repeats have, too, such as
 * an id that is signed. Returns null when the signature does not fit.
 *
 * Compare signatures in constant time, as `crypto.subtle.verify()` does.
 */
export type WebhookScheme<Input extends object = ReceivedRequest> = (
  request: Input,
  content: Bytes,
) => string | null | Promise<string | null>;

const known: readonly (keyof NamedWebhookOptions)[] = [
  ...(["scheme", "secrets", "store", "maxBytes", "ttlMs", "leaseMs", "storeTimeoutMs"] as const),
];

/**
 * Makes a guard that lets webhooks pass whose signature fits. It is for the native and the semantics module.
 *
 * It checks the bytes as they came, before anything reads them, in constant time. A wrong signature gets 403. So does a
 * time that is more than five minutes from now; GitHub signs no time. A repeat gets the first answer, if that was below
 * 400, and does not reach the handler.
 *
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * class Hooks extends Resource {
 *   paths = ["/hooks"];
 *
 *   POST(): Response {
 *     return new Response(null, { status: 204 });
 *   }
 * }
 * const secrets = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"];
 * const guard = verifyWebhook({ scheme: "standard", secrets, store: memoryRecords() });
 * const group = ResourceGroup.builder().resources(Hooks).middleware(guard).build();
 * const app = Application.builder().resources(group).build();
 * const { status } = await app.request("/hooks", { method: "POST", body: "forged" });
 * console.log(status); // 403
 * ```
 */
export function verifyWebhook(options: NamedWebhookOptions): MiddlewareClass;
/**
 * Makes a guard by a scheme of your own, which checks the bytes as they came.
 *
 * @typeParam Input what `scheme` is given.
 * @throws {TypeError} when an option is wrong.
 */
export function verifyWebhook<Input extends object = ReceivedRequest>(
  options: OwnWebhookOptions<Input>,
): MiddlewareClass;
export function verifyWebhook(options: NamedWebhookOptions | OwnWebhookOptions): MiddlewareClass {
  const { scheme, rules, maxBytes, windowMs } = checked(options);

  return class SignedWebhook extends Middleware {
    static readonly security: DeclaredSecurity = scheme.security;

    static answers(method: string): Readonly<Record<number, string>> {
      return {
        403: windowMs === null ? "The signature does not fit" : "The signature or the time does not fit",
        413: "The content is too large",
        ...(!safeMethods.has(method) && {
          409: "The same webhook is under way; Retry-After says when to come back",
        }),
      };
    }

    async ALL(input: object): Promise<unknown> {
      if (!isRequestLike(input)) {
        throw new TypeError(
          `Cannot check a webhook: expected a Request, got ${described(input)}; ` +
            "use verifyWebhook() with http.native.js",
        );
      }
      const [content, passed] = await takenContent(input, maxBytes);
      const { key, senders } = await scheme.keyOf(input, content);
      const { method } = routedBy(input);
      const { params } = input as { readonly params?: unknown };
      const pattern = patternOf(input);
      // Without a handler it is 404 or 501, which no repeat changes.
      const isFound = pattern !== null && this.resourceOf(input) !== null;
      if (safeMethods.has(method) || !isFound) return this.next(input, passed());
      const here = ["webhook", scheme.name, method, placeOf(pattern), key];
      // A repeat has the same sender, or the same content at the same place: a sender may have changed its secret.
      const current = [
        ...senders.map((sender) => [...here, sender]),
        [...here, Params.textsOf(params), senders.length === 0 ? null : await sha256(content)],
      ];
      const names = await writeNamesOf([`webhook ${scheme.name}`, method, pattern, key], ...current);
      // The key may hold what a store cannot keep, such as NUL or half a character; its digest cannot.
      return answeredOnce(input, { names, fingerprint: (name) => name, rules }, () => this.next(input, passed()));
    }
  };
}

interface BoundScheme {
  readonly name: string;
  readonly security: DeclaredSecurity;
  keyOf(input: object, content: Bytes): Promise<SignedKey>;
}

function checked(options: NamedWebhookOptions | OwnWebhookOptions) {
  const check = new OptionCheck<Partial<NamedWebhookOptions>>("verifyWebhook", options as NamedWebhookOptions, known);
  const { scheme: given, secrets, maxBytes = 1_048_576 } = check.options;
  const named = typeof given === "string" && Object.hasOwn(schemes, given) ? schemes[given] : null;
  check.require(
    named !== null || typeof given === "function",
    "scheme",
    '"standard", "github", "stripe" or a function',
    given,
  );
  const isFit = named === null ? secrets === undefined : Array.isArray(secrets) && secrets.length > 0;
  check.requireSecret(isFit, "secrets", named === null ? "absent with a function" : "an array of secrets");
  // Nobody adds one later that was not checked.
  const trusted = [...(secrets ?? [])];
  for (const secret of trusted) {
    named!.checkSecret(check, secret);
  }
  check.count("maxBytes");
  const rules = checkedRules(check as OptionCheck<WriteOptions>, "delivery", (status) => status < 400);
  const windowMs = named?.windowMs ?? null;
  // The time may be ahead as well: from the first try to the last one are two windows.
  check.require(
    windowMs === null || rules.ttlMs >= 2 * windowMs,
    "ttlMs",
    "at least ten minutes, twice the time that a webhook is taken",
    rules.ttlMs,
  );
  const scheme: BoundScheme =
    named === null
      ? ownScheme(given as unknown as WebhookScheme)
      : {
          name: named.name,
          security: securityOf(named.name),
          keyOf: (input, content) => named.keyOf({ field: (name) => requestField(input, name), content }, trusted),
        };
  return { scheme, rules, maxBytes, windowMs };
}

function ownScheme(scheme: WebhookScheme): BoundScheme {
  return {
    name: "own",
    security: {},
    async keyOf(input, content) {
      const key: unknown = (await scheme(input as never, content)) ?? null;
      if (key === null) throw unsigned();
      // Who sends is what the function has found by the request, or a part of the key.
      if (typeof key === "string" && key !== "") return { key, senders: [] };
      throw new TypeError(
        `Cannot check a webhook: expected scheme() of verifyWebhook() to return a string or null, ` +
          `got ${described(key)}`,
      );
    },
  };
}
