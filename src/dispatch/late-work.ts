/** Runs work after answers, for applications with `fetch`. */
export interface LateWork {
  asked(request: Request): void;
  /**
   * Notes that a request has its answer. Returns the response that is sent.
   * @param report reports an error to the observer of the application.
   * @param context what a runtime passes to `fetch` as third argument.
   */
  answered(
    dispatcher: object,
    request: Request,
    response: Response,
    report: (error: unknown) => unknown,
    context: unknown,
  ): Response;
  settled(dispatcher: object, graceMs: number): Promise<void>;
}

/** Is set by the module that has it: programs that do not import that do not contain it. */
export const lateWork: { found: LateWork | null } = { found: null };
