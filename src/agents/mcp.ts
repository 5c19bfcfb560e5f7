import { ApplicationFinder, applicationOf } from "../application/application-finder.ts";
import { Resource, type RequestOf } from "../application/native.ts";
import { answersAlike, describing, isMountable, refuseAt, type RequestRunner } from "../dispatch/mounted-resource.ts";
import type { MiddlewareClass } from "../application/middleware.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { HTTPError } from "../http/protocol/http-error.ts";
import { Status } from "../http/protocol/status.ts";
import { placedOperationsOf } from "../openapi/described-operation.ts";
import { haveOneId, schemasOf } from "../openapi/schema-ids.ts";
import { toolOf } from "../semantics/operation/tools.ts";
import { isOrigin } from "../fields/origin.ts";
import { isToken } from "../fields/token.ts";
import { requestField } from "../fields/request-fields.ts";
import { toolsOf } from "./agent-tool.ts";
import { ToolServer, type ServerOptions } from "./tool-server.ts";
import { refuseUnfitTools } from "./unfit-tools.ts";

export { resourceMetadata, type ResourceMetadataOptions } from "./resource-metadata.ts";

/**
 * Options of `mcp()`.
 *
 * @experimental
 */
export interface McpOptions {
  /** The name of the server, for agents. */
  readonly name: string;
  /** The version of the application. */
  readonly version: string;
  /** The path. Default: `/mcp`. */
  readonly path?: string | undefined;
  /** What agents should know of all tools together. */
  readonly instructions?: string | undefined;
  /** Replaces the tools of all operations with three: list, describe, call. For large applications. Default: false. */
  readonly catalog?: boolean | undefined;
  /** Whether the cookies of the sender come with calls. Default: false. */
  readonly forwardCookies?: boolean | undefined;
  /** Fields that a proxy of your own sets, such as `X-User`. No tool has them as input. Default: none. */
  readonly hiddenHeaders?: readonly string[] | undefined;
  /** Origins whose pages may call, besides the host's own: `https://app.example`. Default: none. */
  readonly origins?: readonly string[] | undefined;
  /** Middleware around the resource, outermost first, such as a guard. Default: none. */
  readonly middleware?: readonly MiddlewareClass[] | undefined;
  /** How many bytes an answer may have for an agent. Default: 102,400. */
  readonly maxResultBytes?: number | undefined;
}

/**
 * A resource class by which agents call the operations of its application.
 *
 * @experimental
 */
export type AgentsClass = (new () => Resource) & Pick<typeof Resource, "httpModule">;

/**
 * Makes a resource by which agents call operations that declare `tool`, by the Model Context Protocol.
 *
 * A call is a request to the application: the same guards, checks and limits hold. Only what says `tool` is one. Groups
 * and middleware wrap the resource like any other. The package `@modelcontextprotocol/server`, which you install beside
 * this one, speaks the protocol.
 *
 * A page of another origin is refused by 403, so that no site calls tools in the name of its visitors.
 *
 * @experimental
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * import { mcp } from "fingerpost/mcp";
 *
 * class Greeting extends Resource {
 *   paths = ["/hello/:name"] as const;
 *
 *   static GET = { summary: "Greets somebody", 200: text(), tool: { name: "greet" } };
 *   GET({ path }: Call<typeof Greeting, "GET">) {
 *     return `Hello, ${path.name}`;
 *   }
 * }
 * const agents = mcp({ name: "greetings", version: "1.0.0" });
 * const app = Application.builder().resources(Greeting, agents).build();
 * const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "greet", arguments: { name: "Ada" } } };
 * const headers = { accept: "application/json, text/event-stream" };
 * const response = await app.request("/mcp", { method: "POST", headers, json: call });
 * console.log((await response.text()).includes("Hello, Ada")); // true
 * ```
 */
