import { Resource } from "../../application/native.ts";
import { ResourceGroup } from "../../application/resource-group.ts";
import type { MiddlewareClass } from "../../application/middleware.ts";
import { print } from "../../dispatch/error-response.ts";
import { originalOf } from "../../dispatch/input-exchange.ts";
import { answersAlike, describing, isMountable } from "../../dispatch/mounted-resource.ts";
import { isError } from "../../http/javascript/any-realm.ts";
import { OptionCheck, requireTime } from "../../http/javascript/option-check.ts";
import { isPlainObject } from "../../http/javascript/property.ts";
import { Status } from "../../http/protocol/status.ts";
import { isLeaving } from "./leaving.ts";

/** Options of `health()`. */
export interface HealthOptions {
  /**
   * Ask what requests need, such as a database, by name. A check fails if it throws, rejects, returns `false` or takes
   * too long; its signal aborts then. Default: none.
   */
  readonly checks?: Readonly<Record<string, (signal: AbortSignal) => unknown>> | undefined;
  /** Time that each check has, in milliseconds. Give probes more. Default: 500. */
  readonly timeoutMs?: number | undefined;
  /** Time for which the result of a check is used again, in milliseconds. Default: 1,000. */
  readonly cacheMs?: number | undefined;
  /** Decides who may know which checks failed. Default: nobody. */
  readonly mayKnow?: ((request: Request) => boolean | Promise<boolean>) | undefined;
  /** Ends readiness when it aborts, on servers that `serve()` did not start. Default: none. */
  readonly leaving?: AbortSignal | undefined;
  /** Path that says whether the process lives. Default: `/livez`. */
  readonly livePath?: string | undefined;
  /** Path that says whether to send requests here. Default: `/readyz`. */
  readonly readyPath?: string | undefined;
  /** Middleware around both resources, outermost first. Default: none. */
  readonly middleware?: readonly MiddlewareClass[] | undefined;
}

/**
 * Makes the two resources that load balancers and orchestrators ask: whether the process lives, and whether it takes
 * requests.
 *
 * The process is ready while all checks hold, until `serve()` is told to stop. The option `leaveMs` has the server go
 * on for a while, so that the load balancer learns of it. Failed checks are printed once, then counted. Both resources
 * stay out of documents, and an overloaded server answers them first.
 *
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * import { health } from "fingerpost/node";
 *
 * const database = { ping: async () => {} };
 * const app = Application.builder().resources(health({ checks: { database: () => database.ping() } })).build();
 * const response = await app.request("/readyz");
 * console.log(response.status, await response.text()); // 200 {"status":"ready"}
 * ```
 */
export function health(options: HealthOptions = {}): ResourceGroup<"/", never> {
  const check = new OptionCheck<HealthOptions>("health", options, [
    ...(["checks", "timeoutMs", "cacheMs", "mayKnow", "leaving", "livePath", "readyPath", "middleware"] as const),
  ]);
  const { checks = {}, timeoutMs = 500, cacheMs = 1_000, mayKnow = () => false, leaving } = check.options;
  const { livePath = "/livez", readyPath = "/readyz", middleware = [] } = check.options;
  const areFunctions = isPlainObject(checks) && Object.values(checks).every((one) => typeof one === "function");
  check.require(areFunctions, "checks", "an object of functions");
  requireTime(check, "timeoutMs", timeoutMs);
  check.count("cacheMs");
  check.function("mayKnow");
  check.require(leaving === undefined || "aborted" in Object(leaving), "leaving", "an AbortSignal");
  for (const [option, path] of Object.entries({ livePath, readyPath })) {
    check.require(typeof path === "string" && path.startsWith("/"), option, "a path", path);
  }
  check.list("middleware", isMountable, "middleware classes");
  const asked = Object.entries(checks).map(([name, ask]) => new Check(name, ask, timeoutMs, cacheMs));

  class Live extends Probe {
    paths = [livePath];

    override GET(): Response {
      return Response.json({ status: "live" }, fresh);
    }
  }

  class Ready extends Probe {
    paths = [readyPath];

    override async GET(request: Request): Promise<Response> {
      if (leaving?.aborted === true || isLeaving(originalOf(request))) return unready({ detail: "The server stops" });
      const results = await Promise.all(asked.map(async (one) => [one.name, await one.result()] as const));
      if (results.every(([, result]) => result === "ok")) return Response.json({ status: "ready" }, fresh);
      return unready((await mayKnow(request)) ? { checks: Object.fromEntries(results) } : {});
    }
  }

  return new ResourceGroup([Live, Ready], ["/"], middleware);
}

abstract class Probe extends Resource {
  /** Needs nobody. */
  static readonly anonymous = true;
  /** Is answered by servers that refuse others. */
  static readonly essential = true;
  readonly [answersAlike] = true;
  readonly [describing] = "health";
}

// What held a second ago says nothing of now.
const fresh: ResponseInit = { headers: { "cache-control": "no-store" } };

function unready(more: object): Response {
  const { status, statusText } = Status.ServiceUnavailable;
  const headers = { "cache-control": "no-store", "content-type": "application/problem+json" };
  return Response.json({ title: statusText, status, ...more }, { status, statusText, headers });
}

type Result = "ok" | "failed" | "timed out";

/** A question whose answer is used for a while. All who ask meanwhile wait for one. */
class Check {
  readonly name: string;
  readonly #ask: (signal: AbortSignal) => unknown;
  readonly #timeoutMs: number;
  readonly #cacheMs: number;
  #kept: Promise<Result> | null = null;
  #until = Infinity;
  #failures = 0;

  constructor(name: string, ask: (signal: AbortSignal) => unknown, timeoutMs: number, cacheMs: number) {
    this.name = name;
    this.#ask = ask;
    this.#timeoutMs = timeoutMs;
    this.#cacheMs = cacheMs;
  }

  result(): Promise<Result> {
    if (this.#kept === null || performance.now() >= this.#until) {
      this.#until = Infinity;
      this.#kept = this.#asked().finally(() => (this.#until = performance.now() + this.#cacheMs));
    }
    return this.#kept;
  }

  async #asked(): Promise<Result> {
    const late = new AbortController();
    const silent = new Promise<null>((resolve) => {
      late.signal.addEventListener("abort", () => resolve(null));
    });
    const timer = setTimeout(() => late.abort(), this.#timeoutMs);
    const fault = await Promise.race([silent, this.#faultOf(late.signal)]);
    clearTimeout(timer);
    if (fault === "") {
      if (this.#failures > 1) print("The check %s holds again: it failed %d times", this.name, this.#failures);
      this.#failures = 0;
      return "ok";
    }
    const reason = fault ?? `no answer within ${this.#timeoutMs} ms`;
    if (this.#failures++ === 0) print("The check %s fails: %s; more of it is counted", this.name, reason);
    return fault === null ? "timed out" : "failed";
  }

  /** Why the check does not hold: empty if it does. */
  async #faultOf(late: AbortSignal): Promise<string> {
    try {
      return (await this.#ask(late)) === false ? "it returned false" : "";
    } catch (error) {
      return isError(error) ? `${error.name}: ${error.message}` : "it threw something else than an error";
    }
  }
}
