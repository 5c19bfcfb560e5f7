/*
 * The inputs, resources and handlers of the threat model, for any copy of the package on any runtime: no test
 * framework, no module of a runtime. `tests/security/*.test.ts` run it on the sources, `scripts/check/hardened-node.js`
 * runs it on what is packed.
 */
import { contextOf, outcomeOf, requestOf, type Chain, type Chains, type Handled, type ResourceShape } from "./chain.ts";
import { guardEquivalence } from "./guards.ts";
import { inheritedNames, longTargets, mistakenInputs, shown, strangeMethods, targets } from "./hostile.ts";

/** What a run of the suite found; `outcomes` are the same in every run, on every runtime. */
export interface Report {
  checks: number;
  readonly faults: string[];
  readonly outcomes: string[];
}

type Section = (chains: Chains, report: Report) => Promise<void>;

/** Runs everything. */
export async function hostileSuite(chains: Chains): Promise<Report> {
  const report: Report = { checks: 0, faults: [], outcomes: [] };
  for (const [name, section] of Object.entries(sections)) {
    try {
      await section(chains, report);
    } catch (error) {
      report.faults.push(`${name}: ${String((error as Error)?.stack ?? error)}`);
    }
  }
  return report;
}

const isOneOf = (outcome: string): boolean => /^(?:400|404|414|501)$/.test(outcome) || outcome.startsWith("value ");

