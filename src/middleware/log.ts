import { print } from "../dispatch/error-response.ts";
import { methodOf } from "../dispatch/input.ts";
import { Middleware } from "../application/middleware.ts";
import type { ReceivedRequest } from "../dispatch/params.ts";
import type { MiddlewareClass } from "../application/middleware.ts";
import { isToken } from "../fields/token.ts";
import { OptionCheck } from "../http/option-check.ts";
import { errorStatusOf, patternOf, statusOf } from "./lib/outcome.ts";

/** What is known of a request when its response is. */
export interface LogEntry {
  /** The method token, cut at 80 characters. */
  readonly method: string;
  /** The path pattern that matched; null when none did. */
  readonly pattern: string | null;
  /** The status code of the response; null when the handler returned something that has none. */
  readonly status: number | null;
  /** The milliseconds until the response was there, its content perhaps not. */
  readonly durationMs: number;
}

/** What `log()` takes. */
export interface LogOptions<Input extends object = ReceivedRequest> {
  /** Takes an entry for each request, and the input it is about: unless given, a line goes to the console. */
  readonly write?: (entry: LogEntry, input: Input) => unknown;
}

/**
 * Makes middleware that writes one entry for each request: method, path pattern, status and duration.
 *
 * A pattern is a name that no client chooses, so nothing of the URL is written. An error is logged with the status of the
 * response made from it and thrown on. What fails in `write` goes to the console and harms no response.
 *
 * @typeParam Input what its functions are given: a `Request`, unless one of them names another, such as `NodeContext`.
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * const app = Application.builder()
 *   .middleware(log({ write: ({ method, status }) => console.log(method, status) }))
 *   .build();
 * await app.fetch(new Request("http://localhost/")); // GET 404
 * ```
 */
export function log<Input extends object = ReceivedRequest>(options: LogOptions<Input> = {}): MiddlewareClass {
  const check = new OptionCheck("log", options, ["write"]);
  check.function("write", check.options.write);
  const { write = (entry) => console.log(lineOf(entry)) } = check.options;

  async function report(input: Input, status: number | null, from: number): Promise<void> {
    try {
      const method = methodOf(input);
      const durationMs = Math.round((performance.now() - from) * 1000) / 1000;
      await write({ method: method.slice(0, 80), pattern: patternOf(input), status, durationMs }, input);
    } catch (error) {
      print(error);
    }
  }

  return class Log extends Middleware {
    async ALL(input: Input): Promise<unknown> {
      const from = performance.now();
      try {
        const result = await this.next(input);
        void report(input, statusOf(result, input), from);
        return result;
      } catch (error) {
        void report(input, errorStatusOf(error), from);
        throw error;
      }
    }
  };
}

/** An entry as one line of text: `GET /users/:id 200 1.25 ms`. */
function lineOf({ method, pattern, status, durationMs }: LogEntry): string {
  // What is no token could break the line, or the terminal.
  const token = isToken(method) ? method : JSON.stringify(method);
  return `${token} ${pattern ?? "-"} ${status ?? "-"} ${durationMs} ms`;
}
