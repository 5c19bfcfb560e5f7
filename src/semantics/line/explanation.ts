/** Options of `app.explain()`. */
export interface ExplainOptions {
  /** Whether middleware, `validator()` and handler are called, as for an answer. Default: they are not. */
  readonly run?: boolean | undefined;
}

/** Why a request gets the status that it gets. */
export interface Explanation {
  /** The method token. */
  readonly method: string;
  /** The URL. */
  readonly url: string;
  /** The name of the resource class; null where no pattern matches the path. */
  readonly resource: string | null;
  /** The pattern that matches the path. */
  readonly pattern: string | null;
  /** The names of the middleware classes that run before the questions are asked, outermost first. */
  readonly middleware: readonly string[];
  /** The questions that were asked, in their order. */
  readonly questions: readonly Question[];
  /** The status; null where only the handler knows, or a `validator()` that was not called. */
  readonly status: number | null;
}

/** A question that was asked of a request. */
export interface Question {
  /** The step of the line, counted from 1; 0 is before it, and 15 after it. */
  readonly step: number;
  /** The question. */
  readonly question: string;
  /** The section of the RFC that has the answer. */
  readonly section: string;
  /** The finding. */
  readonly finding: string;
}