export const sections: Readonly<Record<string, Section>> = {
  /** Whatever a client sends ends in a value or in one of four statuses, the same through both chains. */
  async targets({ native, polyfill }, report) {
    const [one, other] = [native, polyfill].map((chain) => echo(chain));
    for (const target of [...targets, ...longTargets]) {
      for (const method of ["GET", "PURGE"]) {
        const outcome = await outcomeOf(native, one!.handle(requestOf(method, target)));
        const twin = await outcomeOf(polyfill, other!.handle(contextOf(method, target)));
        const where = `${method} ${shown(target)}`;
        expect(report, where, isOneOf(outcome) ? outcome : "a value, 400, 404, 414 or 501", outcome);
        expect(report, `${where} through both chains`, outcome, twin);
        report.outcomes.push(`${where} ${outcome.slice(0, 80)}`);
      }
    }
  },

  /** A method token calls one of nine methods, or nothing. */
  async methods({ native, polyfill }, report) {
    for (const chain of [native, polyfill]) {
      class Trap extends chain.Resource {
        paths = ["/trap"];
      }
      const trap = new Trap();
      const app = chain.Application.builder()
        .resources(Trap)
        .instantiate(() => trap)
        .build();
      // After build(), which refuses some of them.
      const value = (): string => "value trapped";
      for (const name of strangeMethods) {
        if (!["constructor", "__proto__", "paths"].includes(name)) Object.defineProperty(trap, name, { value });
      }
      for (const method of strangeMethods) {
        expect(report, `${shown(method)} /trap`, "501", await outcomeOf(chain, app.handle(contextOf(method, "/trap"))));
        expect(report, `${shown(method)} /no`, "404", await outcomeOf(chain, app.handle(contextOf(method, "/no"))));
      }
    }
  },

  async guards({ native, polyfill }, report) {
    for (const [chain, inputOf] of [
      [native, requestOf],
      [polyfill, contextOf],
    ] as const) {
      const { checks, reached, faults } = await guardEquivalence(chain, inputOf);
      report.checks += checks;
      report.faults.push(...faults);
      if (reached === 0) report.faults.push("The guarded resource was never reached");
    }
  },

  /** A mistake of the host is a TypeError that says so, whatever the application is made of. */
  async inputs({ native, polyfill }, report) {
    for (const chain of [native, polyfill]) {
      class Admin extends chain.Resource {
        paths = ["/admin"];
        GET(_input: unknown): unknown {
          return "value reached";
        }
        POST(_input: unknown): unknown {
          return "value reached";
        }
      }
      class Pass extends chain.Middleware {
        ALL(input: unknown): unknown {
          return this.next(input);
        }
      }
      const group = chain.ResourceGroup.builder().resources(Admin).middleware(Pass).build();
      const plain = chain.Application.builder().resources(Admin).build();
      const wrapped = chain.Application.builder().resources(group).build();
      const inside = chain.Application.builder().resources(Admin).middleware(Pass).build();
      for (const [because, inputOf] of mistakenInputs) {
        for (const app of [plain, wrapped, inside]) {
          const error = await rejectionOf(app.handle(inputOf()));
          expect(
            report,
            because,
            "true",
            String(error instanceof TypeError && error.message.startsWith("Cannot handle the input: ")),
          );
        }
      }
      for (const [because, inputOf] of strangeInputs) {
        for (const app of [plain, wrapped, inside]) {
          expect(report, because, "value reached", await outcomeOf(chain, app.handle(await inputOf())));
        }
      }
      const thrown = new Error("from the getter");
      const throwing = {
        method: "GET",
        get url(): string {
          throw thrown;
        },
      };
      expect(report, "a getter that throws", "true", String((await rejectionOf(plain.handle(throwing))) === thrown));
    }
  },

  /**
   * One object may be handled several times at once, and what a resource does to itself after `build()` changes
   * nothing.
   */
  async reuse({ native, polyfill }, report) {
    for (const [chain, inputOf] of [
      [native, requestOf],
      [polyfill, contextOf],
    ] as const) {
      const paths = ["/:id"];
      class Slow extends chain.Resource {
        paths = paths;
        async GET({ params }: Handled): Promise<unknown> {
          await Promise.resolve();
          return `value ${params.pathParam("id")}`;
        }
      }
      const made: ResourceShape[] = [];
      const builder = chain.Application.builder().resources(Slow, Slow, [Slow]);
      const app = builder.instantiate((Class: typeof Slow) => made[made.push(new Class()) - 1]).build();
      paths[0] = "/changed";
      made[0]!.paths = ["/changed/:id"];
      made[0]!.GET = () => "value changed";
      const input = inputOf("GET", "/7");
      const outcomes = await Promise.all(Array.from({ length: 100 }, () => outcomeOf(chain, app.handle(input))));
      expect(report, "the same input 100 times at once", "value 7", [...new Set(outcomes)].join());
      expect(
        report,
        "paths changed after build()",
        "404",
        await outcomeOf(chain, app.handle(inputOf("GET", "/changed/7"))),
      );
      expect(
        report,
        "a class added three times",
        "1 resource, 1 instance",
        `${app.resources.length} resource, ${made.length} instance`,
      );
    }
  },

  /** Names that every object has are names like others. */
  async names({ native, polyfill }, report) {
    for (const chain of [native, polyfill]) {
      class Named extends chain.Resource {
        paths = inheritedNames.map((name) => `/${name}/:${name}/:other?`).concat("/:a/x/:b");
        GET({ params }: Handled): unknown {
          const values = [...inheritedNames, "a", "b", "other", "toLocaleString"].map(
            (name) => params.pathParam(name) ?? "-",
          );
          return (
            `value ${params.pattern} ${values.join()} ${params.queryParam("__proto__") ?? "-"} ` +
            `${params.queryParams("toString").length}`
          );
        }
      }
      const app = chain.Application.builder().resources(Named).build();
      for (const name of inheritedNames) {
        const outcome = await outcomeOf(chain, app.handle(contextOf("GET", `/${name}/7?__proto__=q`)));
        const values = [...inheritedNames, "a", "b", "other", "toLocaleString"].map((other) =>
          other === name ? "7" : "-",
        );
        expect(report, name, `value /${name}/:${name}/:other? ${values.join()} q 0`, outcome);
      }
      expect(report, "no name", "404", await outcomeOf(chain, app.handle(contextOf("GET", "/toLocaleString"))));
    }
  },

  /** What a handler throws or returns comes out as it is; `fetch()` makes a response of anything. */
  async handlers({ native, polyfill }, report) {
    const values = [
      undefined,
      null,
      0,
      "",
      "text",
      Symbol.iterator,
      Object.freeze({ frozen: 1 }),
      new Error("secret"),
      () => {},
    ];
    for (const chain of [native, polyfill]) {
      for (const isAsync of [false, true]) {
        for (const value of values) {
          const throwing = answering(chain, () => {
            if (isAsync) return Promise.reject(value);
            throw value;
          });
          expect(
            report,
            `throw ${String(value)}`,
            "true",
            String(Object.is(await rejectionOf(throwing.handle(contextOf("GET", "/"))), value)),
          );
          const returning = answering(chain, () => (isAsync ? Promise.resolve(value) : value));
          expect(
            report,
            `return ${String(value)}`,
            "true",
            String(Object.is(await returning.handle(contextOf("GET", "/")), value)),
          );
        }
      }
    }
    for (const value of [
      ...values,
      new Proxy({}, { get: fail, has: fail, getPrototypeOf: fail }),
      Object.create(null),
    ]) {
      for (const answer of [() => value, () => Promise.reject(value)]) {
        const builder = native.Application.builder().resources(answerOf(native, answer));
        builder.onError(() => {});
        const response = await builder.build().fetch(new Request("http://h/") as never);
        const text = await response.text();
        expect(report, "fetch() of whatever", "500 true", `${response.status} ${!text.includes("secret")}`);
      }
    }
  },

  /** What cannot work is refused before the first request. */
  async resources({ native, polyfill }, report) {
    for (const [chain, other] of [
      [native, polyfill],
      [polyfill, native],
    ] as const) {
      class Fine extends chain.Resource {
        paths = ["/"];
      }
      class OfTheOtherChain extends other.Resource {
        paths = ["/"];
      }
      const withPaths = (paths: unknown) =>
        class Users extends chain.Resource {
          paths = paths as string[];
        };
      const members: readonly unknown[] = [
        undefined,
        null,
        5,
        "Users",
        {},
        new Fine(),
        () => {},
        async () => {},
        class Plain {
          GET(): void {}
        },
        Map,
        Proxy,
        Symbol,
        OfTheOtherChain,
        Object.getPrototypeOf(chain.Resource),
        Object.getPrototypeOf(Fine.prototype),
        { prototype: Fine.prototype },
        class extends Fine {
          constructor() {
            super();
            throw new TypeError("of the user");
          }
        },
        class extends Fine {
          constructor() {
            super();
            return Promise.resolve(this) as never;
          }
        },
        class extends Fine {
          GET = 5 as never;
        },
        class extends Fine {
          constructor() {
            super();
            Object.defineProperty(this, "paths", { get: fail });
          }
        },
        ...[undefined, null, 5, "/a", {}, new Set(["/a"]), { length: 1, 0: "/a" }].map(withPaths),
        ...badPatterns.map((pattern) => withPaths([pattern])),
      ];
      for (const member of members) {
        let outcome = "accepted";
        try {
          chain.Application.builder().resources(member).build();
        } catch (error) {
          outcome =
            error instanceof TypeError || error instanceof SyntaxError || (error as Error).message === "trapped"
              ? "refused"
              : `unexpected ${String(error)}`;
          if ((error as Error).message.length > 500)
            outcome = `a message of ${(error as Error).message.length} characters`;
        }
        expect(
          report,
          `adding ${typeof member === "function" ? String(member.name) : typeof member}`,
          "refused",
          outcome,
        );
      }
      report.outcomes.push(`${members.length} refused`);
    }
  },
};

