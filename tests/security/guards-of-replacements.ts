import { sampled } from "../support/sampled.ts";
import { outcomeOf, type ApplicationShape, type Chain, type Handled } from "./chain.ts";
import { forms, nine, openTo, resources, type Findings, type MiddlewareClass, type ResourceClass } from "./guards.ts";
import { longTargets, shown, strangeMethods, targets } from "./hostile.ts";

type InputOf = (method: string, target: string) => Handled;

/** What an input asks for. */
interface Asked {
  readonly method: string;
  readonly target: string;
}

/** What middleware passes on: the objects, and what they ask for. */
interface Kind {
  replacementsOf(input: Handled, inputOf: InputOf): readonly object[];
  askedBy(asked: Asked): readonly Asked[];
  /** Whether it changes the input, which others may have then not been given, too. */
  readonly isChanging?: boolean;
}

function other(method: string | null, target: string | null): Kind {
  return {
    replacementsOf: (input, inputOf) => [inputOf(method ?? input.method, target ?? input.url)],
    askedBy: (asked) => [{ method: method ?? asked.method, target: target ?? asked.target }],
  };
}

const kinds: Readonly<Record<string, Kind>> = {
  "an input of the same URL": other(null, null),
  "another URL, which is guarded": other(null, "/admin/%61"),
  "another URL, which is open": other(null, "/x/../administrator"),
  "another URL, without a path": other(null, "*"),
  "another URL, which cannot be parsed": other(null, "http://[::1/admin"),
  "another method": other("PUT", null),
  "another method, which is not implemented": other("DELETE", null),
  "another method, which is none": other("admin", null),
  "another URL and method": other("HEAD", "//h/../admin/item/7"),
  "a copy with its params": {
    replacementsOf: ({ url, method, params }) => [{ url, method, params }],
    askedBy: (asked) => [asked],
  },
  "an object that inherits from it": {
    // Getters of a Request refuse an heir.
    replacementsOf: (input) => {
      const { url, method } = input;
      return [Object.create(input, { url: { value: url }, method: { value: method } }) as object];
    },
    askedBy: (asked) => [asked],
  },
  "the input itself": {
    replacementsOf: (input) => [input],
    askedBy: (asked) => [asked],
  },
  // What an input led to was decided as it came in.
  "the input itself, changed": {
    replacementsOf: (input) => {
      Reflect.set(input, "url", "/administrator");
      Reflect.set(input, "method", "PUT");
      return [input];
    },
    askedBy: (asked) => [asked],
    isChanging: true,
  },
  "several, one after the other": {
    replacementsOf: (input, inputOf) => [inputOf("GET", "/admin"), inputOf("PUT", "/a"), inputOf("GET", input.url)],
    askedBy: ({ target }) => [
      { method: "GET", target: "/admin" },
      { method: "PUT", target: "/a" },
      { method: "GET", target },
    ],
  },
};

/** What stands around the application and, inside it, around the resource: outermost first. */
const layouts: readonly (readonly [around: readonly Station[], inner: readonly Station[]])[] = [
  [["passing"], ["guard"]],
  [["guard", "passing"], []],
  [["passing", "guard"], []],
  [[], ["passing", "guard"]],
  [[], ["guard", "passing"]],
  [["passing"], ["passing", "guard", "passing"]],
  [
    ["guard", "passing"],
    ["passing", "guard"],
  ],
];

type Station = "guard" | "passing";

/** How often the guards and the handlers ran for one request. */
class Ran {
  guard = 0;
  admin = 0;
  open = 0;

  toString(): string {
    return `guard ${this.guard}, handler ${this.admin}, open ${this.open}`;
  }
}

/** What a target leads to: told by an application without middleware. */
interface Led {
  readonly owner: string | null;
  readonly pattern: string;
  readonly status: number;
}

interface Setup {
  readonly name: string;
  readonly app: ApplicationShape;
  readonly kind: Kind;
  readonly layout: (typeof layouts)[number];
  readonly isOfMethods: boolean;
  /** By each input of a request: the one that came in, and those that were passed on. */
  readonly ran: WeakMap<object, Ran>;
}

/** Says the same in each run of a seed. */
class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A whole number from 0 up to, not including, a limit. */
  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  shuffled<Value>(values: readonly Value[]): Value[] {
    const shuffled = [...values];
    for (let at = shuffled.length - 1; at > 0; at--) {
      const from = this.below(at + 1);
      [shuffled[at], shuffled[from]] = [shuffled[from]!, shuffled[at]!];
    }
    return shuffled;
  }
}

