import {
  createMcpHandler,
  Server,
  type CallToolResult,
  type ListToolsResult,
  type McpHttpHandler,
} from "@modelcontextprotocol/server";
import { parseCookies } from "../fields/cookie.ts";
import type { RequestRunner } from "../dispatch/mounted-resource.ts";
import { PathMatch } from "../routing/index/path-match.ts";
import { listedOf, toolsOf, type AgentTool, type ListedTool } from "./agent-tool.ts";
import { catalogTools } from "./catalog.ts";
import { requestOf } from "./tool-call.ts";
import { mistake, refusedInputs, resultOf, unknownTool } from "./tool-result.ts";
import { UsableTools } from "./usable-tools.ts";

/** How a server names itself, and how it calls. */
export interface ServerOptions {
  readonly name: string;
  readonly version: string;
  readonly instructions: string | undefined;
  readonly hasCookies: boolean;
  /** Fields that no tool has as input, in lower case. */
  readonly hidden: ReadonlySet<string>;
  readonly isCatalog: boolean;
  readonly maxResultBytes: number;
}

/** Answers the requests of agents: which tools there are, and calls of them. The protocol is spoken by its package. */
export class ToolServer {
  readonly #runner: RequestRunner;
  readonly #options: ServerOptions;
  readonly #tools: ReadonlyMap<string, AgentTool>;
  readonly #usable: UsableTools;
  readonly #fetch: McpHttpHandler["fetch"];

  constructor(runner: RequestRunner, options: ServerOptions) {
    this.#runner = runner;
    this.#options = options;
    const tools = toolsOf(runner, options.hidden);
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#usable = new UsableTools(tools);
    this.#fetch = createMcpHandler(({ authInfo }) => this.#serverFor(authInfo!.extra!["around"] as Request)).fetch;
  }

  answer(request: Request): Promise<Response> {
    // The package passes a copy of the request to its server, without what the host knows of the connection. It passes
    // `authInfo` as it is, so that the request itself is there.
    return this.#fetch(request, { authInfo: { token: "", clientId: "", scopes: [], extra: { around: request } } });
  }

  #serverFor(around: Request): Server {
    const { name, version, instructions, isCatalog } = this.#options;
    const about = { capabilities: { tools: {} }, ...(instructions === undefined ? {} : { instructions }) };
    const server = new Server({ name, version }, about);
    const catalog = isCatalog
      ? catalogTools(
          () => this.#listed(around),
          (called, given) => this.#call(called, given, around),
        )
      : null;
    server.setRequestHandler("tools/list", async () => {
      const tools = catalog?.listed ?? (await this.#listed(around));
      return { tools } as unknown as ListToolsResult;
    });
    server.setRequestHandler("tools/call", ({ params: { name: called, arguments: given = {} } }) =>
      catalog === null ? this.#call(called, given, around) : catalog.call(called, given),
    );
    return server;
  }

  async #listed(around: Request): Promise<ListedTool[]> {
    const tools = await this.#usable.find(around, this.#options.hasCookies);
    return tools.map(listedOf);
  }

  async #call(name: string, given: Readonly<Record<string, unknown>>, around: Request): Promise<CallToolResult> {
    const { hasCookies, maxResultBytes } = this.#options;
    const tool = this.#tools.get(name);
    if (tool === undefined) return mistake(unknownTool);
    const read = tool.input.read(given);
    if (Array.isArray(read)) {
      // Who may not use a tool learns nothing of its inputs.
      const usable = await this.#usable.find(around, hasCookies);
      return usable.includes(tool) ? refusedInputs(read) : mistake(unknownTool);
    }
    let request: Request;
    try {
      request = requestOf(tool, read as Exclude<typeof read, readonly unknown[]>, around, hasCookies);
    } catch (error) {
      // The path would be read as other values. The message names the param, and not its value.
      return mistake(`The tool was not called:\n- ${(error as Error).message}`);
    }
    // The text of a param may be the path of another resource, which did not say that it is a tool.
    const found = this.#runner.match(request, request.url);
    if (found instanceof PathMatch && found.value.mounted !== tool.model.mounted) {
      return mistake("The tool was not called: the path of these inputs is another resource");
    }
    const sent = parseCookies(request.headers.get("cookie") ?? "");
    return resultOf(tool, await this.#runner.fetch!(request), maxResultBytes, (cookie) => sent.has(cookie));
  }
}
