/*
 * What an attacker can do who managed to write to `Object.prototype`, as faults of other packages let them: nothing
 * here. For any copy of the package; `scripts/check/hardened-node.js` runs it on what is packed.
 */
import { outcomeOf, requestOf, type Builder, type Chain, type Chains, type Handled } from "./chain.ts";

const requests = [
  ...(
    "/ /admin /admin/7?q=1&__proto__=2 /admin/7/x/y /%61dmin/%37 //admin /x/../admin /open /open/a.txt /v1-x.json " +
    "/n/42"
  ).split(" "),
  ..."/n/x /e/1/e/x /files/ /nothing /admin/%ff http://[::1/ http://h/admin * /throws /refuses".split(" "),
  `/${"x".repeat(9000)}`,
]
  .map((target) => ({ method: "GET", target }))
  .concat(["POST", "PURGE", "constructor"].map((method) => ({ method, target: "/admin/7" })));
const inputs = requests.map(({ method, target }) => {
  const request = requestOf(method, target);
  return { request, context: { url: target, method, request: {}, response: {} } as unknown as Handled };
});

/** All that comes of building an application and of sending it requests, as text. */
export async function digestOf({ native, polyfill }: Chains): Promise<string> {
  const lines: string[] = [];
  const builder = native.Application.builder();
  builder.onError(() => {});
  const ofNative = fill(native, builder, lines).build();
  const ofPolyfill = fill(polyfill, polyfill.Application.builder(), lines).build();
  for (const [app, chain, kind] of [
    [ofNative, native, "request"],
    [ofPolyfill, polyfill, "context"],
  ] as const) {
    lines.push(JSON.stringify(app.resources), refusalsOf(chain));
    for (const [index, input] of inputs.entries()) {
      const { method, target } = requests[index]!;
      const outcome = await outcomeOf(chain, app.handle(input[kind]));
      const { matched, resource, pattern } = { resource: null, pattern: null, ...app.match(input[kind]) };
      lines.push(`${method} ${target.slice(0, 40)}: ${outcome} ${matched} ${resource?.name} ${pattern?.source}`);
    }
  }
  for (const { request } of inputs.slice(-8)) {
    const response = await ofNative.fetch(request as never);
    lines.push(`${response.status} ${response.headers.get("content-type")} ${await response.text()}`);
  }
  return lines.join("\n");
}

function fill<B extends Builder>(chain: Chain, builder: B, lines: string[]): B {
  const { Resource, ResourceGroup, Middleware, HTTPError, Status, Attribute } = chain;
  const user = new Attribute<string>("user");
  class Guard extends Middleware {
    ALL(input: Handled): unknown {
      lines.push(`guard ${input.method}`);
      user.set(input, "Ada");
      return this.next(input);
    }
  }
  class Stamp extends Middleware {
    PUT(input: Handled): unknown {
      return this.next(input);
    }
  }
  class Admin extends Resource {
    paths = ["/", "/:id", "/:id/*"];
    GET(input: Handled): unknown {
      const { params } = input;
      const values = ["id", "0", "constructor", "polluted"].map((name) => params.pathParam(name));
      return (
        `admin ${values.join()} ${params.queryParam("q")} ${params.queryParams("polluted").length} ` +
        `${user.get(input)}`
      );
    }
  }
  class Open extends Resource {
    paths = ["/open", "/(open/.+\\.txt)", "/v:a-:b.json", "/n/:n(\\d+)", "/n/:word", "/e/:a?/:b?/:c?", "/files/*"];
    GET({ params }: Handled): unknown {
      return `open ${params.pattern} ${["0", "a", "b", "c", "n", "word"].map((name) => params.pathParam(name)).join()}`;
    }
  }
  class Failing extends Resource {
    paths = ["/throws", "/refuses"];
    GET({ params }: Handled): unknown {
      if (params.pattern === "/throws") throw new HTTPError(Status.TooManyRequests, undefined, { headers: { a: "b" } });
      throw new HTTPError(Status.Conflict, "Taken");
    }
  }
  class Hidden extends Resource {}
  const group = ResourceGroup.builder().resources(Admin).prefix("/admin").middleware(Guard, Stamp).build();
  return builder.resources(group, Open, Failing, Hidden).middleware(Stamp);
}

