import { ApplicationFinder, applicationOf } from "../application/application-finder.ts";
import type { MiddlewareClass } from "../application/middleware.ts";
import { Resource, type RequestOf } from "../application/native.ts";
import { answersAlike, describing, refuseAt, type RequestRunner } from "../dispatch/mounted-resource.ts";
import { preferredMediaType } from "../fields/accept.ts";
import { contentTag } from "../fields/representation.ts";
import { described } from "../http/javascript/described.ts";
import { HTTPError } from "../http/protocol/http-error.ts";
import { Status } from "../http/protocol/status.ts";
import { answer, checkMiddleware, checkPath, type DescribingClass } from "./describing-resource.ts";
import { checkOptions, type DocumentOptions } from "./document-options.ts";
import { documentOf } from "./document.ts";
import { InstalledPage, pageNames, type PageFile } from "./installed-page.ts";
import type { OpenAPIDocument } from "./openapi-document.ts";
import { pageOf } from "./page.ts";
import { script } from "./page-script.ts";
import { style } from "./page-style.ts";
import { refuseSharedNames } from "./schema-ids.ts";
import { yamlOf } from "./yaml.ts";

/** Options of `openapi()`. */
export interface OpenAPIOptions extends DocumentOptions {
  /** The path of the document. Default: `/openapi.json`. */
  readonly path?: string | undefined;
  /** The path of the page. Default: `/docs`. */
  readonly docsPath?: string | undefined;
  /**
   * Name of the page. Scalar needs the package `@scalar/api-reference`, and Swagger UI `swagger-ui-dist`. Default:
   * `"fingerpost"`.
   */
  readonly page?: "fingerpost" | "scalar" | "swagger-ui" | undefined;
  /** Middleware around both resources, outermost first, such as a guard. Default: none. */
  readonly middleware?: readonly MiddlewareClass[] | undefined;
}

/**
 * Makes two resources that describe their application: an OpenAPI document, as JSON or YAML by the client's preference,
 * and a page to read it.
 *
 * The page can be read without script. The one that it has sends requests to the API, and its
 * `Content-Security-Policy` allows no other. Neither resource is part of the document. The option `page` replaces the
 * page by Scalar or Swagger UI, served from the files of their packages.
 *
 * @throws {TypeError} when an option is wrong, or the package of `page` is not installed.
 * @example
 * ```ts
 * class Greeting extends Resource {
 *   paths = ["/hello/:name"] as const;
 *
 *   static GET = { summary: "Greets somebody", 200: text() };
 *   GET({ path }: Call<typeof Greeting, "GET">) {
 *     return `Hello, ${path.name}`;
 *   }
 * }
 * const about = { title: "Greetings", version: "1.0.0" };
 * const app = Application.builder().resources(Greeting, openapi(about)).build();
 * const response = await app.request("/openapi.json");
 * console.log(response.status, Object.keys((await response.json()).paths).join()); // 200 /hello/{name}
 * ```
 */
