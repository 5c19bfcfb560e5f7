import {
  outcomeOf,
  type ApplicationShape,
  type Chain,
  type Handled,
  type MiddlewareShape,
  type ResourceShape,
} from "./chain.ts";
import { longTargets, shown, strangeMethods, targets } from "./hostile.ts";

export type ResourceClass = new () => ResourceShape;
export type MiddlewareClass = new () => MiddlewareShape;

/** How often the guard and the handlers ran since the last question. */
class Counts {
  guard = 0;
  admin = 0;
  open = 0;

  reset(): void {
    this.guard = this.admin = this.open = 0;
  }
}

const paths = ["/", "/:one", "/item/:id(\\d+)?", "/:file.json", "/v:major-:minor", "/(.+\\.txt)", "/x/:rest*"];
export const nine = ["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"] as const;

/** The ways in which a resource can come by its handlers; all implement GET, HEAD and PUT, and leave the others. */
export const resources: Readonly<Record<string, (chain: Chain, run: (input: Handled) => unknown) => ResourceClass>> = {
  "with methods": ({ Resource }, run) =>
    class Admin extends Resource {
      paths = paths;
      GET(input: Handled): unknown {
        return run(input);
      }
      HEAD(input: Handled): unknown {
        return run(input);
      }
      async PUT(input: Handled): Promise<unknown> {
        return run(input);
      }
    },
  "with inherited handlers": ({ Resource }, run) => {
    class Base extends Resource {
      GET(input: Handled): unknown {
        return run(input);
      }
      PUT(input: Handled): unknown {
        return run(input);
      }
    }
    class Middle extends Base {
      HEAD(input: Handled): unknown {
        return super.GET(input);
      }
    }
    return class Admin extends Middle {
      paths = paths;
    };
  },
  "with class fields": ({ Resource }, run) =>
    class Admin extends Resource {
      paths = paths;
      GET = (input: Handled): unknown => run(input);
      HEAD = async (input: Handled): Promise<unknown> => run(input);
      PUT = run as never;
    },
  "with handlers of the constructor": ({ Resource }, run) =>
    class Admin extends Resource {
      paths = paths;
      constructor() {
        super();
        for (const method of ["GET", "HEAD", "PUT"]) Object.defineProperty(this, method, { value: run });
      }
    },
};

/** The forms of a guard that lets everything pass, by what it calls when it runs. */
export const forms: Readonly<Record<string, (chain: Chain, ran: (input: unknown) => void) => MiddlewareClass>> = {
  ALL: ({ Middleware }, ran) =>
    class Guard extends Middleware {
      ALL(input: unknown): unknown {
        ran(input);
        return this.next(input);
      }
    },
  "ALL that awaits": ({ Middleware }, ran) =>
    class Guard extends Middleware {
      async ALL(input: unknown): Promise<unknown> {
        ran(input);
        await Promise.resolve();
        return this.next(input);
      }
    },
  "nine methods": ({ Middleware }, ran) =>
    class Guard extends Middleware {
      constructor() {
        super();
        const value = function (this: MiddlewareShape, input: unknown): unknown {
          ran(input);
          return this.next(input);
        };
        for (const method of nine) Object.defineProperty(this, method, { value });
      }
    },
  "an inherited ALL": ({ Middleware }, ran) => {
    class Base extends Middleware {
      ALL(input: unknown): unknown {
        ran(input);
        return this.next(input);
      }
    }
    return class Guard extends Base {};
  },
  "an ALL that is a class field": ({ Middleware }, ran) =>
    class Guard extends Middleware {
      ALL = (input: unknown): unknown => {
        ran(input);
        return this.next(input);
      };
    },
};

/** The places where a guard can hang; `/admin` leads to the resource in each of them. */
const places: Readonly<Record<string, (chain: Chain, Admin: ResourceClass, Guard: MiddlewareClass) => unknown>> = {
  "a group of one class": ({ ResourceGroup }, Admin, Guard) =>
    ResourceGroup.builder().resources(Admin).prefix("/admin").middleware(Guard).build(),
  "a group without a prefix": ({ ResourceGroup }, Admin, Guard) =>
    ResourceGroup.builder()
      .resources(ResourceGroup.builder().resources(Admin).prefix("/admin").build())
      .middleware(Guard)
      .build(),
  "the innermost of three groups": ({ ResourceGroup, Middleware }, Admin, Guard) => {
    class Silent extends Middleware {}
    const inner = ResourceGroup.builder().resources(Admin).middleware(Guard).build();
    const middle = ResourceGroup.builder()
      .resources([[inner]])
      .prefix("/admin")
      .middleware(Silent)
      .build();
    return ResourceGroup.builder().resources(middle).build();
  },
  "the outermost of three groups": ({ ResourceGroup }, Admin, Guard) => {
    const inner = ResourceGroup.builder().resources(Admin).prefix("/").build();
    const middle = ResourceGroup.builder().resources(inner).prefix("/admin/").build();
    return ResourceGroup.builder().resources(middle).prefix("/").middleware(Guard).build();
  },
  "the class itself": ({ ResourceGroup }, Admin, Guard) =>
    ResourceGroup.builder().resources(naming(Admin, Guard)).prefix("/admin").build(),
  "a base class": ({ ResourceGroup, Middleware }, Admin, Guard) => {
    class Silent extends Middleware {}
    return ResourceGroup.builder()
      .resources(naming(naming(Admin, Guard), Silent))
      .prefix("/admin")
      .build();
  },
};

