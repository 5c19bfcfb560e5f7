import type { Problems } from "../../dispatch/error-response.ts";
import { parsePathPattern } from "../../routing/pattern/path-pattern.ts";
import type { WriteRules } from "../../writes/write-rules.ts";
import type { Plan } from "./plan.ts";

/** A resource class of the semantics chain in its application. */
export interface LineResource {
  readonly name: string;
  readonly plans: ReadonlyMap<string, Plan>;
  readonly replies: "shape" | "check" | "trust";
  /** The shape that errors have; null for problem details. */
  readonly problems: Problems | null;
  /** How writes happen once; null if no operation of the application takes keys. */
  readonly writes: LineWrites | null;
  /** Reports an error of a request that has its answer. */
  readonly onError: (error: unknown, input: object) => void;
  readonly allowed: Map<string, Allowed>;
}

/** How writes of an application happen once. */
export interface LineWrites {
  readonly rules: WriteRules;
  /** Returns whose key it is. */
  readonly ownerOf: (call: object) => unknown;
}

/** The methods that exist at one path pattern. */
export class Allowed {
  readonly #plans: ReadonlyMap<string, Plan>;
  readonly paramNames: readonly string[];
  readonly allow: string;
  /** The fields of an answer to OPTIONS: what there is, and which content it takes (RFC 5789 §3.1, RFC 10008). */
  readonly fields: [string, string][];

  constructor(pattern: string, plans: readonly Plan[]) {
    this.paramNames = parsePathPattern(pattern).names;
    this.#plans = new Map(plans.map((plan) => [plan.model.method, plan]));
    const names = new Set<string>(this.#plans.keys());
    if (names.has("GET")) names.add("HEAD");
    names.add("OPTIONS");
    this.allow = [...names].toSorted().join(", ");
    this.fields = [["allow", this.allow]];
    for (const method of ["PATCH", "POST", "QUERY"]) {
      const content = this.#plans.get(method)?.model.content;
      if (content) this.fields.push([`accept-${method.toLowerCase()}`, content.types]);
    }
  }

  /** The operation that answers a method: HEAD is answered by GET (RFC 9110 §9.3.2). */
  planFor(method: string): Plan | null {
    const isAnsweredByGet = method === "HEAD" && !this.#plans.has(method);
    return this.#plans.get(isAnsweredByGet ? "GET" : method) ?? null;
  }
}

/**
 * The methods that exist at a pattern: those that name its path by `at`, or name none. There are as many as there are
 * patterns.
 */
export function allowedAt(resource: LineResource, pattern: string): Allowed {
  let allowed = resource.allowed.get(pattern);
  if (allowed === undefined) {
    const plans = [...resource.plans.values()].filter(({ model }) => model.isAt(pattern));
    resource.allowed.set(pattern, (allowed = new Allowed(pattern, plans)));
  }
  return allowed;
}
