import fc from "fast-check";
import { Attribute, HTTPError, Middleware, ResourceGroup } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it } from "vitest";
import { chains, type Handled } from "../support/chains.ts";
import { runs } from "./runs.ts";

/** What middleware does with a request, in this order. */
type Step = "await" | "copy" | "copy without params";

const steps = fc.array(fc.constantFrom<Step>("await", "copy", "copy without params"), {
  maxLength: 3,
});

const requests = fc.array(
  fc.record({
    path: fc.constantFrom("/items/1", "/items/2", "/items/3", "/other/4", "/free", "/nothing", "/items/%ff"),
    outer: steps,
    inner: steps,
  }),
  { minLength: 2, maxLength: 8 },
);

describe.each(chains)("requests under way at once through $name", ({ Application, Resource }) => {
  it("have params, attributes and guards of their own, in whatever order their promises settle", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), requests, async (scheduler, asked) => {
        const owner = new Attribute<number>("owner");
        const guarded = new Map<number, number>();
        const plans = new Map<string, readonly Step[]>();
        const turn = (label: string): Promise<unknown> => scheduler.schedule(Promise.resolve(), label);
        const planOf = (input: Handled, level: string): readonly Step[] =>
          plans.get(
            `${level} ${input.params?.queryParam("n") ?? new URL(input.url, "http://h").searchParams.get("n")}`,
          )!;

        const through = (level: string) =>
          class extends Middleware {
            async ALL(input: Handled): Promise<unknown> {
              let passed: unknown = input;
              for (const step of planOf(input, level)) {
                if (step === "await") await turn(level);
                const { url, method, params } = input;
                if (step === "copy") passed = { url, method, params };
                if (step === "copy without params") passed = { url, method };
              }
              return this.next(input, passed);
            }
          };
        class Guard extends Middleware {
          async ALL(input: Handled): Promise<unknown> {
            const number = Number(input.params.queryParam("n"));
            guarded.set(number, (guarded.get(number) ?? 0) + 1);
            await turn("guard");
            owner.set(input, number);
            return this.next(input);
          }
        }
        class Item extends Resource {
          paths = ["/items/:id", "/other/:id"];
          async GET(input: Handled): Promise<unknown> {
            const before = [input.params.pathParam("id"), input.params.queryParam("n"), owner.get(input)];
            await turn("handler");
            expect([input.params.pathParam("id"), input.params.queryParam("n"), owner.get(input)]).toEqual(before);
            return before;
          }
        }
        class Free extends Resource {
          paths = ["/free"];
          async GET(input: Handled): Promise<unknown> {
            await turn("free");
            return ["free", input.params.queryParam("n")];
          }
        }
        const group = ResourceGroup.builder().resources(Item).middleware(through("inner"), Guard).build();
        const app = Application.builder().resources(group, Free).middleware(through("outer")).build();

        const answers = asked.map(async ({ path, outer, inner }, n) => {
          plans.set(`outer ${n}`, outer).set(`inner ${n}`, inner);
          await turn("start");
          try {
            return await app.handle({ url: `${path}?n=${n}`, method: "GET" });
          } catch (error) {
            if (error instanceof HTTPError) return error.status;
            throw error;
          }
        });
        await scheduler.waitFor(Promise.allSettled(answers));
        for (const [n, { path }] of asked.entries()) {
          const answer = await answers[n];
          const [, id] = /^\/(?:items|other)\/(.*)$/.exec(path) ?? [];
          if (path === "/nothing") expect(answer).toBe(404);
          else if (path === "/free") expect(answer).toEqual(["free", String(n)]);
          else if (id === "%ff") expect(answer).toBe(400);
          else expect(answer).toEqual([id, String(n), n]);
          expect(guarded.get(n) ?? 0).toBe(id === undefined ? 0 : 1);
        }
      }),
      runs(150),
    );
  });

  it("replace params of one input that is handled several times, and mix up nothing else", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 6 }), async (scheduler, times) => {
        class Pass extends Middleware {
          async ALL(input: Handled): Promise<unknown> {
            await scheduler.schedule(Promise.resolve());
            return this.next(input);
          }
        }
        const applicationWith = (pattern: string) => {
          class Item extends Resource {
            paths = [pattern];
            async GET({ params }: Handled): Promise<unknown> {
              const first = params.pattern;
              await scheduler.schedule(Promise.resolve());
              return [first, params.pattern];
            }
          }
          return Application.builder()
            .resources(ResourceGroup.builder().resources(Item).middleware(Pass).build())
            .build();
        };
        const apps = [applicationWith("/:a"), applicationWith("/:b*")];
        const input = { url: "/x", method: "GET" };
        const answers = Array.from({ length: times }, (_, at) => apps[at % 2]!.handle(input));
        await scheduler.waitFor(Promise.allSettled(answers));
        for (const answer of answers) {
          const [first, second] = (await answer) as string[];
          expect(first).toBe(second);
          expect(["/:a", "/:b*"]).toContain(first);
        }
      }),
      runs(60),
    );
  });
});
