import { routedBy } from "../dispatch/input-exchange.ts";
import { print, requestNames } from "../dispatch/error-response.ts";
import { pathIn } from "../dispatch/input.ts";
import { Middleware, type MiddlewareClass } from "../application/middleware.ts";
import type { ReceivedRequest } from "../dispatch/params.ts";
import { requestField } from "../fields/request-fields.ts";
import { isToken } from "../fields/token.ts";
import { inOneLine, quoted } from "../http/javascript/described.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { declaredBytesOf, errorStatusOf, patternOf, reasonOf, statusOf } from "./lib/outcome.ts";
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
  /** The id of the trace that `trace()` recorded the request in; null without it. */
  readonly traceId: string | null;
  /** The result of the option `identityOf`; null where it is nothing. */
  readonly identity: unknown;
  /** The message of an `HTTPError` below 500, cut at 200 characters, or the name of another error; else null. */
  readonly reason: string | null;
  /** The bytes of content that the response declares, none with HEAD, 204 and 304; null when it does not say. */
  readonly bytes: number | null;
  /**
   * The path as the client sent it, without the query, cut at 1,000 characters; null unless `includePath` is true.
   */
  readonly path: string | null;
  /** The header fields that the option `headers` names; null without it. */
  readonly headers: Readonly<Record<string, string | null>> | null;
}

/** Options of `log()`. */
export interface LogOptions<Input extends object = ReceivedRequest> {
  /** Takes an entry for each request, and its input. Default: a line on the console. */
  readonly write?: ((entry: LogEntry, input: Input) => unknown) | undefined;
  /** Writes lines of JSON, with the time, instead of text. Default: false. */
  readonly json?: boolean | undefined;
  /** Returns who sent the request, such as an id. Default: nobody. */
  readonly identityOf?: ((input: Input) => unknown) | undefined;
  /** Names of request headers that entries have. Those with credentials are redacted. Default: none. */
  readonly headers?: readonly string[] | undefined;
  /** Names of members and headers whose values are replaced by `[redacted]`, at any depth. Default: none. */
  readonly redact?: readonly string[] | undefined;
  /** Whether entries have the path, which may hold names, keys and tokens. Default: false. */
  readonly includePath?: boolean | undefined;
}

/**
 * Makes middleware that writes one entry for each request: method, path pattern, status, duration, bytes, its id and
 * trace, and why it was refused.
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
  const check = new OptionCheck("log", options, ["write", "json", "identityOf", "headers", "redact", "includePath"]);
  check.function("write", "identityOf");
  check.boolean("json", "includePath");
  check.list("headers", isToken, "field names");
  check.list("redact", (name) => typeof name === "string", "names");
  const { json = false, identityOf, headers, redact, includePath = false } = check.options;
  const { write = (entry) => console.log((json ? jsonOf : lineOf)(entry)) } = check.options;
  check.require(!json || check.options.write === undefined, "json", 'left out beside "write"');
  const hidden = new Set([...credentials, ...(redact ?? [])].map((name) => name.toLowerCase()));
  const redacted = (name: string, value: unknown): unknown =>
    hidden.has(name.toLowerCase()) && value !== null ? "[redacted]" : value;

  /** An attribute that nobody set throws: those requests are the refused ones, whose entries are wanted most. */
  function identityIn(input: Input): unknown {
    try {
      return identityOf?.(input) ?? null;
    } catch (error) {
      print(error);
      return null;
    }
  }

  async function report(input: Input, outcomeOf: () => Outcome, from: number): Promise<void> {
    try {
      const { method, url } = routedBy(input);
      const { status, bytes, reason } = outcomeOf();
      const entry: LogEntry = {
        method: method.slice(0, 80),
        pattern: patternOf(input),
        status,
        durationMs: Math.round((performance.now() - from) * 1000) / 1000,
        requestId: requestIdOf(input) ?? null,
        bytes: method === "HEAD" || status === 204 || status === 304 ? 0 : bytes,
        traceId: requestNames.get("trace")?.(input) ?? null,
        identity: identityIn(input),
        reason,
        path: includePath ? (pathIn(url) || "/").slice(0, 1000) : null,
        headers: headers === undefined ? null : Object.fromEntries(headers.map((name) => [name, valueOf(input, name)])),
      };
      const isOpen = headers === undefined && redact === undefined;
      await write(isOpen ? entry : (JSON.parse(JSON.stringify(entry, redacted)) as LogEntry), input);
    } catch (error) {
      print(error);
    }
  }

  return class Log extends Middleware {
    async ALL(input: Input): Promise<unknown> {
      const from = performance.now();
      try {
        const result = await this.next(input);
        const outcomeOf = (): Outcome => {
          return { status: statusOf(result, input), bytes: declaredBytesOf(result, input), reason: null };
        };
        void report(input, outcomeOf, from);
        return result;
      } catch (error) {
        const outcomeOf = (): Outcome => {
          return { status: errorStatusOf(error, input), bytes: null, reason: reasonOf(error) };
        };
        void report(input, outcomeOf, from);
        throw error;
      }
    }
  };
}

type Outcome = Pick<LogEntry, "status" | "bytes" | "reason">;

const credentials = ["authorization", "proxy-authorization", "cookie", "dpop", "x-api-key"];

function valueOf(input: object, name: string): string | null {
  return requestField(input, name)?.slice(0, 1000) ?? null;
}

function jsonOf(entry: LogEntry): string {
  return inOneLine(JSON.stringify({ time: new Date(), ...entry }));
}

/** An entry as one line of text: `GET /users/:id 200 1.25 ms`, and what else is known. */
function lineOf({ method, pattern, status, durationMs, bytes, requestId, path, ...others }: LogEntry): string {
  const token = isToken(method) ? method : quoted(method);
  const { traceId: trace, identity, reason, headers } = others;
  const named = [...Object.entries({ trace, identity, reason }), ...Object.entries(headers ?? {})];
  const known = [
    ...(path === null ? [] : [/^[\x21-\x7e]+$/.test(path) ? path : quoted(path)]),
    ...(bytes === null ? [] : [`${bytes} bytes`]),
    ...(requestId === null ? [] : [requestId]),
    ...named.flatMap(([name, value]) => (value === null ? [] : `${name}=${inOneLine(JSON.stringify(value))}`)),
  ];
  return [token, pattern ?? "-", status ?? "-", durationMs, "ms", ...known].join(" ");
}
