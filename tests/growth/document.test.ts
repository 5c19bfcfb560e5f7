import { Application, Resource } from "fingerpost";
import { document } from "fingerpost/openapi";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { CostMeter } from "./cost.ts";

/** Two operations a class: params, a query, content by a component and one of its own, and errors. */
function applicationOf(operations: number): ReturnType<ReturnType<typeof Application.builder>["build"]> {
  const author = z.object({ name: z.string() }).meta({ id: "Author" });
  const classes = Array.from({ length: operations / 2 }, (_, n) => {
    const thing = z.object({ id: z.string(), n: z.int().default(0), author }).meta({ id: `Thing${n}` });
    const Thing = class extends Resource {
      override paths = [`/things${n}/:id`];
      static GET = { query: z.object({ limit: z.int().optional(), q: z.string() }), 200: z.array(thing), 404: "None" };
      override GET = (): unknown => [];
      static PUT = { content: thing, 200: thing, 409: z.object({ taken: z.boolean() }) };
      override PUT = (): unknown => null;
    };
    return Object.defineProperty(Thing, "name", { value: `Thing${n}` });
  });
  return Application.builder()
    .resources(...(classes as never[]))
    .build();
}

const meter = new CostMeter();
beforeAll(() => meter.start());
afterAll(() => meter.stop());

it("writes a document in proportion to its operations, up to 600", async () => {
  const costs: number[] = [];
  for (const operations of [150, 300, 600]) {
    const app = applicationOf(operations);
    await meter.reset();
    let paths = {};
    const cost = await meter.costOf(() => ({ paths } = document(app, { title: "Things", version: "1" })));
    expect(Object.keys(paths)).toHaveLength(operations / 2);
    costs.push(cost / operations);
  }
  const [least, half, most] = costs as [number, number, number];
  expect(half).toBeLessThan(least * 1.1);
  expect(most).toBeLessThan(least * 1.1);
});
