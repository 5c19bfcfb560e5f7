import { Middleware, passing, type MiddlewareClass } from "../application/middleware.ts";
import { latestOf, routedBy } from "../dispatch/input-exchange.ts";
import type { ScriptFields } from "../dispatch/mounted-resource.ts";
import type { ReceivedRequest } from "../dispatch/params.ts";
import { parseList } from "../fields/list.ts";
import { isOrigin } from "../fields/origin.ts";
import { isToken } from "../fields/token.ts";
import { after } from "../http/javascript/thenable.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { Status } from "../http/protocol/status.ts";
import type { Fields } from "./lib/fields.ts";
import { requestField } from "../fields/request-fields.ts";
import { patternOf } from "./lib/outcome.ts";
import { answerWith, answerWithFields } from "./lib/response-fields.ts";

/**
 * Decides whether scripts of an origin may read responses. It is asked about `null`, too: sandboxed documents and
 * files.
 */
export type AllowOrigin<Input extends object = ReceivedRequest> = (
  origin: string,
  input: Input,
) => boolean | Promise<boolean>;

/** Options of `cors()`. */
export interface CorsOptions<Input extends object = ReceivedRequest> {
  /**
   * The origins whose scripts may read responses, such as `["https://shop.example"]`; `"*"` for all; or a function that
   * decides.
   */
  readonly origins: readonly string[] | "*" | AllowOrigin<Input>;
  /** Allows credentialed requests. Incompatible with `"*"`. Default: false. */
  readonly credentials?: boolean | undefined;
  /** The methods that a preflight allows. Default: GET, HEAD, PUT, PATCH, POST and DELETE. */
  readonly methods?: readonly string[] | undefined;
  /** The request fields that a preflight allows. Default: all fields that it asks for. */
  readonly allowHeaders?: readonly string[] | undefined;
  /**
   * The response fields that scripts may read besides the safelisted ones and those that the operation declares.
   * Default: `ETag`.
   */
  readonly exposeHeaders?: readonly string[] | undefined;
  /** How long a browser may remember the answer to a preflight. */
  readonly preflightMaxAgeSeconds?: number | undefined;
  /**
   * Whether public sites may reach this server in a private network, if their origin is allowed (Private Network
   * Access).
   */
  readonly privateNetwork?: boolean | undefined;
}

const known: readonly (keyof CorsOptions)[] = [
  "origins",
  "credentials",
  "methods",
  "allowHeaders",
  "exposeHeaders",
  "preflightMaxAgeSeconds",
  "privateNetwork",
];

/**
 * Makes middleware that lets scripts of other origins read responses: the CORS protocol of the Fetch standard (§3.3).
 *
 * It answers preflights itself, with 204; any other request passes, and its response gets the fields, also one made
 * from an error. That stops no request: the browser keeps the response from the script.
 *
 * @typeParam Input what its functions are given: a `Request`, unless one of them names another, such as `NodeContext`.
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * const app = Application.builder()
 *   .middleware(cors({ origins: ["https://shop.example"], preflightMaxAgeSeconds: 600 }))
 *   .build();
 * const headers = { Origin: "https://shop.example" };
 * const response = await app.request("/", { headers });
 * console.log(response.headers.get("Access-Control-Allow-Origin")); // https://shop.example
 * ```
 */
