import { describe, expect, it } from "vitest";
import { z } from "zod";
import { Conversions } from "../../json-schema/library/conversions.ts";
import { answersOf, isStatus } from "./answer-model.ts";

describe("answersOf()", () => {
  it("reads texts, schemas and objects by status, and nothing of a member that is undefined", () => {
    const declared = { summary: "A book", 200: z.string(), 204: "None", 404: undefined, 410: { description: "Gone" } };
    const answers = answersOf(declared as never, new Conversions());
    expect([...answers].map(([status, { description, media }]) => [status, description, media.length])).toEqual([
      [200, null, 1],
      [204, "None", 0],
      [410, "Gone", 0],
    ]);
  });

  it("has problem details for statuses from 400 on that declare no content", () => {
    const answers = answersOf({ 204: "None", 303: "There", 400: "Bad", 404: z.string() }, new Conversions());
    expect([...answers.values()].filter(({ isProblem }) => isProblem).map(({ status }) => status)).toEqual([400]);
  });
});

describe("isStatus()", () => {
  it("knows a status code by the whole of a name", () => {
    expect(["101", "200", "599"].filter(isStatus)).toEqual(["101", "200", "599"]);
    expect(["100", "1200", "2000", "600", "x200", "20"].filter(isStatus)).toEqual([]);
  });
});
