import type { Preconditions, Validators } from "../../fields/preconditions.ts";
import { RequestFields } from "../../fields/request-fields.ts";
import { isConditional, preconditionsOf } from "../../fields/request-preconditions.ts";
import type { Paged } from "../../formats/pages/collection-pages.ts";
import { HTTPError } from "../../http/protocol/http-error.ts";
import type { Question } from "./explanation.ts";
import { describedMembersOf } from "../operation/described-members.ts";
import { steps } from "../operation/steps.ts";
import type { RequestMedium } from "../operation/input-model.ts";
import type { Allowed } from "./allowed.ts";
import type { LineRequest } from "./line-call.ts";
import type { Plan } from "./plan.ts";

/** Notes what the steps of `perform()` find, and the status that they end in. */
export class Trace {
  readonly questions: Question[] = [];
  readonly #isRun: boolean;
  /** The step that was asked last. */
  #at = 0;
  isOpen = true;
  /** What must hold of steps before that were not asked: they may end in another status. */
  readonly #conditions: string[] = [];
  #plan: Plan | null = null;
  #request: LineRequest | null = null;
  status: number | null = null;

  /** @param isRun whether validator and handler are called. */
  constructor(isRun: boolean) {
    this.#isRun = isRun;
  }

  note(step: number, finding: string, status: number | null = null): void {
    const { question, section } = steps[step]!;
    this.questions.push({ step: Math.max(step, 0), question, section, finding });
    if (status !== null) this.status = status;
  }

  end(step: number, finding: string, status: number | null): void {
    this.note(step, finding, status);
    this.isOpen = false;
  }

  allow(allowed: Allowed, plan: Plan | null, name: string, method: string, request: LineRequest): void {
    this.#at = 1;
    this.#plan = plan;
    this.#request = request;
    if (plan !== null) this.note(1, plan.model.method === method ? "yes" : `yes: ${plan.model.method} answers it`);
    else if (method === "OPTIONS") this.end(1, `yes: Allow is ${allowed.allow}`, 204);
    else this.end(1, `no: ${name} allows ${allowed.allow}`, 405);
  }

  /** Notes that the client has the representation already. */
  endUnmodified(): void {
    this.end(8, "yes, and the client has it already", 304);
  }

  /** Notes that `may` hides what is there. */
  endHidden(): void {
    this.end(3, "no: may hides it", 404);
  }

  /** Notes that the request was answered before. */
  endRepeated(status: number): void {
    this.end(7, "yes: the first answer is sent again", status);
  }

  /** Notes that a step lets the request go on. Undeclared parts of an operation are not asked for. */
  find(step: number, value?: unknown): void {
    this.#at = step;
    if (step === 10) this.#noteMembers();
    const finding = this.#findingOf(step, value);
    if (finding !== null) this.note(step, finding);
  }

  /** Notes an error of the step after the last one. An error of the handler is in the answer. */
  refuse(error: unknown): void {
    const step = this.#at + 1;
    if (!this.isOpen || step > 9) return;
    if (!(error instanceof HTTPError)) {
      if (this.#isRun) this.end(step, `it fails: ${String(error)}`, 500);
      return;
    }
    const { hasValidator } = this.#plan!.model;
    if (step === 8 && hasValidator && !this.#isRun)
      return this.end(8, "no: one is required, unless validator() returns null", error.status);
    const told = (error.errors ?? []).map((one) => `${one.in} ${one.pointer}: ${one.detail}`).join("; ");
    const finding = `no: ${told || error.message}`;
    const [condition] = this.#conditions;
    if (condition === undefined) return this.end(step, finding, error.status);
    return this.end(step, `${finding}; ${error.status} if ${condition}`, null);
  }

  #noteMembers(): void {
    const { model } = this.#plan!;
    for (const { question } of describedMembersOf(model)) {
      if (question === null) continue;
      const [asked, section, findingOf] = question;
      this.questions.push({ step: 10, question: asked, section, finding: findingOf(model) });
    }
  }

  #findingOf(step: number, value: unknown): string | null {
    const { model } = this.#plan!;
    switch (step) {
      case 2:
        return model.path === null ? null : `yes: ${JSON.stringify(value)}`;
      case 3:
        return this.#access();
      case 4:
        if (model.page !== null) return `yes: ${askedFor(value as Paged<unknown>)}`;
        return model.query === null && model.headers === null && model.cookies === null ? null : "yes";
      case 5: {
        const media = value as RequestMedium | null;
        return model.content === null ? null : `yes: ${media?.type ?? "there is none, and none need be"}`;
      }
      case 6:
        return model.produces.length === 0 ? null : `yes: ${String(value)}`;
      case 7:
        if (!model.isOnce) return null;
        if (value === null) return "no: there is no Idempotency-Key";
        if (!this.#isRun) this.#conditions.push("the key is new");
        return this.#isRun ? "no: the key is new" : "not asked: the store is not called";
      case 8:
        return this.#preconditions(value as Validators | null | undefined);
      case 9:
        return value === null ? null : "yes";
      default: {
        const statuses = [...model.answers.keys()].join(", ");
        const parts = model.patch === null ? "" : ", made of its GET and PUT";
        const declared = statuses && `, which declares ${statuses}`;
        return this.#isRun ? null : `not called: ${model.method} of ${model.mounted.name}${parts}${declared}`;
      }
    }
  }

  #access(): string | null {
    const { scopes, mayAt } = this.#plan!.model;
    const needed = [
      ...(scopes.length > 0 ? [`the scopes ${scopes.join(", ")}`] : []),
      ...mayAt(this.#request!.params.pattern).map(({ place }) => place),
    ].join("; ");
    if (needed === "") return null;
    if (this.#isRun) return `yes: ${needed}`;
    this.#conditions.push("the sender may");
    return `not asked: ${needed}`;
  }

  #preconditions(current: Validators | null | undefined): string | null {
    const { takesPreconditions, hasValidator, declaration } = this.#plan!.model;
    // RFC 9110 §13.2.1: of some methods they are ignored.
    if (!takesPreconditions) return null;
    const preconditions = preconditionsOf(new RequestFields(this.#request!));
    const isSent = Object.values(preconditions).some((value) => value !== null);
    if (!isSent && declaration.precondition !== true && !hasValidator) return null;
    if (hasValidator && !this.#isRun) {
      if (isSent) this.#conditions.push("the preconditions hold");
      return "not asked: validator() is not called";
    }
    return current === undefined ? "not known: the resource does not say" : `yes: ${whyHeld(preconditions, current)}`;
  }
}

function askedFor({ after, limit }: Paged<unknown>): string {
  return `${limit} items ${after === undefined ? "from the beginning" : `after ${JSON.stringify(after)}`}`;
}

/** Thrown instead of the answer of a handler that is not to be called. */
export const notCalled: unique symbol = Symbol("notCalled");

/** Says why preconditions hold, by the first that was evaluated (RFC 9110 §13.2.2). */
function whyHeld(preconditions: Preconditions, current: Validators | null): string {
  if (current === null) return "there is no representation";
  if (preconditions.ifMatch !== null) return "If-Match holds";
  if (isConditional({ ...preconditions, ifNoneMatch: null }, current)) return "If-Unmodified-Since holds";
  return "the client has another version, or asks for none";
}
