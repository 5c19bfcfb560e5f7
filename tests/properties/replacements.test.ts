import {
  Application,
  HTTPError,
  Middleware,
  Resource,
  ResourceGroup,
  Status,
} from "fingerpost/modules/http.polyfill.js";
import * as native from "fingerpost/modules/http.native.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Handled } from "../support/chains.ts";
import { holds, runs, timeout } from "./runs.ts";

/** An input with the name of the request that it is for, which middleware takes along by hand. */
type Named = Handled & { readonly name: string };
type MiddlewareClass = new () => Middleware;

const answer = ({ name, url, method, params }: Named): unknown => {
  const { pattern } = params;
  return [name, method, pattern, pattern.includes(":") ? url.replace(pattern.replace(":id", ""), "") : "none"];
};

class Note extends Resource {
  override paths = ["/notes/:id", "/notes"];
  override GET = answer;
  override DELETE = answer;
}
class Stats extends Resource {
  override paths = ["/stats/:id", "/stats"];
  override GET = answer;
}

const sameWith = (): undefined => undefined;
const copyWith = (input: Named): Named => ({ ...input });
const freshWith = ({ name, url, method }: Named): Named => ({ name, url, method }) as Named;

/** Middleware by the replacement that it passes on. */
const kinds: Readonly<Record<string, () => MiddlewareClass>> = {
  same: () => passing(sameWith, false),
  copy: () => passing(copyWith, false),
  fresh: () => passing(freshWith, false),
  "same, late": () => passing(sameWith, true),
  "copy, late": () => passing(copyWith, true),
  "fresh, late": () => passing(freshWith, true),
  "same, from a queue": () => queue(sameWith),
  "copy, from a queue": () => queue(copyWith),
  "fresh, from a queue": () => queue(freshWith),
};

/**
 * Middleware that puts the name into the fields for errors, and passes on what `make` makes of an input, twice if late.
 */
function passing(make: (input: Named) => Named | undefined, isLate: boolean): MiddlewareClass {
  return class extends Middleware {
    override async ALL(input: Named): Promise<unknown> {
      const fields = this.errorHeaders(input);
      fields.append("x-names", input.name);
      left.set(input.name, fields);
      if (isLate) await Promise.resolve();
      const other = make(input);
      const first = this.next(input, other);
      return isLate ? (await first) && this.next(input, other) : first;
    }
  };
}

/**
 * Middleware that holds inputs until three have come or nothing else happens, and then passes on all within one call.
 */
function queue(make: (input: Named) => Named | undefined): MiddlewareClass {
  const waiting: (() => void)[] = [];
  const release = (): void => {
    for (const goOn of waiting.splice(0)) goOn();
  };
  return class extends Middleware {
    override ALL(input: Named): unknown {
      return new Promise((resolve, reject) => {
        waiting.push(() => {
          new Promise((done) => done(this.next(input, make(input)))).then(resolve, reject);
        });
        if (waiting.length === 3) release();
        else setTimeout(release, 5);
      });
    }
  };
}

/** The fields for errors that middleware found, by the name of the request. */
const left = new Map<string, Headers>();

const stacks = fc.array(fc.constantFrom(...Object.keys(kinds)), { maxLength: 4 });
const requests = fc.array(
  fc.tuple(
    fc.constantFrom("/notes/1", "/notes/2", "/notes/3", "/notes", "/stats/1", "/stats", "/nowhere", "/nowhere/1"),
    fc.constantFrom("GET", "GET", "DELETE", "PURGE"),
  ),
  { minLength: 2, maxLength: 8 },
);

describe("replacements", () => {
  it("C5.5 C5.7 belong to the request that they were made for, however many are under way", { timeout }, async () => {
    await holds(
      fc.asyncProperty(stacks, stacks, requests, async (outer, inner, asked) => {
        const group = ResourceGroup.builder().resources(Note, Stats);
        const app = Application.builder()
          .resources(group.middleware(...inner.map((kind) => kinds[kind]!())).build())
          .middleware(...outer.map((kind) => kinds[kind]!()))
          .build();
        const lone = Application.builder().resources(Note, Stats).build();
        const inputs = asked.map(([url, method], at) => ({ url, method, name: `r${at}` }) as Named);
        left.clear();
        const outcomes = await Promise.all(inputs.map((input) => outcomeOf(app, input)));
        const expected = await Promise.all(inputs.map((input) => outcomeOf(lone, freshWith(input))));
        expect(outcomes).toEqual(expected);
        for (const input of inputs) {
          const names = left.get(input.name)?.get("x-names")?.split(", ") ?? [];
          expect(names.filter((name) => name !== input.name)).toEqual([]);
          if (outer.some((kind) => !kind.includes("queue"))) expect(names).not.toEqual([]);
        }
      }),
      runs / 10,
    );
  });
});

/**
 * How a middleware goes on: how many turns it waits before each `next()`, with a replacement or not, one after another
 * or at once.
 */
