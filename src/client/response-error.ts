import type { Problem } from "../semantics/declaration/reply.ts";

/**
 * A response that the client cannot use: the server failed, or the body has an unexpected type.
 *
 * `orThrow()` of a result throws it for each status that is not OK.
 *
 * @example
 * ```ts
 * class Report extends Resource {
 *   paths = ["/report"] as const;
 *
 *   static GET = { 200: text() };
 *   GET(): string {
 *     throw new Error("The disk is full");
 *   }
 * }
 * const app = Application.builder().resources(Report).onError(() => {}).build();
 * const api = client<typeof app>("http://localhost", { fetch: app.fetch });
 * try {
 *   await api["/report"].GET();
 * } catch (error) {
 *   if (error instanceof ResponseError) console.log(error.response.status); // 500
 * }
 * ```
 */
export class ResponseError extends Error {
  /** The answer. Its content has been read where `content` has it. */
  declare readonly response: Response;
  /** The content, as far as it was read: problem details, for most errors. */
  declare readonly content: unknown;

  /** @param isRead whether the answer is as expected, and its status alone is not OK. */
  constructor(response: Response, call: string, content?: unknown, cause?: unknown, isRead?: boolean) {
    const type = response.headers.get("content-type");
    super(
      isRead
        ? `${call} was answered by ${response.status}: ${(content as Problem | null | undefined)?.detail ?? type}`
        : `Cannot use the answer to ${call}: ${response.status} ${type}${
            cause instanceof RangeError ? `. ${cause.message}` : ""
          }`,
      { cause },
    );
    this.name = "ResponseError";
    this.response = response;
    this.content = content;
  }
}
