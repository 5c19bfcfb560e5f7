import { original } from "../../dispatch/input-exchange.ts";
import { kindOf, described } from "../../http/javascript/described.ts";
import { after, isThenable } from "../../http/javascript/thenable.ts";
import { HTTPError, refusal } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import { parsePathPattern } from "../../routing/pattern/path-pattern.ts";
import type { Reply } from "../declaration/reply.ts";
import { hasScopes, type MayRule } from "../operation/access-model.ts";
import { hiddenReplyOf } from "../operation/access-rules.ts";
import { requestsOfPatch } from "../operation/made-operation.ts";
import type { OperationModel } from "../operation/operation-model.ts";
import { pathEntriesOf, type LineRequest } from "./line-call.ts";

/** Who may use an operation. Null where nothing is said of that. */
export function accessOf(model: OperationModel): Access | null {
  return model.scopes.length > 0 || model.mays.length > 0 ? new Access(model) : null;
}

/** Asks who sends requests of an operation, and whether they may. */
export class Access {
  readonly #model: OperationModel;
  readonly #rules = new Map<string, readonly MayRule[]>();
  /** The names of the params of all paths: another one is a mistake. */
  readonly #names: ReadonlySet<string>;

  constructor(model: OperationModel) {
    this.#model = model;
    this.#names = new Set(model.mounted.patterns.flatMap((pattern) => parsePathPattern(pattern).names));
  }

  /**
   * Returns whether what is there is hidden from the sender. Where it is not, the sender may.
   * @throws {HTTPError} 401 if no guard knows who asks; 403 for a scope that lacks, or by `may`.
   */
  isHiddenFrom(request: LineRequest): boolean | Promise<boolean> {
    if (this.#model.scopes.length > 0) this.#refuseWithoutScopes(request);
    const { pattern } = request.params;
    let rules = this.#rules.get(pattern);
    if (rules === undefined) this.#rules.set(pattern, (rules = this.#model.mayAt(pattern)));
    return rules.length === 0 || requestsOfPatch.has(request) ? false : this.#ask(rules, this.#askedOf(request));
  }

  /** Returns what a handler would. @throws {HTTPError} 404 where the operation declares none. */
  hiddenReply(): Reply {
    const hidden = hiddenReplyOf(this.#model);
    if (hidden) return hidden;
    throw refusal(Status.NotFound);
  }

  #refuseWithoutScopes(request: object): void {
    const { scopes, grantors } = this.#model;
    const has = hasScopes(this.#model, request);
    if (has === true) return;
    const challenges = grantors.flatMap((guard) =>
      has === null ? (guard.challengeOf(request) ?? []) : (guard.challengeOf(request, scopes) ?? []),
    );
    throw refusal(
      has === null ? Status.Unauthorized : Status.Forbidden,
      undefined,
      challenges.length === 0 ? {} : { "www-authenticate": [...new Set(challenges)].join(", ") },
    );
  }

  #askedOf(request: LineRequest): object {
    const values: Record<string, string> = Object.fromEntries(pathEntriesOf(request.params, [...this.#names]));
    const path = new Proxy(values, {
      get: (_, name) => {
        if (typeof name === "string" && !this.#names.has(name) && !(name in Object.prototype) && name !== "toJSON") {
          const known = [...this.#names].map(described).join(", ") || "none";
          throw new TypeError(
            `Cannot ask who may use ${this.#model.mounted.name}: no path has a param ${described(name)}; write one ` +
              `of ${known}`,
          );
        }
        return Reflect.get(values, name);
      },
    });
    // Attributes of the request are also attributes of what is asked.
    return { path, request, resource: this.#model.mounted.resource, [original]: request };
  }

  /** Asks one rule after another: the first that refuses decides. */
  #ask(rules: readonly MayRule[], asked: object, at = 0): boolean | Promise<boolean> {
    const rule = rules[at];
    if (rule === undefined) return false;
    return after(this.#decided(rule, asked), (may) => {
      if (may === true) return this.#ask(rules, asked, at + 1);
      if (may !== false) {
        throw new TypeError(`Cannot ask ${rule.place}: it returned ${kindOf(may)}; write return true or false`);
      }
      if (rule.hides) return true;
      const { isProblem, description } = this.#model.answers.get(403) ?? {};
      throw refusal(Status.Forbidden, isProblem === true ? (description ?? undefined) : undefined);
    });
  }

  #decided(rule: MayRule, asked: object): unknown {
    try {
      const given = rule.ask(asked);
      return isThenable(given) ? given.then(undefined, (error: unknown) => this.#fail(rule, error)) : given;
    } catch (error) {
      return this.#fail(rule, error);
    }
  }

  /** An error is not a decision: an `HTTPError` would refuse where it is thrown, and let pass elsewhere. */
  #fail({ place }: MayRule, error: unknown): never {
    if (!(error instanceof HTTPError)) throw error;
    throw new TypeError(`Cannot ask ${place}: it threw ${error.status}; write return false`, { cause: error });
  }
}