export function openapi(options: OpenAPIOptions): readonly [document: DescribingClass, page: DescribingClass] {
  checkOptions(options);
  const { path = "/openapi.json", docsPath = "/docs", page = "fingerpost", middleware = [], ...about } = options;
  for (const [name, value] of Object.entries({ path, docsPath })) checkPath(name, value);
  checkMiddleware(middleware);
  if (page !== "fingerpost" && !pageNames.includes(page)) {
    throw new TypeError(
      `Cannot describe the application: expected page to be "fingerpost", "scalar" or "swagger-ui", ` +
        `got ${described(page)}`,
    );
  }
  const installed = page === "fingerpost" ? null : new InstalledPage(page);
  const folder = docsPath.replace(/\/$/, "");
  const types = typesOf(about);
  let asked: RequestRunner | null = null;

  abstract class Describing extends Resource {
    static readonly middleware: readonly MiddlewareClass[] = [...middleware, ApplicationFinder];
    abstract readonly [describing]: "document" | "page";
    readonly [answersAlike] = true;
    #document: OpenAPIDocument | null = null;
    readonly #texts = new Map<string, Promise<WrittenText>>();

    /** Refuses what the document would, as far as no schema has to be converted. Once for both resources. */
    [refuseAt](_name: string, _patterns: readonly string[], dispatcher: RequestRunner): void {
      if (asked === dispatcher) return;
      asked = dispatcher;
      refuseSharedNames(dispatcher, about, () => documentOf(dispatcher, about));
    }

    /** The document, made for the first request: only then are all resources there. */
    document(application: RequestRunner): OpenAPIDocument {
      return (this.#document ??= documentOf(application, about));
    }

    /** The document as JSON or YAML, written once for each type. */
    text(request: RequestOf, type: string): Promise<WrittenText> {
      let text = this.#texts.get(type);
      if (text === undefined) this.#texts.set(type, (text = writtenText(this.document(applicationOf(request)), type)));
      return text;
    }
  }

  class OpenAPI extends Describing {
    readonly [describing] = "document";
    paths = [path];

    override async GET(request: RequestOf): Promise<Response> {
      const type = preferredMediaType(request.headers.get("accept"), types);
      const headers = { "cache-control": "no-cache", vary: "Accept" };
      if (type === null) throw new HTTPError(Status.NotAcceptable, `Available: ${types.join(", ")}`, { headers });
      const { bytes, etag } = await this.text(request, type);
      return answer(request, { ...headers, "content-type": type, etag }, bytes);
    }
  }

  class Docs extends Describing {
    readonly [describing] = "page";
    paths = [docsPath];
    #policy: Promise<string> | null = null;

    override async GET(request: RequestOf): Promise<Response> {
      const { origin, pathname, searchParams } = new URL(request.url);
      const [server = origin] = about.servers ?? [];
      const text = pageOf(this.document(applicationOf(request)), {
        origin: server.replace(/\/$/, ""),
        search: (searchParams.get("q") ?? "").trim().slice(0, longestSearch),
        documentURL: addressFrom(pathname),
      });
      const bytes = new TextEncoder().encode(text);
      const etag = await contentTag(bytes, "text/html");
      return answer(
        request,
        { ...pageFields, "content-security-policy": await (this.#policy ??= policyOf(about.servers ?? [])), etag },
        bytes,
      );
    }
  }
  if (installed === null) return [OpenAPI, Docs];

  class InstalledDocs extends Describing {
    readonly [describing] = "page";
    paths = [docsPath, ...installed!.files.map((name) => `${folder}/${name}`)];

    override async GET(request: RequestOf): Promise<Response> {
      const { pathname } = new URL(request.url);
      const last = pathname.slice(pathname.lastIndexOf("/") + 1);
      if (installed!.files.includes(last)) return fileOf(request, await installed!.read(last));
      const written = installed!.write({
        title: about.title,
        documentURL: addressFrom(pathname),
        folder: last === "" ? "" : `${last}/`,
      });
      const allowed = await policyOfInstalled(installed!, about.servers ?? []);
      return new Response(written, { headers: { ...pageFields, "content-security-policy": allowed } });
    }
  }
  return [OpenAPI, InstalledDocs];

  /** The address of the document, as seen from the page, whose path may end in a slash. */
  function addressFrom(pathname: string): string {
    const up = folder.split("/").length - 2 + (pathname.endsWith("/") ? 1 : 0);
    return `${"../".repeat(folder === "" ? 0 : up) || "./"}${path.slice(1)}`;
  }
}

/** Each word is looked for in each operation: a longer search would cost the client's words times the document. */
const longestSearch = 100;

/** The types of a document: those of the registry, and older names of YAML (RFC 9512 §2.1). */
function typesOf({
  openapiVersion: version = "3.1",
}: Pick<DocumentOptions, "openapiVersion">): readonly [string, ...string[]] {
  const own = ["+json", ""].map((suffix) => `application/vnd.oai.openapi${suffix};version=${version}`);
  return ["application/json", "application/yaml", ...own, "text/yaml", "application/x-yaml", "text/x-yaml"];
}

interface WrittenText {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

async function writtenText(document: OpenAPIDocument, type: string): Promise<WrittenText> {
  const text = type.includes("json") ? `${JSON.stringify(document, null, 2)}\n` : yamlOf(document);
  const bytes = new TextEncoder().encode(text);
  return { bytes, etag: await contentTag(bytes, type) };
}

const fileFields = { "cache-control": "no-cache", "x-content-type-options": "nosniff" };

const pageFields = {
  ...fileFields,
  "content-type": "text/html; charset=utf-8",
  "referrer-policy": "no-referrer",
};

/** Nothing but the one style and the one script, by their hashes, the form that searches, and requests to the API. */
async function policyOf(servers: readonly string[]): Promise<string> {
  const allowed = `style-src ${await hashOf(style)}; script-src ${await hashOf(script)}; ${connections(servers)}`;
  const rest = "require-trusted-types-for 'script'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
  return `default-src 'none'; ${allowed}; ${rest}`;
}

/** The scripts of the page, those beside it and the one in it by its hash, and requests to where the API is. */
async function policyOfInstalled({ start, sources }: InstalledPage, servers: readonly string[]): Promise<string> {
  const rest = "form-action 'none'; base-uri 'none'; frame-ancestors 'none'";
  return `default-src 'none'; script-src 'self' ${await hashOf(start)}; ${sources}; ${connections(servers)}; ${rest}`;
}

/** Requests to where the API is. A server whose host has a variable has no origin that a policy can name. */
function connections(servers: readonly string[]): string {
  const origins = servers.filter((server) => URL.canParse(server)).map((server) => new URL(server).origin);
  return ["connect-src 'self'", ...origins.filter((origin) => /^https?:\/\/[\w.:[\]-]+$/.test(origin))].join(" ");
}

/** The source of a policy that allows one text: by its digest. */
async function hashOf(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return `'sha256-${btoa(String.fromCharCode(...digest))}'`;
}

/** A file of a package keeps its name when it changes, so that clients ask whether they have it. */
function fileOf(request: Request, { type, etag, bytes }: PageFile): Response {
  return answer(request, { ...fileFields, "content-type": type, etag }, bytes);
}
