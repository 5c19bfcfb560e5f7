import { isMethod } from "../http/protocol/method.ts";
import type { PathPattern } from "../routing/pattern/path-pattern.ts";
import type { TrailingSlash } from "../routing/build/path-index-builder.ts";
import { pathOf } from "../routing/request/target-path.ts";
import { ModuleError, type AskedQuestion, type LoadedApplication } from "./loaded-application.ts";
import { matchedSegments, matches, winnerOf } from "./lone-pattern.ts";
import { missReason, precedenceReason } from "./pattern-reason.ts";

/** A pattern that was considered, and why it won, lost or does not match. */
interface ConsideredPattern {
  readonly pattern: string;
  readonly resource: string;
  readonly matches: boolean;
  readonly because: string;
}

/** The explanation of how an application handles a request, and why. */
export interface Explanation {
  readonly method: string;
  readonly target: string;
  /** The canonical path that is matched. Null if the target has none. */
  readonly path: string | null;
  readonly matched: boolean;
  /**
   * The status that `handle()` throws. Null if a handler is called, or a `validator()` that was not called decides it.
   */
  readonly status: number | null;
  readonly because: string;
  readonly resource: string | null;
  readonly pattern: string | null;
  readonly params: Readonly<Record<string, string | null>>;
  /**
   * The names of the middleware classes around the resource, outermost first. The model does not say whether one
   * implements the method, nor which middleware is around the application.
   */
  readonly middleware: readonly string[];
  /** The media type that was guessed, where content was given without one. */
  readonly guessedType?: string;
  /** The questions that are asked of the request, in order. Only in the semantics module. */
  readonly questions: readonly AskedQuestion[];
  /** Patterns that match, best first. Then the patterns that come closest. */
  readonly considered: readonly ConsideredPattern[];
}

/**
 * Returns whether questions end in a refusal. Its status is null where a `validator()` that was not called decides it.
 */
export function isRefusedBy(questions: readonly AskedQuestion[], status: number | null): boolean {
  return status === null ? questions.at(-1)?.finding.startsWith("no: ") === true : status >= 400;
}

/** A pattern and the resource that it leads to. */
interface Owned {
  readonly pattern: PathPattern;
  readonly resource: string;
}

const mostNearMisses = 5;

export interface ExplainedRequest {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly content: string | null;
  readonly isRun: boolean;
}

/**
 * Explains how an application handles a request. Uses its model, and the questions that an application of the semantics
 * module asks. Such an application calls its handlers only on demand.
 * @throws {ModuleError} when fields, content or a run are asked for, and the application asks no questions, or no such
 * request can be made.
 */
export async function askedExplanationOf(
  app: LoadedApplication,
  method: string,
  target: string,
  asked: ExplainedRequest,
): Promise<Explanation> {
  const explanation = explanationOf(app, method, target);
  const { headers, content, isRun } = asked;
  const isSpecial = isRun || content !== null || headers.length > 0;
  if (app.explain === undefined) {
    if (!isSpecial) return explanation;
    throw new ModuleError(
      "Cannot use --header, --content or --run: only an application of the semantics module asks questions of a " +
        "request",
    );
  }
  const isTyped = content === null || headers.some(([name]) => name.toLowerCase() === "content-type");
  const guessedType = isTyped ? null : typeOf(content);
  let request: Request;
  try {
    request = new Request(new URL(target, "http://localhost"), {
      method,
      headers: [...(headers as [string, string][]), ...(guessedType === null ? [] : [typeField(guessedType)])],
      body: content,
    });
  } catch (error) {
    // The method may be one that no `Request` can have, such as TRACE.
    if (!isSpecial) return explanation;
    throw new ModuleError(`Cannot make the request: ${(error as Error).message}`);
  }
  const { questions, middleware, status } = await app.explain(request, { run: isRun });
  const because =
    explanation.matched && isRefusedBy(questions, status)
      ? questions.at(-1)!.finding.replace(/^no: /, "")
      : explanation.because;
  const guessed = guessedType === null ? {} : { guessedType };
  return { ...explanation, because, ...guessed, questions, middleware, status: status ?? explanation.status };
}

