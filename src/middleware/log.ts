import { routedBy } from "../dispatch/input-exchange.ts";
import { print } from "../dispatch/error-response.ts";
import { pathIn } from "../dispatch/input.ts";
import { Middleware, type MiddlewareClass } from "../application/middleware.ts";
import type { ReceivedRequest } from "../dispatch/params.ts";
import { isToken } from "../fields/token.ts";
import { quoted } from "../http/javascript/described.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { declaredBytesOf, errorStatusOf, patternOf, statusOf } from "./lib/outcome.ts";
import { requestIdOf } from "./request-id.ts";

/** An entry of the log, made when the response is known. */
export interface LogEntry {
  /** The method token, cut at 80 characters. */
  readonly method: string;
  /** The path pattern that matched; null when none did. */
  readonly pattern: string | null;
  /**
   * The status code of the response; null when the handler returned something that has none, or the client has left.
   */
  readonly status: number | null;
  /** The milliseconds until the response was there, its content perhaps not. */
  readonly durationMs: number;
  /** The id that `requestId()` gave the request; null when it gave none. */
  readonly requestId: string | null;
  /** The bytes of content that the response declares, none with HEAD, 204 and 304; null when it does not say. */
  readonly bytes: number | null;
  /**
   * The path as the client sent it, without the query, cut at 1,000 characters; null unless `includePath` is true.
   */
  readonly path: string | null;
}

/** What `log()` takes. */
export interface LogOptions<Input extends object = ReceivedRequest> {
  /** Takes an entry for each request, and its input. Default: a line on the console. */
  readonly write?: ((entry: LogEntry, input: Input) => unknown) | undefined;
  /** Whether entries have the path, which may hold names, keys and tokens. Default: false. */
  readonly includePath?: boolean | undefined;
}

/**
 * Makes middleware that writes one entry for each request: method, path pattern, status, duration, id and bytes.
 *
 * A pattern is a name that no client chooses; the path itself is written only by an option. An error is logged with the
 * status of the response made from it and thrown on. What fails in `write` goes to the console and harms no response.
 *
 * @typeParam Input what its functions are given: a `Request`, unless one of them names another, such as `NodeContext`.
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * const app = Application.builder()
 *   .middleware(log({ write: ({ method, status }) => console.log(method, status) }))
 *   .build();
 * await app.request("/"); // GET 404
 * ```
 */
export function log<Input extends object = ReceivedRequest>(options: LogOptions<Input> = {}): MiddlewareClass {
  const check = new OptionCheck("log", options, ["write", "includePath"]);
  check.function("write");
  check.boolean("includePath");
  const { write = (entry) => console.log(lineOf(entry)), includePath = false } = check.options;

  async function report(input: Input, outcomeOf: () => Outcome, from: number): Promise<void> {
    try {
      const { method, url } = routedBy(input);
      const { status, bytes } = outcomeOf();
      const entry: LogEntry = {
        method: method.slice(0, 80),
        pattern: patternOf(input),
        status,
        durationMs: Math.round((performance.now() - from) * 1000) / 1000,
        requestId: requestIdOf(input) ?? null,
        bytes: method === "HEAD" || status === 204 || status === 304 ? 0 : bytes,
        path: includePath ? (pathIn(url) || "/").slice(0, 1000) : null,
      };
      await write(entry, input);
    } catch (error) {
      print(error);
    }
  }

  return class Log extends Middleware {
    async ALL(input: Input): Promise<unknown> {
      const from = performance.now();
      try {
        const result = await this.next(input);
        const outcomeOf = (): Outcome => ({ status: statusOf(result, input), bytes: declaredBytesOf(result, input) });
        void report(input, outcomeOf, from);
        return result;
      } catch (error) {
        void report(input, () => ({ status: errorStatusOf(error, input), bytes: null }), from);
        throw error;
      }
    }
  };
}

type Outcome = Pick<LogEntry, "status" | "bytes">;

/** An entry as one line of text: `GET /users/:id 200 1.25 ms`, and what else is known. */
function lineOf({ method, pattern, status, durationMs, requestId, bytes, path }: LogEntry): string {
  const token = isToken(method) ? method : quoted(method);
  const known = [
    ...(path === null ? [] : [/^[\x21-\x7e]+$/.test(path) ? path : quoted(path)]),
    ...(bytes === null ? [] : [`${bytes} bytes`]),
    ...(requestId === null ? [] : [requestId]),
  ];
  return [token, pattern ?? "-", status ?? "-", durationMs, "ms", ...known].join(" ");
}