/** The ways to attach guard and middleware, each with several forms of the guard. */
function setups(chain: Chain, inputOf: InputOf, dice: Dice): Setup[][] {
  const found: Setup[][] = [];
  for (const [named, kind] of Object.entries(kinds)) {
    for (const isLate of [false, true]) {
      for (const [at, layout] of layouts.entries()) {
        const ways: Setup[] = [];
        for (const guard of ["ALL", "ALL that awaits", "nine methods"]) {
          const ran = new WeakMap<object, Ran>();
          const of = (input: unknown): Ran => ran.get(input as object)!;
          const Admin = resources[dice.below(2) === 0 ? "with methods" : "with class fields"]!(chain, (input) => {
            of(input).admin++;
            return `admin ${input.params.pattern}`;
          });
          const classOf = (station: Station): MiddlewareClass =>
            station === "guard"
              ? forms[guard]!(chain, (input) => void of(input).guard++)
              : passing(chain, (input) => kind.replacementsOf(input, inputOf), ran, isLate ? dice : null);
          const [around, inner] = layout;
          const app = chain.Application.builder()
            .resources(openTo(chain, (input) => void of(input).open++))
            .resources(grouped(chain, Admin, inner.map(classOf), at % 2 === 0))
            .middleware(...around.map(classOf))
            .build();
          const where =
            `${guard} where ${around.join(", ") || "nothing"} is around the application and ` +
            `${inner.join(", ") || "nothing"} around the resource`;
          const name = `${where}, passing on ${named}${isLate ? ", late" : ""}`;
          ways.push({ name, app, kind, layout, ran, isOfMethods: guard === "nine methods" });
        }
        found.push(ways);
      }
    }
  }
  return found;
}

/** The resource below /admin, in one group, or in a group for each middleware. */
function grouped(
  { ResourceGroup }: Chain,
  Admin: ResourceClass,
  classes: readonly MiddlewareClass[],
  isOne: boolean,
): object {
  if (isOne)
    return ResourceGroup.builder()
      .resources(Admin)
      .prefix("/admin")
      .middleware(...classes)
      .build();
  let group = ResourceGroup.builder().resources(Admin).prefix("/admin").build();
  for (const Class of classes.toReversed()) {
    group = ResourceGroup.builder().resources(group).middleware(Class).build();
  }
  return group;
}

/** Middleware that passes on replacements: at once, or each after some turns that the dice tell. */
function passing(
  { Middleware }: Chain,
  replacementsOf: (input: Handled) => readonly object[],
  ran: WeakMap<object, Ran>,
  dice: Dice | null,
): MiddlewareClass {
  class Base extends Middleware {
    pass(input: Handled, replacement: object): unknown {
      ran.set(replacement, ran.get(input)!);
      return (this as { next(input: unknown, replacement?: unknown): unknown }).next(input, replacement);
    }
  }
  if (dice === null) {
    return class Passing extends Base {
      ALL(input: Handled): unknown {
        const replacements = replacementsOf(input);
        for (const replacement of replacements.slice(0, -1)) void settled(() => this.pass(input, replacement));
        return this.pass(input, replacements.at(-1)!);
      }
    };
  }
  return class Passing extends Base {
    async ALL(input: Handled): Promise<unknown> {
      const replacements = replacementsOf(input);
      for (const replacement of replacements.slice(0, -1)) {
        await turns(dice.below(4));
        await settled(() => this.pass(input, replacement));
      }
      await turns(1 + dice.below(3));
      return this.pass(input, replacements.at(-1)!);
    }
  };
}

async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await Promise.resolve();
}

async function settled(run: () => unknown): Promise<void> {
  try {
    await run();
  } catch {
    // What comes of all but the last is nobody's.
  }
}