const going = fc.record({
  ways: fc.array(fc.record({ turns: fc.nat(3), isReplaced: fc.boolean() }), { minLength: 1, maxLength: 2 }),
  isAtOnce: fc.boolean(),
});
const goings = fc.array(going, { maxLength: 2 });
type Going = typeof going extends fc.Arbitrary<infer Value> ? Value : never;

function goingOn({ ways, isAtOnce }: Going): MiddlewareClass {
  return class extends Middleware {
    override async ALL(input: Named): Promise<unknown> {
      const all: Promise<unknown>[] = [];
      for (const { turns, isReplaced } of ways) {
        const run = wait(turns).then(() => this.next(input, isReplaced ? freshWith(input) : undefined));
        all.push(run);
        if (!isAtOnce) await run;
      }
      return (await Promise.all(all))[0];
    }
  };
}

async function wait(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await Promise.resolve();
}

function appOf(around: readonly Going[], inside: readonly Going[], ...resources: (new () => Resource)[]): Application {
  const group = ResourceGroup.builder()
    .resources(...resources)
    .middleware(...inside.map(goingOn));
  return Application.builder()
    .resources(group.build())
    .middleware(...around.map(goingOn))
    .build();
}

describe("one input", () => {
  it(
    "C5.5 goes on wherever it came in, be it many times at once, and through two applications",
    { timeout },
    async () => {
      const starts = fc.array(fc.nat(4), { minLength: 1, maxLength: 3 });
      await holds(
        fc.asyncProperty(goings, goings, goings, goings, starts, fc.boolean(), async (a, b, c, d, turns, isMounted) => {
          const inner = appOf(a, b, Note);
          class Mount extends Resource {
            override paths = ["/:path+"];
            override GET = (input: unknown): unknown => inner.handle(input);
          }
          const app = isMounted ? appOf(c, d, Mount) : inner;
          const input = { url: "/notes/1", method: "GET", name: "one" } as Named;
          const outcomes = await Promise.all(turns.map((start) => wait(start).then(() => outcomeOf(app, input))));
          expect(outcomes).toEqual(turns.map(() => ["one", "GET", "/notes/:id", "1"]));
        }),
        runs / 10,
      );
    },
  );
});

describe("a request that ends in an error", () => {
  /** Goes on with the input, with a new replacement each time, or with one and the same. */
  const ways = fc.record({
    replacements: fc.array(fc.constantFrom("none", "fresh", "kept"), { minLength: 1, maxLength: 2 }),
    isAtOnce: fc.boolean(),
  });
  const stack = fc.array(ways, { maxLength: 2 });
  type Ways = typeof ways extends fc.Arbitrary<infer Value> ? Value : never;

  const middlewareOf = ({ replacements, isAtOnce }: Ways): new () => native.Middleware =>
    class extends native.Middleware {
      override async ALL(input: Request): Promise<Response> {
        const kept = new Request(input.url);
        const all: Promise<Response>[] = [];
        for (const kind of replacements) {
          const other = kind === "kept" ? kept : new Request(input.url);
          const run = Promise.resolve(this.next(input, kind === "none" ? undefined : other));
          all.push(run);
          if (!isAtOnce) await run;
        }
        return (await Promise.all(all))[0]!;
      }
    };
  // Of an application within, what its middleware drops is left to it: it ends in no error.
  const onceOf = ({ replacements, isAtOnce }: Ways): Ways => ({ replacements: replacements.slice(0, 1), isAtOnce });
  class Conflicts extends native.Middleware {
    override async ALL(input: Request): Promise<Response> {
      await this.next(input);
      throw new HTTPError(Status.Conflict);
    }
  }

  it("C5.5 F12 has the content of each run canceled, be it through two applications", { timeout }, async () => {
    await holds(
      fc.asyncProperty(stack, stack, fc.boolean(), fc.boolean(), async (around, inside, isMounted, isFirst) => {
        let given = 0;
        let canceled = 0;
        class Long extends native.Resource {
          override paths = ["/long"];
          override GET(): Response {
            given++;
            return new Response(new ReadableStream({ cancel: () => void canceled++ }));
          }
        }
        const within = native.Application.builder()
          .resources(Long)
          .middleware(...inside.map((one) => middlewareOf(isMounted ? onceOf(one) : one)))
          .build();
        class Mount extends native.Resource {
          override paths = ["/long"];
          override GET = (input: Request): Promise<Response> => within.fetch(input);
        }
        const outer = around.map(middlewareOf);
        const app = native.Application.builder()
          .resources(isMounted ? Mount : Long)
          .middleware(...(isFirst ? [Conflicts, ...outer] : [...outer, Conflicts]))
          .build();
        const { status } = await app.fetch(new Request("http://h/long"));
        await new Promise((done) => setTimeout(done));
        expect([status, canceled]).toEqual([409, given]);
      }),
      runs / 10,
    );
  });
});

async function outcomeOf(app: Application, input: Named): Promise<unknown> {
  try {
    return await app.handle(input);
  } catch (error) {
    return error instanceof HTTPError ? error.status : error;
  }
}