function refusalsOf({ Application, Resource, HTTPError, Status }: Chain): string {
  const messages: string[] = [];
  const attempt = (run: () => unknown): void => {
    try {
      messages.push(`accepted ${typeof run()}`);
    } catch (error) {
      messages.push(String(error));
    }
  };
  for (const path of ["/:", "/(a", "/:a/:a", "/a?", 5, "/:a?/b", "x", "/((?<n>a)\\k<n>)"]) {
    class Bad extends Resource {
      paths = [path as string];
    }
    attempt(() => Application.builder().resources(Bad).build());
  }
  attempt(() => Application.builder().resources({}));
  attempt(() => new HTTPError({} as never));
  attempt(() => new HTTPError(Status.NotFound).headers.get("polluted"));
  return messages.join("\n");
}

/** With these on all objects no program runs at all: promises, iterators, property descriptors, JSON. */
const ofTheLanguage = new Set([
  "then",
  "get",
  "set",
  "value",
  "writable",
  "enumerable",
  "configurable",
  "toJSON",
  "return",
  "throw",
]);

/** What is put on all objects. */
export const payloads: Readonly<Record<string, unknown>> = {
  text: "polluted",
  "an object": { polluted: "polluted" },
  "a function": (): string => "polluted",
  "a list": ["polluted"],
  "a number": 1,
  true: true,
};

/**
 * Puts names on all objects, some at a time, and compares what comes of it all with what comes of it otherwise.
 *
 * @param digest gives what comes of it all, as text; it is called again each time.
 */
export async function pollutionFaults(
  names: readonly string[],
  kinds: readonly string[],
  digest: () => Promise<string>,
): Promise<string[]> {
  const usable = names.filter((name) => !(name in Object.prototype) && !ofTheLanguage.has(name));
  const expected = await digest();
  const faults: string[] = [];
  const search = async (some: readonly string[], kind: string): Promise<void> => {
    const found = await polluted(some, payloads[kind], digest);
    if (found === expected) return;
    if (some.length === 1) faults.push(`${some[0]} as ${kind}: ${firstDifference(found, expected)}`);
    else for (const half of halvesOf(some)) await search(half, kind);
  };
  // PERF: whatever is put on Object.prototype has V8 throw away its optimized code, so that few large steps are fast.
  const count = Math.ceil(usable.length / 128);
  const neighbors = Array.from({ length: count }, (_, index) => usable.slice(128 * index, 128 * (index + 1)));
  // Names that stand together in the sources may hide each other: each is tried among others, too.
  const strangers = neighbors.map((_, index) => usable.filter((_name, at) => at % count === index));
  for (const kind of kinds) for (const some of [...neighbors, ...strangers]) await search(some, kind);
  return [...new Set(faults)];
}

async function polluted(names: readonly string[], value: unknown, run: () => Promise<string>): Promise<string> {
  for (const name of names) {
    // oxlint-disable-next-line no-extend-native -- the subject of this test
    Object.defineProperty(Object.prototype, name, { value, writable: true, configurable: true, enumerable: true });
  }
  try {
    return await run();
  } catch (error) {
    return String((error as Error).stack);
  } finally {
    for (const name of names) delete (Object.prototype as Record<string, unknown>)[name];
  }
}

function halvesOf<E>(list: readonly E[]): E[][] {
  const middle = list.length >> 1;
  return [list.slice(0, middle), list.slice(middle)];
}

function firstDifference(digest: string, expected: string): string {
  const lines = expected.split("\n");
  const at = digest.split("\n").findIndex((line, index) => line !== lines[index]);
  return `${digest.split("\n")[at]?.slice(0, 300)}; expected ${lines[at]?.slice(0, 300)}`;
}

/** Node makes streams of content from an object, and reads `cancel` of it: nobody can answer with that in place. */
const ofNode: ReadonlySet<string> = new Set(["cancel"]);

/**
 * The names that a source reads from objects, takes apart or looks for, without those that break the platform by
 * themselves.
 */
export function propertiesIn(source: string): string[] {
  const code = source.replace(/\/\*[^]*?\*\/|\/\/.*/g, "");
  const found = code.match(/(?<=\.)[A-Za-z_$][\w$]*|\b\w+(?=\??:)|(?<=[{,] )[a-z]\w*(?=,| })|(?<=")[A-Za-z]+(?=")/g);
  return [...new Set(found)].filter((name) => !ofNode.has(name));
}
