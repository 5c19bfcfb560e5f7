import { Dispatcher } from "../dispatch/dispatcher.ts";
import { fetchResponse } from "../dispatch/fetch-response.ts";
import { isGuard } from "../dispatch/guarded.ts";
import { MountedPattern, MountedResource, type MountableClass } from "../dispatch/mounted-resource.ts";
import { Response } from "../http/message/response.ts";
import { Status } from "../http/protocol/status.ts";
import { PathIndexBuilder } from "../routing/build/path-index-builder.ts";
import { parsePathPattern } from "../routing/pattern/path-pattern.ts";
import { hasScopes } from "../semantics/operation/access-model.ts";
import { discard } from "../http/message/discarded-content.ts";
import type { AgentTool } from "./agent-tool.ts";
import { requestOf } from "./tool-call.ts";

/** Tools behind the same guards, which are asked once for all of them. */
interface Guarded {
  readonly tools: AgentTool[];
  readonly method: string;
  readonly guards: readonly MountableClass[];
  readonly dispatcher: Dispatcher;
}

/**
 * Finds the tools that the sender of a request may use: those whose guards let it through and grant what they need. A
 * guard is middleware with `static security` or `static grants`. It is asked without the handler, after the middleware
 * in front of it.
 */
export class UsableTools {
  readonly #all: readonly AgentTool[];
  readonly #guarded: readonly Guarded[];

  constructor(tools: readonly AgentTool[]) {
    this.#all = tools;
    const guarded: Guarded[] = [];
    for (const tool of tools) {
      const { method, mounted, scopes } = tool.model;
      if (scopes.length === 0 && !mounted.middleware.some(isGuard)) continue;
      // Guards read what middleware of the application has found. Others of it have run for the request around.
      const around = mounted.chain.filter(({ wraps }) => wraps === null);
      const classes = around.map(({ middleware }) => middleware.constructor as MountableClass);
      const guards = [...classes.filter((Class) => "identity" in Class), ...mounted.middleware];
      const alike = guarded.find((one) => one.method === method && isSame(one.guards, guards));
      if (alike === undefined)
        guarded.push({ tools: [tool], method, guards, dispatcher: dispatcherBehind(guards, method) });
      else alike.tools.push(tool);
    }
    this.#guarded = guarded;
  }

  /** `may` is not asked: params have no values yet. A call asks it. */
  async find(around: Request, hasCookies: boolean): Promise<readonly AgentTool[]> {
    const refused = await Promise.all(
      this.#guarded.map(async ({ tools, dispatcher }) => {
        const asked = { model: tools[0]!.model, pattern: "/" };
        const nothing = { path: {}, query: {}, headers: [], content: undefined };
        const request = requestOf(asked, nothing, around, hasCookies);
        // A guard that fails says nothing of the sender: the tool is there, and its call fails as well.
        const response = await fetchResponse(dispatcher, request, () => undefined);
        discard(response);
        if (response.status === 401 || response.status === 403) return tools;
        if (response.status !== Status.NoContent.status) return [];
        return tools.filter(({ model }) => model.scopes.length > 0 && hasScopes(model, request) !== true);
      }),
    );
    const hidden = new Set(refused.flat());
    return this.#all.filter((tool) => !hidden.has(tool));
  }
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, at) => item === other[at]);
}

/** A resource without content behind guards. */
function dispatcherBehind(guards: readonly MountableClass[], method: string): Dispatcher {
  const mounted = new MountedResource("Tool", {}, { [method]: () => new Response(null, Status.NoContent) }, guards);
  const index = new PathIndexBuilder<MountedPattern>("ignore");
  const pattern = parsePathPattern("/", "Tool");
  mounted.add(pattern, "/", []);
  index.add(pattern, new MountedPattern(mounted));
  return new Dispatcher(index.build(), [], [mounted], true);
}
