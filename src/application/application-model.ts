import { nameOf } from "../http/javascript/described.ts";
import { refusals } from "../dispatch/exchange.ts";
import type { MethodRefusal, MountedPattern, MountedResource } from "../dispatch/mounted-resource.ts";
import { badRequest, notImplemented, type StatusPair } from "../http/protocol/status-constant.ts";
import { PathMatch } from "../routing/index/path-match.ts";
import { parsePathPattern, type PathPattern } from "../routing/pattern/path-pattern.ts";
import type { PathProblem } from "../routing/request/target-path.ts";

/** A resource as tools see it. */
export interface ResourceModel {
  /** The name of the resource class, or `(anonymous class)`. */
  readonly name: string;
  /** The resource class, of whose static members a tool may read what is not known here, such as schemas. */
  readonly Class: abstract new (...dependencies: never[]) => object;
  /** Path patterns of the resource, with prefixes of groups, in the order in which they were added. */
  readonly patterns: readonly PathPattern[];
  /** Methods that the resource implements. */
  readonly methods: readonly string[];
  /**
   * The names of the middleware classes around it, outermost first: each runs for the methods that it implements.
   * Middleware of the whole application is not listed.
   */
  readonly middleware: readonly string[];
}

/** The result of `match()`: resource, pattern and params of a request, or the reason why it has none. */
export type Decision =
  | {
      readonly matched: true;
      readonly resource: ResourceModel;
      readonly pattern: PathPattern;
      readonly params: Readonly<Record<string, string | undefined>>;
    }
  | {
      readonly matched: false;
      /**
       * What `handle()` would throw: 404, 405, 501, 414 or 400. If a value is not UTF-8, only reading it throws 400.
       */
      readonly status: StatusPair;
      readonly reason: string;
      /** The resource and the pattern that the path matched, if any. */
      readonly resource?: ResourceModel;
      readonly pattern?: PathPattern;
    };

export function modelOf(mounted: MountedResource): ResourceModel {
  return deepFreeze({
    name: mounted.name,
    Class: mounted.resource.constructor as ResourceModel["Class"],
    // Parsed again, when somebody asks: an index of 100,000 patterns would hold nothing but their segments.
    patterns: mounted.patterns.map((source) => parsePathPattern(source)),
    methods: mounted.methods,
    middleware: mounted.middleware.map(nameOf),
  });
}

export function decisionOf(
  match: PathMatch<MountedPattern> | PathProblem,
  method: string,
  model: (mounted: MountedResource) => ResourceModel,
): Decision {
  if (!(match instanceof PathMatch)) return { matched: false, ...refusals[match.problem] };
  const resource = model(match.value.mounted);
  const missing = (): MethodRefusal | null => {
    return resource.methods.includes(method) ? null : unimplemented(resource.name, method);
  };
  const pattern = resource.patterns.find(({ source }) => source === match.source)!;
  const refusal = (match.value.mounted.refusalOf ?? missing)(method, match.source);
  if (refusal !== null) return { matched: false, ...refusal, resource, pattern };
  try {
    const params = Object.fromEntries(pattern.names.map((name) => [name, match.param(name)]));
    return { matched: true, resource, pattern, params };
  } catch {
    const reason = "A path param is not valid percent-encoded UTF-8";
    return { matched: false, status: badRequest, reason, resource, pattern };
  }
}

export function unimplemented(name: string, method: string): MethodRefusal {
  return { status: notImplemented, reason: `${name} does not implement ${method.slice(0, 80)}` };
}

function deepFreeze<V extends object>(value: V): V {
  for (const part of Object.values(value)) if (typeof part === "object" && part !== null) deepFreeze(part);
  return Object.freeze(value);
}
