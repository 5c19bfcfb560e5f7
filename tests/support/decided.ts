import type { Decision } from "../cases/decision.ts";

/** What an answer is, as far as the decision table says anything of it. */
export interface Decided {
  readonly status: number;
  readonly field: (name: string) => string | null;
  /** Null where it was not read. */
  readonly text: string | null;
}

/** How an answer departs from its row, and from what holds for all of them; null if it does not. */
export function departureOf(decision: Decision, { status, field, text }: Decided): string | null {
  const faults: string[] = [];
  if (status !== decision.status) faults.push(`${status} instead of ${decision.status}`);
  for (const [name, value] of Object.entries(decision.fields)) {
    if (field(name) !== value) faults.push(`${name} is ${field(name)} instead of ${value}`);
  }
  if (status === 405 && field("allow") === null) faults.push("405 without Allow (RFC 9110 §15.5.6)");
  if (status === 415 && field("accept") === null && field("accept-encoding") === null)
    faults.push("415 without Accept (RFC 9110 §15.5.16)");
  if (status === 406 && field("vary") === null) faults.push("406 without Vary (RFC 9110 §12.5.5)");
  const isEmpty = decision.method === "HEAD" || status === 204 || status === 304;
  if (isEmpty && text !== null && text !== "") faults.push("content where there is none (RFC 9110 §6.4.1)");
  if (status >= 400 && !isEmpty && text !== null) {
    const problem = JSON.parse(text) as { readonly status?: unknown };
    if (problem.status !== status) faults.push(`problem details of ${String(problem.status)} (RFC 9457 §3.1.2)`);
  }
  if (faults.length === 0) return null;
  const { method, target, headers, because } = decision;
  return `${method} ${target} ${JSON.stringify(headers)}: ${faults.join(", ")}, for ${because}`;
}
