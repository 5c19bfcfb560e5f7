import type { Question } from "./explanation.ts";

/** Why a request is refused before the line. */
export interface Refused {
  readonly status: { readonly status: number };
  readonly reason: string;
}

/** The questions that were asked of a request, and the status that they end in. */
export class Trace {
  readonly questions: Question[] = [];
  /** The step that is asked now. */
  at = 0;
  isOpen = true;
  /** Whether all steps before were asked: a step that was not may end in another status. */
  isSure = true;
  status: number | null = null;

  find(step: number, finding: string, status: number | null = null): void {
    const [question, section] = asked[step]!;
    this.questions.push({ step: Math.max(step, 0), question, section, finding });
    if (status !== null) this.status = status;
  }

  end(step: number, finding: string, status: number | null): void {
    this.find(step, finding, status);
    this.isOpen = false;
  }

  refuse(step: number, { reason, status: { status } }: Refused): void {
    this.end(step, `no: ${reason}`, status);
  }
}

/** The questions by their steps; 0 comes before the line, and 13 after it. */
const asked: Readonly<Record<number, readonly [question: string, section: string]>> = {
  [-1]: ["Does the middleware let it through?", "RFC 9110 §15.5.2"],
  0: ["Does a resource have the path?", "RFC 9110 §15.5.5"],
  1: ["Is the method allowed?", "RFC 9110 §15.5.6"],
  2: ["Does the path fit?", "RFC 9110 §15.5.5"],
  3: ["Do query, fields and cookies fit?", "RFC 9110 §15.5.1"],
  4: ["Is the content of a type that is taken?", "RFC 9110 §15.5.16"],
  5: ["Is a representation acceptable?", "RFC 9110 §15.5.7"],
  6: ["Do the preconditions hold?", "RFC 9110 §13.2.2"],
  7: ["Does the content fit?", "RFC 9110 §15.5.21"],
  8: ["What does the handler answer?", "RFC 9110 §9"],
  10: ["Which fields has the answer?", "RFC 9110 §8"],
  11: ["Has the client got it?", "RFC 9110 §15.4.5"],
  12: ["Which part is it?", "RFC 9110 §14.2"],
  13: ["Which status is sent?", "RFC 9110 §15"],
};