/** A subclass that names its own middleware. */
function naming(Admin: ResourceClass, Guard: MiddlewareClass): ResourceClass {
  return class extends Admin {
    static {
      Object.defineProperty(this, "name", { value: Admin.name });
    }
    static middleware = [Guard];
  };
}

interface Setup {
  readonly app: ApplicationShape;
  readonly ran: Counts;
  /** Whether the guard hangs on the application, so that it sees every input. */
  readonly seesAll: boolean;
}

function setups(chain: Chain): Map<string, Setup> {
  const found = new Map<string, Setup>();
  for (const [resource, resourceOf] of Object.entries(resources)) {
    for (const [guard, guardOf] of Object.entries(forms)) {
      for (const place of [...Object.keys(places), "the application"]) {
        const counts = new Counts();
        const Admin = resourceOf(chain, ({ params }) => (counts.admin++, `admin ${params.pattern}`));
        const Guard = guardOf(chain, () => void counts.guard++);
        const group = chain.ResourceGroup.builder().resources(Admin).prefix("/admin").build();
        const builder = chain.Application.builder().resources(openTo(chain, () => void counts.open++));
        const seesAll = place === "the application";
        if (seesAll) builder.resources(group).middleware(Guard);
        else builder.resources(places[place]!(chain, Admin, Guard) as never);
        found.set(`${guard} on ${place}, a resource ${resource}`, { app: builder.build(), ran: counts, seesAll });
      }
    }
  }
  return found;
}

/** What everyone may see: all that does not belong to /admin. */
export function openTo({ Resource }: Chain, ran: (input: unknown) => void): ResourceClass {
  return class Open extends Resource {
    paths = ["/:path*"];
    GET(input: unknown): unknown {
      ran(input);
      return "open";
    }
    PUT(input: unknown): unknown {
      ran(input);
      return "open";
    }
  };
}

export interface Findings {
  checks: number;
  /** How often the guarded resource was reached: if never, nothing was shown. */
  reached: number;
  readonly faults: string[];
}

/**
 * Sends hostile requests through the ways to attach a guard.
 *
 * The guard must have run if and only if the resource was reached, exactly once, and must change nothing else: what
 * comes of an input is what comes of it in an application without guards.
 */
export async function guardEquivalence(
  chain: Chain,
  inputOf: (method: string, target: string) => Handled,
): Promise<Findings> {
  const findings: Findings = { checks: 0, reached: 0, faults: [] };
  const counts = new Counts();
  const Unguarded = resources["with methods"]!(chain, ({ params }) => (counts.admin++, `admin ${params.pattern}`));
  const group = chain.ResourceGroup.builder().resources(Unguarded).prefix("/admin").build();
  const unguarded = chain.Application.builder()
    .resources(
      openTo(chain, () => void counts.open++),
      group,
    )
    .build();
  const everyWay = [...setups(chain)];
  for (const [target, method, ways] of requests()) {
    const input = inputOf(method, target);
    counts.reset();
    const expected = await outcomeOf(chain, unguarded.handle(input));
    const isAdmins = unguarded.match(input).resource?.name === "Admin";
    const isOfTheNine = (nine as readonly string[]).includes(method);
    const handlers = Number(isAdmins && ["GET", "HEAD", "PUT"].includes(method));
    if (expected.startsWith("unexpected") || counts.admin !== handlers) {
      findings.faults.push(`${method.slice(0, 20)} ${shown(target)} without guards: ${expected}`);
    }
    for (const [name, { app, ran, seesAll }] of everyWay.slice(0, ways)) {
      ran.reset();
      const outcome = await outcomeOf(chain, app.handle(input));
      // On the application it sees all, but its handlers of single methods cannot be named by a token that is no
      // method.
      const guards = Number(seesAll ? isOfTheNine || !name.startsWith("nine") : isAdmins && isOfTheNine);
      findings.checks++;
      findings.reached += ran.admin;
      if (outcome === expected && ran.guard === guards && ran.admin === handlers) continue;
      findings.faults.push(
        `${method.slice(0, 20)} ${shown(target)} through ${name}: ${outcome}, guard ${ran.guard}, handler ` +
          `${ran.admin}; ` +
          `expected ${expected}, guard ${guards}, handler ${handlers}`,
      );
    }
  }
  return findings;
}

/**
 * Every target by few methods, few targets by every method, each with the number of ways: what takes milliseconds goes
 * through few.
 */
function* requests(): Iterable<readonly [target: string, method: string, ways: number]> {
  for (const target of targets) {
    for (const method of ["GET", "PUT", "DELETE", "PURGE"]) yield [target, method, Infinity];
  }
  for (const target of longTargets) yield [target, "GET", 5];
  for (const target of ["/admin", "/admin/a", "//admin", "/nothing"]) {
    for (const method of [...nine, ...strangeMethods]) yield [target, method, Infinity];
  }
}