/** What must come of a request, by a reading of the rules that knows no application: C3.3, C5.1, C5.4, C5.5. */
function expectedOf({ layout, kind, isOfMethods }: Setup, asked: Asked, ledBy: (target: string) => Led) {
  const ran = new Ran();
  const [around, inner] = layout;
  const stations = [...around, ...inner];

  function come(at: number, { method, target }: Asked, led: Led): string {
    const isMethod = (nine as readonly string[]).includes(method);
    const isReached = at < around.length || (led.owner === "Admin" && isMethod && at < stations.length);
    if (!isReached) return handle(method, led);
    if (stations[at] === "guard") {
      if (!isOfMethods || isMethod) ran.guard++;
      return come(at + 1, { method, target }, led);
    }
    const outcomes = kind
      .askedBy({ method, target })
      .map((passed) => come(at + 1, passed, at < around.length ? ledBy(passed.target) : led));
    return outcomes.at(-1)!;
  }

  function handle(method: string, { owner, pattern, status }: Led): string {
    if (owner === null) return `${status}`;
    if (!(owner === "Admin" ? ["GET", "HEAD", "PUT"] : ["GET", "PUT"]).includes(method)) return "501";
    if (owner === "Open") ran.open++;
    else ran.admin++;
    return owner === "Open" ? "open" : `admin ${pattern}`;
  }

  const outcome = come(0, asked, ledBy(asked.target));
  return { outcome, ran };
}

/**
 * Sends hostile requests through guards that stand outside and inside of middleware that passes on replacements, many
 * of them under way at once, in any order.
 *
 * A guard must have run as often as its resource was reached, by whichever input. With `isShared`, one input comes in
 * to all applications at once.
 */
export async function replacementEquivalence(
  chain: Chain,
  inputOf: InputOf,
  seed: number,
  isShared = false,
): Promise<Findings> {
  const findings: Findings = { checks: 0, reached: 0, faults: [] };
  const dice = new Dice(seed);
  const ledBy = ledIn(chain, inputOf);
  const everyWay = setups(chain, inputOf, dice).filter(([way]) => !isShared || way!.kind.isChanging !== true);
  // All of them take half a minute.
  const all = sampled(dice.shuffled([...requests(isShared ? [] : [...nine, ...strangeMethods])]), 3);
  const atOnce = isShared ? 1 : 4;
  for (let from = 0; from < all.length; from += atOnce) {
    const underWay = all.slice(from, from + atOnce).flatMap((asked, at) => {
      const shared = isShared ? inputOf(asked.method, asked.target) : null;
      return everyWay.map((ways, way) => {
        const setup = ways[(from + at + way) % ways.length]!;
        return { asked, setup, input: shared ?? inputOf(asked.method, asked.target) };
      });
    });
    const answers = dice.shuffled(underWay).map(({ asked, setup, input }) => {
      const ran = new Ran();
      setup.ran.set(input, ran);
      return { asked, setup, ran, outcome: outcomeOf(chain, setup.app.handle(input)) };
    });
    await Promise.all(answers.map(({ outcome }) => outcome));
    // What was passed on before the last may still be under way.
    await new Promise((resolve) => setImmediate(resolve));
    for (const { asked, setup, ran, outcome: answer } of answers) {
      const outcome = await answer;
      const expected = expectedOf(setup, asked, ledBy);
      findings.checks++;
      findings.reached += ran.admin;
      if (outcome === expected.outcome && `${ran}` === `${expected.ran}`) continue;
      const { method, target } = asked;
      findings.faults.push(
        `${method.slice(0, 20)} ${shown(target)} through ${setup.name}: ${outcome}, ${ran}; ` +
          `expected ${expected.outcome}, ${expected.ran}; seed ${seed}`,
      );
    }
  }
  return findings;
}

function ledIn(chain: Chain, inputOf: InputOf): (target: string) => Led {
  const Admin = resources["with methods"]!(chain, () => "");
  const group = chain.ResourceGroup.builder().resources(Admin).prefix("/admin").build();
  const app = chain.Application.builder()
    .resources(
      openTo(chain, () => {}),
      group,
    )
    .build();
  const known = new Map<string, Led>();
  return (target) => {
    let led = known.get(target);
    if (led === undefined) {
      const { resource, pattern, ...decision } = app.match(inputOf("GET", target));
      const status = decision.matched ? 200 : decision.status.status;
      known.set(target, (led = { owner: resource?.name ?? null, pattern: pattern?.source ?? "", status }));
    }
    return led;
  };
}

/** Every target, as middleware passes on other methods; and two targets by some methods. */
function* requests(methods: readonly string[]): Iterable<Asked> {
  for (const target of targets) yield { method: "GET", target };
  for (const target of longTargets.filter(({ length }) => length < 10_000)) yield { method: "GET", target };
  for (const target of ["/admin", "//admin"]) for (const method of methods) yield { method, target };
}
