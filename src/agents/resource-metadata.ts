import { Resource } from "../application/native.ts";
import { answersAlike, describing, refuseAt, type RequestRunner } from "../dispatch/mounted-resource.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { scopesOf } from "../openapi/needed-scopes.ts";
import { placedOperationsOf } from "../openapi/described-operation.ts";
import { toolOf } from "../semantics/operation/tools.ts";

/**
 * Options of `resourceMetadata()`.
 *
 * @experimental
 */
export interface ResourceMetadataOptions {
  /** The URL of the protected resource, such as `https://api.example/mcp`. */
  readonly resource: string;
  /** The URLs of the servers that issue tokens for it. */
  readonly authorizationServers: readonly string[];
  /** The scopes that tokens may have. Default: those that the operations below the URL need, or the tools of agents. */
  readonly scopes?: readonly string[] | undefined;
}

/**
 * A resource class that everybody may read.
 *
 * @experimental
 */
export type MetadataClass = (new () => Resource) & Pick<typeof Resource, "httpModule">;

/**
 * Makes a resource that says which servers issue tokens for a protected resource (RFC 9728).
 *
 * It answers at `/.well-known/oauth-protected-resource`, followed by the path of the resource (§3.1). Everybody may
 * read it: add it outside of groups with guards. `bearer()` and `jwt()` name its URL in their challenge by the option
 * `resourceMetadataURL`.
 *
 * @experimental
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * import { resourceMetadata } from "fingerpost/mcp";
 *
 * const resource = "https://api.example/mcp";
 * const about = resourceMetadata({ resource, authorizationServers: ["https://id.example"] });
 * const app = Application.builder().resources(about).build();
 * const response = await app.request("/.well-known/oauth-protected-resource/mcp");
 * console.log((await response.json()).authorization_servers[0]); // https://id.example
 * ```
 */
export function resourceMetadata(options: ResourceMetadataOptions): MetadataClass {
  const check = new OptionCheck<ResourceMetadataOptions>("resourceMetadata", options, [
    ...(["resource", "authorizationServers", "scopes"] as const),
  ]);
  const { resource, authorizationServers, scopes } = check.options;
  // RFC 9728 §1.2: a URL of https without a fragment. Development has no certificate.
  check.require(isURL(resource) && !resource.includes("#"), "resource", "a URL without a fragment");
  check.list("authorizationServers", isURL, "a list of URLs, one at least");
  check.require(authorizationServers.length > 0, "authorizationServers", "a list of URLs, one at least", []);
  check.list("scopes", (scope) => typeof scope === "string", "a list of texts");
  const { pathname } = new URL(resource);
  const metadata = {
    resource,
    authorization_servers: authorizationServers,
    bearer_methods_supported: ["header"],
  };

  return class Metadata extends Resource {
    readonly [answersAlike] = true;
    readonly [describing] = "metadata";
    paths = [
      `/.well-known/oauth-protected-resource${pathname.replace(/\/$/, "").replaceAll(/[:*?+(\\]/g, String.raw`\$&`)}`,
    ];

    #dispatcher: RequestRunner | null = null;

    [refuseAt](_owner: string, _patterns: readonly string[], dispatcher: RequestRunner): void {
      this.#dispatcher = dispatcher;
    }

    override GET(): Response {
      const supported = scopes ?? scopesBelow(this.#dispatcher!, pathname);
      const all = { ...metadata, ...(supported.length === 0 ? {} : { scopes_supported: supported }) };
      // Pages of agents read it, from wherever they are (RFC 9728 §3.1).
      return Response.json(all, {
        headers: { "access-control-allow-origin": "*", "cache-control": "max-age=3600" },
      });
    }
  };
}

/** Lists the scopes that requests below a path need. At the path of `mcp()` these are those of its tools. */
function scopesBelow(dispatcher: RequestRunner, path: string): string[] {
  const prefix = path.replace(/\/$/, "");
  const isOfAgents = dispatcher.resources.some(
    ({ resource, patterns }) =>
      (resource as { readonly [describing]?: string })[describing] === "agents" && patterns.includes(prefix),
  );
  return scopesOf(
    placedOperationsOf(dispatcher).filter(({ model, source }) =>
      isOfAgents ? toolOf(model) !== null : `${source}/`.startsWith(`${prefix}/`),
    ),
  );
}

function isURL(value: unknown): value is string {
  return typeof value === "string" && URL.canParse(value) && /^https?:/.test(value);
}