/** Entries of `paths` that are no path patterns. */
const badPatterns: readonly unknown[] = [
  ...(
    ": users https://h/users /users?x /users#x /:id/:id /:id?/users /:id?/:name /:/x /:a:b /(a /a) /([) /(*a) " +
    "/(a)\\1/(\\1)"
  ).split(" "),
  ...(
    "/((a)\\1) /((?<n>a)\\k<n>) /a{b /a} /a*b /*/b /:1 /:a(?:b) /() /:a() /((a) /a\\ /a\\/b /./a /.. " +
    "/:a(b)+ " +
    "/:a*x /:a+? /((?)"
  ).split(" "),
  "",
  "x".repeat(100_000),
  `/${"(".repeat(10_000)}`,
  `/${"*".repeat(10_000)}`,
  `/:${"a".repeat(10_000)}/:${"a".repeat(10_000)}`,
  5,
  null,
  undefined,
  {},
  [],
  ["/a"],
  /a/,
  Symbol("/a"),
  { toString: () => "/a" },
];

/** Inputs that are odd, and legal: an object with strings `url` and `method` that takes `params`. */
const strangeInputs: readonly (readonly [because: string, input: () => unknown])[] = [
  ["an object of null prototype", () => Object.assign(Object.create(null), { url: "/admin", method: "GET" })],
  ["a function", () => Object.assign(() => {}, { url: "/admin", method: "GET" })],
  ["an array", () => Object.assign([], { url: "/admin", method: "GET" })],
  ["a proxy", () => new Proxy({ url: "/admin", method: "GET" }, {})],
  ["inherited url and method", () => Object.create({ url: "/admin", method: "GET" })],
  ["params that are there already", () => ({ url: "/admin", method: "GET", params: { id: 1 } })],
  [
    "getters that change",
    () => {
      let reads = 0;
      const input = {
        get url(): string {
          return reads++ === 0 ? "/admin" : "/other";
        },
        get method(): string {
          return reads++ <= 1 ? "GET" : "PURGE";
        },
      };
      return input;
    },
  ],
  [
    "a Request whose body was used",
    async () => {
      const request = new Request("http://h/admin", { method: "POST", body: "content" });
      await request.text();
      return request;
    },
  ],
];

function echo(chain: Chain) {
  class Echo extends chain.Resource {
    paths = ["/:path*", "/admin/:id", "/:a-:b-:c-:d", "/:file.:ext", "/([0-9]+)/(.+)", "/x/:n(\\d+)"];
    GET({ params }: Handled): unknown {
      const names = ["path", "id", "a", "b", "c", "d", "file", "ext", "0", "1", "n"];
      return `value ${params.pattern} ${names.map((name) => params.pathParam(name) ?? "").join("|")}`;
    }
  }
  return chain.Application.builder().resources(Echo).build();
}

function answerOf(chain: Chain, answer: () => unknown) {
  return class Answer extends chain.Resource {
    paths = ["/"];
    GET(_input: unknown): unknown {
      return answer();
    }
  };
}

function answering(chain: Chain, answer: () => unknown) {
  return chain.Application.builder().resources(answerOf(chain, answer)).build();
}

function fail(): never {
  throw new Error("trapped");
}

async function rejectionOf(answer: Promise<unknown>): Promise<unknown> {
  try {
    await answer;
  } catch (error) {
    return error;
  }
  return "fulfilled";
}

function expect(report: Report, where: string, expected: string, actual: string): void {
  report.checks++;
  if (expected !== actual) report.faults.push(`${where}: ${actual.slice(0, 200)}; expected ${expected.slice(0, 200)}`);
}