export function mcp(options: McpOptions): AgentsClass {
  const check = new OptionCheck<McpOptions>("mcp", options, [
    ...([
      "name",
      "version",
      "path",
      "instructions",
      "catalog",
      "forwardCookies",
      "hiddenHeaders",
      "origins",
      "middleware",
      "maxResultBytes",
    ] as const),
  ]);
  const { name, version, path = "/mcp", instructions, catalog = false, forwardCookies = false } = check.options;
  const { hiddenHeaders = [], origins = [], middleware = [], maxResultBytes = 102_400 } = check.options;
  for (const [option, value] of Object.entries({ name, version })) {
    check.require(typeof value === "string" && value !== "", option, "a text", value);
  }
  check.require(typeof path === "string" && path.startsWith("/"), "path", "a path");
  check.require(instructions === undefined || typeof instructions === "string", "instructions", "a text");
  check.boolean("catalog", "forwardCookies");
  check.list("hiddenHeaders", (header) => typeof header === "string" && isToken(header), "names of fields");
  check.list("origins", isOrigin, 'origins such as "https://app.example"');
  check.list("middleware", isMountable, "middleware classes");
  check.count("maxResultBytes");
  const hidden = new Set(hiddenHeaders.map((header) => header.toLowerCase()));
  const about: ServerOptions = {
    name,
    version,
    instructions,
    hasCookies: forwardCookies,
    hidden,
    isCatalog: catalog,
    maxResultBytes,
  };
  const servers = new WeakMap<RequestRunner, ToolServer>();

  async function answer(request: RequestOf): Promise<Response> {
    refuseOtherOrigins(request, origins);
    const runner = applicationOf(request);
    // Made for the first request: only then are all resources there.
    let server = servers.get(runner);
    if (server === undefined) {
      servers.set(runner, (server = new ToolServer(runner, about)));
    }
    return server.answer(request);
  }

  return class Agents extends Resource {
    static readonly middleware: readonly MiddlewareClass[] = [...middleware, ApplicationFinder];
    readonly [answersAlike] = true;
    readonly [describing] = "agents";
    paths = [path];

    /** Refuses tools that agents could not call, and a subclass that would not find its application. */
    [refuseAt](owner: string, _patterns: readonly string[], dispatcher: RequestRunner): void {
      refuseUnfitTools(dispatcher.resources);
      const tools = placedOperationsOf(dispatcher).filter(({ model }) => toolOf(model) !== null);
      if (tools.some(({ model }) => haveOneId(schemasOf(model)))) toolsOf(dispatcher, hidden);
      if ((this.constructor as typeof Agents).middleware.includes(ApplicationFinder)) return;
      throw new TypeError(
        `Cannot add ${owner} to the application: its static middleware takes the place of what mcp() needs; write ` +
          "mcp({ middleware: [ … ] })",
      );
    }

    override GET(request: RequestOf): Promise<Response> {
      return answer(request);
    }

    override POST(request: RequestOf): Promise<Response> {
      return answer(request);
    }

    override DELETE(request: RequestOf): Promise<Response> {
      return answer(request);
    }

    /** GET and DELETE get 405: there are no sessions. */
    override OPTIONS(): Response {
      return new Response(null, { ...Status.NoContent, headers: { allow: "OPTIONS, POST" } });
    }
  };
}

/** A site could have the browsers of its visitors call tools of servers that only they reach. */
function refuseOtherOrigins(request: Request, origins: readonly string[]): void {
  const origin = requestField(request, "origin");
  if (origin === null || origins.includes(origin)) return;
  if (URL.canParse(origin)) {
    const { protocol, host, hostname } = new URL(origin);
    // The scheme of the URL does not count: a proxy that ends TLS changes it.
    if (host === new URL(request.url).host && (protocol === "https:" || isFirm(hostname))) return;
  }
  throw new HTTPError(Status.Forbidden, "The request was sent by a page of another site");
}

/**
 * Returns whether no site has a say in where a host leads. A site can make a name of its own lead to a server that only
 * its visitors reach. Its pages have the host of that server then, but no certificate.
 */
function isFirm(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|\[.+\]|[\d.]+)$/.test(hostname);
}
