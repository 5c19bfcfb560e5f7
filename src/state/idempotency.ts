import { Middleware, type MiddlewareClass } from "../application/middleware.ts";
import { routedBy } from "../dispatch/input-exchange.ts";
import { patternOf } from "../middleware/lib/outcome.ts";
import type { ReceivedRequest } from "../dispatch/params.ts";
import { requestField } from "../fields/request-fields.ts";
import { described } from "../http/javascript/described.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { answeredOnce, writes } from "./answered-once.ts";
import { isRequestLike, takenContent } from "./taken-content.ts";
import { fingerprintOf, targetOf } from "../writes/fingerprint.ts";
import type { formPartsOf } from "../writes/form-parts.ts";
import { keyOf } from "../writes/idempotency-key.ts";
import { keyAnswers } from "../writes/refusals.ts";
import { safeMethods } from "../http/protocol/safe-methods.ts";
import { keyedNamesOf } from "../writes/write-names.ts";
import { checkedRules, checkedOwner, type WriteOptions } from "../writes/write-rules.ts";

export type { RecordStore, WriteLease, WriteRecord } from "../writes/record-store.ts";

/** Options of `idempotency()`. */
export interface IdempotencyOptions<Input extends object = ReceivedRequest> extends WriteOptions {
  /**
   * Returns whose key it is, so that nobody gets the answer of somebody else: a string that is not empty, such as a
   * user's id.
   */
  readonly ownerOf: (input: Input) => string | Promise<string>;
  /** Refuses requests without a key. Default: false. */
  readonly required?: boolean | undefined;
  /** Maximum body size of a request with a key, in bytes. Default: 1 MiB. */
  readonly maxBytes?: number | undefined;
}

const known: readonly (keyof IdempotencyOptions)[] = [
  ...(["store", "ownerOf", "required", "ttlMs", "leaseMs", "storeTimeoutMs", "maxBytes", "docs"] as const),
];

/**
 * Makes middleware that runs a write once: a repeat with the same `Idempotency-Key` gets the first response again. It
 * is for the native module.
 *
 * Safe methods pass. Responses with status 200 to 499 are stored and replayed, except 408, 425, 429 and those with
 * `Retry-After`. While a request is under way, a repeat gets 409. Another request with the same key gets 422. One run
 * at a time, unless a lease ends early; after a crash between the effect and its record, a repeat runs the handler
 * again.
 *
 * @typeParam Input what its functions are given.
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * class Payments extends Resource {
 *   paths = ["/payments"];
 *
 *   POST(): Response {
 *     return Response.json({ paid: true }, Status.Created);
 *   }
 * }
 * const once = idempotency({ store: memoryRecords(), ownerOf: () => "everyone" });
 * const group = ResourceGroup.builder().resources(Payments).middleware(once).build();
 * const app = Application.builder().resources(group).build();
 * const payment = { method: "POST", headers: { "Idempotency-Key": "7" } };
 * await app.request("/payments", payment);
 * const repeat = await app.request("/payments", payment);
 * console.log(repeat.status, repeat.headers.get("Idempotent-Replayed")); // 201 true
 * ```
 */
export function idempotency<Input extends object = ReceivedRequest>(
  options: IdempotencyOptions<Input>,
): MiddlewareClass {
  const check = new OptionCheck("idempotency", options, known);
  const rules = checkedRules(check, "Idempotency-Key");
  const { ownerOf, required = false, maxBytes = 1_048_576 } = check.options;
  check.require(typeof ownerOf === "function", "ownerOf", "a function");
  check.boolean("required");
  check.count("maxBytes");

  return class Idempotency extends Middleware {
    static answers(method: string): Readonly<Record<number, string>> {
      if (safeMethods.has(method)) return {};
      return { ...keyAnswers, 413: "The content is too large" };
    }

    async ALL(input: Input): Promise<unknown> {
      const { method, url } = routedBy(input);
      const pattern = patternOf(input);
      // Without a pattern it is 404, which uses up no key.
      if (safeMethods.has(method) || pattern === null) return this.next(input);
      const key = keyOf(input, required, rules);
      if (key === null) return this.next(input);
      if (!isRequestLike(input)) {
        throw new TypeError(
          `Cannot begin a write: expected a Request, got ${described(input)}; use idempotency() with http.native.js`,
        );
      }
      const [content, passed] = await takenContent(input, maxBytes);
      const type = requestField(input, "content-type") ?? "";
      const fingerprint = await fingerprintOf({ method, target: targetOf(url), type, content }, formPartsLater);
      const names = await keyedNamesOf(checkedOwner(await ownerOf(input)), method, pattern, key);
      return answeredOnce(input, { names, fingerprint: () => fingerprint, rules }, () => this.next(input, passed()));
    }
  };
}

/**
 * Stores the response in the handler's transaction, so that both commit or neither does. Returns the response, which
 * the handler must then return.
 *
 * A request without a key has no record: the response is returned as it is.
 *
 * @param request the input of the handler, after `idempotency()`.
 * @param transaction what the driver passes to the function of a transaction.
 * @throws {Error} when the answer cannot be kept. Let the transaction end by it. Causes are a store without
 * transactions, no transaction, an answer that is not kept, or another run that has begun.
 * @example
 * ```ts
 * import postgres from "postgres";
 *
 * const sql = postgres("postgres://127.0.0.1/shop");
 *
 * class Payments extends Resource {
 *   paths = ["/payments"];
 *
 *   POST(request: Request): Promise<Response> {
 *     return sql.begin(async (transaction) => {
 *       await transaction`insert into payments (amount) values (7)`;
 *       return commit(request, transaction, new Response(null, { status: 201 }));
 *     });
 *   }
 * }
 * const once = idempotency({ store: postgresRecords(sql), ownerOf: () => "everyone" });
 * const group = ResourceGroup.builder().resources(Payments).middleware(once).build();
 * ```
 */
export async function commit(request: object, transaction: unknown, response: Response): Promise<Response> {
  const run = writes.find(request);
  return run === undefined ? response : (await run.commit(transaction, response)).made!;
}

/** By need: applications without forms are smaller (npm run size). */
async function formPartsLater(...form: Parameters<typeof formPartsOf>): ReturnType<typeof formPartsOf> {
  return (await import("../writes/form-parts.ts")).formPartsOf(...form);
}
