import { describe, expect, it } from "vitest";
import { conditional } from "./conditional.ts";
import { csrf } from "./csrf.ts";
import { negotiate } from "./negotiate.ts";

type Answering = { answers(method: string, resource: object): Readonly<Record<number, string>> };

/** The statuses that a middleware adds to a document, for a method. */
function statusesOf(Class: unknown, method: string, resource: object = {}): number[] {
  return Object.keys((Class as Answering).answers(method, resource)).map(Number);
}

describe("what middleware says of its answers, for documents", () => {
  it("C10.2 csrf() refuses methods that change something", () => {
    expect(statusesOf(csrf(), "GET")).toEqual([]);
    expect(statusesOf(csrf(), "POST")).toEqual([403]);
  });

  it("C10.2 conditional() answers 304 to what reads, and 428 where a precondition is required", () => {
    const Conditional = conditional({ requiredMethods: ["PUT"] });
    const methods = ["GET", "HEAD", "PUT", "PATCH", "OPTIONS"];
    expect(methods.map((method) => statusesOf(Conditional, method))).toEqual([
      [304, 412],
      [304, 412],
      [412, 428],
      [412],
      [],
    ]);
  });

  it("C10.2 negotiate() answers 406 and 415 where it has something to choose from", () => {
    expect(statusesOf(negotiate(), "GET")).toEqual([]);
    const Negotiate = negotiate({ produces: ["text/html"], codings: ["gzip"], consumes: ["application/json"] });
    expect(statusesOf(Negotiate, "GET")).toEqual([406, 415]);
    expect(statusesOf(Negotiate, "OPTIONS")).toEqual([]);
    expect(statusesOf(negotiate({ codings: ["gzip"] }), "GET")).toEqual([406]);
    expect(statusesOf(negotiate({ consumes: ["application/json"] }), "POST")).toEqual([415]);
  });
});