export function cors<Input extends object = ReceivedRequest>(options: CorsOptions<Input>): MiddlewareClass {
  const given = checked(options);
  const { origins, credentials = false, privateNetwork = false, preflightMaxAgeSeconds: maxAge } = given;
  const isAllowed = decision(origins);
  const methods = (given.methods ?? ["GET", "HEAD", "PUT", "PATCH", "POST", "DELETE"]).join(", ");
  const { allowHeaders, exposeHeaders = ["ETag"] } = given;
  /** What scripts may read, by the list of what an operation lets them read besides. */
  const exposures = new WeakMap<readonly string[], string>();
  const exposesAlone = exposeHeaders.join(", ");

  function exposedFor(input: object): string {
    const read = fieldsFor(input, routedBy(input).method)?.read;
    if (read === undefined || read.length === 0) return exposesAlone;
    let exposed = exposures.get(read);
    if (exposed === undefined) exposures.set(read, (exposed = joined(exposeHeaders, read)));
    return exposed;
  }

  /** The fields of every response. They depend on the origin, so a cache must distinguish origins. */
  function addOrigin(fields: Fields, allowed: string | null): void {
    if (origins !== "*") fields.vary("Origin");
    if (allowed === null) return;
    fields.offer("Access-Control-Allow-Origin", allowed);
    if (credentials) fields.offer("Access-Control-Allow-Credentials", "true");
  }

  function addPreflight(fields: Fields, input: object): void {
    const requested = parseList(requestField(input, "access-control-request-headers") ?? "");
    const headers = joined(
      allowHeaders ?? requested.filter(isToken),
      allowHeaders && fieldsFor(input, requestField(input, "access-control-request-method")!)?.sent,
    );
    fields.set("Access-Control-Allow-Methods", methods);
    if (headers !== "") fields.set("Access-Control-Allow-Headers", headers);
    if (maxAge !== undefined) fields.set("Access-Control-Max-Age", String(maxAge));
    const asksForPrivate = requestField(input, "access-control-request-private-network") === "true";
    if (privateNetwork && asksForPrivate) fields.set("Access-Control-Allow-Private-Network", "true");
  }

  return class Cors extends Middleware {
    static {
      passing(this);
    }

    ALL(input: Input): unknown {
      const origin = requestField(input, "origin");
      const isFound = origin !== null && isAllowed(origin, input);
      return after(isFound, (isKnown) => this.#goOn(input, origin, isKnown));
    }

    #goOn(input: Input, origin: string | null, isFound: boolean): unknown {
      const allowed = isFound ? origin : null;
      const shown = origins === "*" ? "*" : allowed;
      if (!isPreflight(input, origin)) {
        return answerWithFields(this, input, (fields) => {
          addOrigin(fields, shown);
          if (shown === null) return;
          const exposed = exposedFor(input);
          if (exposed !== "") fields.offer("Access-Control-Expose-Headers", exposed);
        });
      }
      return answerWith(this, input, Status.NoContent, (fields) => {
        addOrigin(fields, shown);
        fields.vary("Access-Control-Request-Method", "Access-Control-Request-Headers");
        if (privateNetwork) fields.vary("Access-Control-Request-Private-Network");
        if (shown !== null) addPreflight(fields, input);
      });
    }
  };
}

/** Fetch §3.3.2: OPTIONS alone is a request like any other. */
function isPreflight(input: object, origin: string | null): boolean {
  return (
    routedBy(input).method === "OPTIONS" &&
    origin !== null &&
    requestField(input, "access-control-request-method") !== null
  );
}

/** The fields that the operation of a method uses at the path of an input, if its chain knows. */
function fieldsFor(input: object, method: string): ScriptFields | null {
  const pattern = patternOf(input);
  return pattern === null ? null : (latestOf(input)!.mounted!.fieldsAt?.(method, pattern) ?? null);
}

/** Adds the names of fields to a list, unless it has them, or has all of them. */
function joined(list: readonly string[], more: readonly string[] = []): string {
  const names = list.map((name) => name.toLowerCase());
  const added = names.includes("*") ? [] : more.filter((name) => !names.includes(name.toLowerCase()));
  return [...list, ...added].join(", ");
}

function decision<Input extends object>(origins: CorsOptions<Input>["origins"]): AllowOrigin<Input> {
  if (origins === "*") return () => true;
  if (typeof origins === "function") {
    // Whatever else is truthy is more likely a mistake than a permission.
    return async (text, input) => (text === "null" || isOrigin(text)) && (await origins(text, input)) === true;
  }
  const allowed = new Set(origins);
  return (text) => allowed.has(text);
}

function checked<Input extends object>(options: CorsOptions<Input>): CorsOptions<Input> {
  const check = new OptionCheck("cors", options, known);
  const { origins, credentials } = check.options;
  const expected = 'an array of origins such as "https://example.com", without a path, "*" alone or a function';
  const isChosen = Array.isArray(origins) || origins === "*" || typeof origins === "function";
  check.require(isChosen, "origins", expected);
  for (const one of Array.isArray(origins) ? origins : []) check.require(isOrigin(one), "origins", expected, one);
  check.boolean("credentials", "privateNetwork");
  check.count("preflightMaxAgeSeconds");
  const lists = ["methods", "allowHeaders", "exposeHeaders"] as const;
  for (const name of lists) check.list(name, isToken, "tokens");
  if (credentials !== true) return check.options;
  // Fetch §3.3.5: with credentials, a * means nothing but itself, and Allow-Origin must not be one.
  check.require(origins !== "*", "origins", "other than *, as credentials are allowed");
  for (const name of lists) {
    check.require(check.options[name]?.includes("*") !== true, name, "without *, as credentials are allowed", "*");
  }
  return check.options;
}