const typeField = (type: string): [string, string] => ["content-type", type];

/** Guesses the media type of content, as most applications take it. */
function typeOf(content: string): string {
  try {
    JSON.parse(content);
    return "application/json";
  } catch {
    return /^[^\s=&]+=[^\s]*$/.test(content) ? "application/x-www-form-urlencoded" : "text/plain";
  }
}

/** Explains how an application handles a request, by its model and without running any of its code. */
export function explanationOf(app: LoadedApplication, method: string, target: string): Explanation {
  const decision = app.match({ method, url: target });
  const derived = pathOf(target);
  const path = typeof derived === "string" ? derived : null;
  const { resource, pattern } = { resource: null, pattern: null, ...decision };
  const params = decision.matched ? Object.entries(decision.params).map(([name, value]) => [name, value ?? null]) : [];
  return {
    method,
    target,
    path,
    matched: decision.matched,
    status: decision.matched ? null : decision.status.status,
    because: decision.matched ? answererOf(resource!, method) : reasonOf(decision.reason, method, resource),
    resource: resource?.name ?? null,
    pattern: pattern?.source ?? null,
    params: Object.fromEntries(params) as Record<string, string | null>,
    // A method that is not one of the nine is refused before it (C3.3).
    middleware: isMethod(method) ? (resource?.middleware ?? []) : [],
    questions: [],
    considered: path === null ? [] : consider(app, path),
  };
}

function answererOf({ name, methods }: LoadedApplication["resources"][number], method: string): string {
  return methods.includes(method) ? `${name} implements ${method}` : `${name} answers ${method} by itself`;
}

function reasonOf(reason: string, method: string, resource: LoadedApplication["resources"][number] | null): string {
  if (resource === null || resource.methods.includes(method) || !reason.includes("implement")) return reason;
  const implemented = resource.methods.length === 0 ? "no method" : resource.methods.join(", ");
  if (isMethod(method)) return `${reason}; it implements ${implemented}`;
  return `${reason}: it is none of the nine methods; ${resource.name} implements ${implemented}`;
}

function consider(app: LoadedApplication, path: string): ConsideredPattern[] {
  const all = app.resources.flatMap(({ name, patterns }) => patterns.map((pattern) => ({ pattern, resource: name })));
  const { trailingSlash } = app;
  const matching = ranked(
    all.filter(({ pattern }) => matches(pattern, path, trailingSlash)),
    path,
    trailingSlash,
  );
  return [
    ...matching.map(({ pattern, resource }, at) => ({
      pattern: pattern.source,
      resource,
      matches: true,
      because: rankReason(matching, at, path),
    })),
    ...nearMisses(all, matching, path, trailingSlash),
  ];
}

/**
 * Sorts patterns that match into the order in which the application would take them, each as if those before it were
 * absent.
 */
function ranked(matching: readonly Owned[], path: string, trailingSlash: TrailingSlash): Owned[] {
  const order: Owned[] = [];
  let left = [...matching];
  while (left.length > 0) {
    const best = winnerOf(
      left.map(({ pattern }) => pattern),
      path,
      trailingSlash,
    );
    order.push(...left.filter(({ pattern }) => pattern === best));
    left = left.filter(({ pattern }) => pattern !== best);
  }
  return order;
}

function rankReason(matching: readonly Owned[], at: number, path: string): string {
  if (matching.length === 1) return "the only pattern that matches";
  const next = matching[at + 1];
  if (next === undefined) return "last";
  return `${at === 0 ? "wins" : "next"}: ${precedenceReason(matching[at]!.pattern, next.pattern, path)}`;
}

function nearMisses(
  all: readonly Owned[],
  matching: readonly Owned[],
  path: string,
  trailingSlash: TrailingSlash,
): ConsideredPattern[] {
  return all
    .filter((owned) => !matching.includes(owned))
    .map((owned) => ({ ...owned, count: matchedSegments(owned.pattern, path) }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
    .slice(0, mostNearMisses)
    .map(({ pattern, resource, count }) => ({
      pattern: pattern.source,
      resource,
      matches: false,
      because: missReason(pattern, path, count, trailingSlash),
    }));
}
