import { describe, expect, it } from "vitest";
import { finished, refusalAnswer } from "./carried-answer.ts";

const reader = {
  responseOf(): never {
    throw new Error("makes a response");
  },
};

describe("finished()", () => {
  it("throws the error of a refusal, be it undefined", () => {
    for (const error of [new Error("no"), undefined, null]) {
      let thrown: unknown = "nothing";
      try {
        finished(refusalAnswer(error), reader);
      } catch (fault) {
        thrown = fault;
      }
      expect(thrown).toBe(error);
    }
  });

  it("returns what is no answer as it is", () => {
    const response = new Response();
    expect([finished(response, reader), finished(5, reader)]).toEqual([response, 5]);
  });
});
