import { describe, expect, it } from "vitest";
import { reply } from "../declaration/reply.ts";
import { OpenedValues } from "./opened-values.ts";

describe("OpenedValues", () => {
  const refused = reply(404);

  it("takes a reply that ends the iterator at once for the answer, and one among the values for a value", async () => {
    const ended = new OpenedValues({ next: async () => ({ done: true, value: refused }) }, "GET of Books");
    expect(await ended.open()).toBe(refused);
    const yielding = new OpenedValues({ next: async () => ({ done: false, value: refused }) }, "GET of Books");
    expect(await yielding.open()).toBe(yielding);
    for (let times = 0; times < 2; times++) expect(await yielding.next()).toEqual({ done: false, value: refused });
  });

  it("leaves the iterator once", async () => {
    let left = 0;
    const values = new OpenedValues(
      {
        next: async () => ({ done: false, value: 1 }),
        return: async (value: unknown) => {
          left++;
          return { done: true, value };
        },
      },
      "GET of Books",
    );
    for (let times = 0; times < 2; times++)
      expect(await values.return()).toStrictEqual({ done: true, value: undefined });
    expect(left).toBe(1);
  });

  it("leaves an iterator that cannot be left", async () => {
    const values = new OpenedValues({ next: async () => ({ done: false, value: 1 }) }, "GET of Books");
    expect(await values.return()).toStrictEqual({ done: true, value: undefined });
  });
});
