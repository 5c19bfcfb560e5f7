import { Middleware, Resource, type RequestOf } from "../application/native.ts";
import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { mount, type MountedMiddleware, type Place } from "../dispatch/mounted-resource.ts";
import { preferredMediaType } from "../fields/accept.ts";
import { described } from "../http/described.ts";
import { HTTPError } from "../http/http-error.ts";
import { Status } from "../http/status.ts";
import { describing } from "./described-operation.ts";
import { checkOptions, documentOf, type DocumentOptions } from "./document.ts";
import type { OpenAPIDocument } from "./openapi-document.ts";
import { pageOf, style } from "./page.ts";
import { yamlOf } from "./yaml.ts";

/** What `openapi()` takes. */
export interface OpenAPIOptions extends DocumentOptions {
  /** The path of the document. Default: `/openapi.json`. */
  readonly path?: string | undefined;
  /** The path of the page. Default: `/docs`. */
  readonly docsPath?: string | undefined;
}

/** A resource class that describes the application it is in. */
export type DescribingClass = (new () => Resource) & Pick<typeof Resource, "httpModule">;

/** What answers the requests of the application that a resource is in. */
const dispatchers = new WeakMap<object, Dispatcher>();

/** Sees where it is mounted, and nothing else: it has no handler. */
class PlaceFinder extends Middleware {
  static [mount](place: Place): MountedMiddleware {
    dispatchers.set(place.wraps!.resource, place.dispatcher as Dispatcher);
    return (Middleware as unknown as Mounting)[mount].call(this, place);
  }
}
interface Mounting {
  [mount](this: unknown, place: Place): MountedMiddleware;
}

/** A middleware class must be a subclass of the one that knows how to be mounted. */
class Describer extends PlaceFinder {}

/**
 * Makes two resources that describe their application: an OpenAPI document, as JSON or YAML by the client's preference,
 * and a page to read it.
 *
 * The page needs no script, and its `Content-Security-Policy` allows none. Neither resource is part of the document.
 *
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * class Greeting extends Resource {
 *   paths = ["/hello/:name"] as const;
 *
 *   static GET = { summary: "Greets somebody", 200: text() };
 *   GET({ path }: Call<typeof Greeting, "GET">): Answer<typeof Greeting, "GET"> {
 *     return `Hello, ${path.name}`;
 *   }
 * }
 * const about = { title: "Greetings", version: "1.0.0" };
 * const app = Application.builder().resources(Greeting, ...openapi(about)).build();
 * const response = await app.fetch(new Request("http://localhost/openapi.json"));
 * console.log(response.status, Object.keys((await response.json()).paths).join()); // 200 /hello/{name}
 * ```
 */
export function openapi(options: OpenAPIOptions): readonly [document: DescribingClass, page: DescribingClass] {
  checkOptions(options);
  const { path = "/openapi.json", docsPath = "/docs", ...about } = options;
  for (const [name, value] of Object.entries({ path, docsPath })) {
    if (typeof value !== "string" || !value.startsWith("/")) {
      throw new TypeError(`Cannot describe the application: expected ${name} to be a path, got ${described(value)}`);
    }
  }
  const up = docsPath.split("/").length - 2;
  const documentURL = `${"../".repeat(up) || "./"}${path.slice(1)}`;

  abstract class Describing extends Resource {
    static readonly middleware = [Describer];
    readonly [describing] = true;
    #document: OpenAPIDocument | null = null;

    /** Made for the first request: only then are all resources there. */
    get document(): OpenAPIDocument {
      return (this.#document ??= documentOf(dispatchers.get(this)!, about));
    }
  }

  class OpenAPI extends Describing {
    paths = [path];

    override GET(request: RequestOf): Response {
      const type = preferredMediaType(request.headers.get("accept"), types);
      const headers = { "cache-control": "no-cache", vary: "Accept" };
      if (type === null) throw new HTTPError(Status.NotAcceptable, `Available: ${types.join(", ")}`, { headers });
      const text = type === "application/yaml" ? yamlOf(this.document) : `${JSON.stringify(this.document, null, 2)}\n`;
      return new Response(text, { headers: { ...headers, "content-type": type } });
    }
  }

  class Docs extends Describing {
    paths = [docsPath];

    override async GET({ url }: RequestOf): Promise<Response> {
      const { origin, searchParams } = new URL(url);
      const [server = origin] = about.servers ?? [];
      const search = searchParams.get("q") ?? "";
      const page = pageOf(this.document, {
        origin: server.replace(/\/$/, ""),
        search: search.trim().slice(0, longestSearch),
        documentURL,
      });
      return new Response(page, { headers: { ...pageFields, "content-security-policy": await policy() } });
    }
  }

  return [OpenAPI, Docs];
}

/** Each word is looked for in each operation: a longer search would cost the client's words times the document. */
const longestSearch = 100;

const types = ["application/json", "application/yaml"];

const pageFields = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-cache",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

let known: string | undefined;

/** Nothing but the one style, by its hash, and the form that searches. */
async function policy(): Promise<string> {
  if (known === undefined) {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(style)));
    const hash = `'sha256-${btoa(String.fromCharCode(...digest))}'`;
    known = `default-src 'none'; style-src ${hash}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
  }
  return known;
}
