import { described } from "../http/javascript/described.ts";

/** What `app.request()` makes a `Request` of, besides its path. */
export type RequestOptions = RequestSettings & RequestContent;

interface RequestSettings {
  /** The method token, case-sensitive. Default: `GET`. */
  readonly method?: string | undefined;
  /** Parameters that are added to the query of the path. */
  readonly query?: QueryValues | undefined;
  /** Cookies by name, as they are sent: nothing is encoded. They take the place of a `Cookie` field in `headers`. */
  readonly cookies?: Readonly<Record<string, string>> | undefined;
  /** Header fields. */
  readonly headers?: NonNullable<ConstructorParameters<typeof Headers>[0]> | undefined;
}

/** The content, in one of three ways. */
type RequestContent =
  | {
      /** A value that is sent as JSON, with `Content-Type: application/json` unless `headers` says otherwise. */
      readonly json?: unknown;
      readonly urlEncoded?: undefined;
      readonly body?: undefined;
    }
  | {
      /** Fields that are sent as `application/x-www-form-urlencoded`. For files, give a `FormData` as `body`. */
      readonly urlEncoded?: QueryValues | undefined;
      readonly json?: undefined;
      readonly body?: undefined;
    }
  | {
      /** The content itself, as `Request` takes it. */
      readonly body?: NonNullable<ConstructorParameters<typeof Response>[0]> | null | undefined;
      readonly json?: undefined;
      readonly urlEncoded?: undefined;
    };

/** Names and values: an object, or pairs where a name is there several times. */
type QueryValues =
  | Readonly<Record<string, string | number | boolean>>
  | readonly (readonly [string, string])[]
  | URLSearchParams;

const names: readonly string[] = ["method", "query", "cookies", "headers", "json", "urlEncoded", "body"];

/**
 * Makes a `Request` of a path, or of a whole URL where the host matters.
 * @throws {TypeError} when it is neither, or an option is unknown.
 */
export function requestTo(path: string, options: RequestOptions): Request {
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue;
    throw new TypeError(`Cannot make a request: it has no option ${described(name)}; write one of ${names.join(", ")}`);
  }
  const { method = "GET", json, urlEncoded, body = null, query, cookies, headers: fields } = options;
  // Put together, not resolved: a path that begins with two slashes is not to name a host.
  const whole = typeof path === "string" && path.startsWith("/") ? `http://localhost${path}` : path;
  if (!URL.canParse(whole)) {
    throw new TypeError(
      `Cannot make a request: expected a path such as "/books", or a whole URL, got ${described(path)}`,
    );
  }
  const url = new URL(whole);
  for (const [name, value] of parametersOf(query)) url.searchParams.append(name, value);
  const headers = new Headers(fields);
  if (cookies) headers.set("cookie", fieldOf(cookies));
  if (json !== undefined && !headers.has("content-type")) headers.set("content-type", "application/json");
  const content = json === undefined ? (urlEncoded ? parametersOf(urlEncoded) : body) : JSON.stringify(json);
  // A stream needs `duplex`, which is unknown to the DOM's types.
  const init: RequestInit & { readonly duplex: "half" } = { method, headers, body: content, duplex: "half" };
  return new Request(url, init);
}

function fieldOf(cookies: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(cookies).map((pair) => pair.join("="));
  return pairs.join("; ");
}

/** The types of the constructor take no numbers; the constructor does. */
function parametersOf(values?: QueryValues): URLSearchParams {
  return new URLSearchParams(values as URLSearchParams);
}
