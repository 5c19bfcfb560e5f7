import { inspect } from "node:util";
import { expect, it } from "vitest";
import type { OperationModel } from "../operation/operation-model.ts";
import { undeclaredPart } from "./undeclared-part.ts";

const model = { method: "PUT", mounted: { name: "Book" } } as unknown as OperationModel;
const cannot = "Cannot read query of the call of Book: static PUT does not declare it; write static PUT = { query: … }";

it.each<[string, (part: Record<string, unknown>) => unknown]>([
  ["a member", (part) => part["page"]],
  ["a name", (part) => "page" in part],
  ["its names", (part) => ({ ...part })],
  ["its items", (part) => [...(part as never as [])]],
  ["its text", (part) => String(part)],
])("whoever reads %s of a part that is not declared is told to declare it", (_, read) => {
  expect(() => read(undeclaredPart("query", model) as Record<string, unknown>)).toThrow(new TypeError(cannot));
});

it("names page() for page", () => {
  expect(() => (undeclaredPart("page", model) as { after: unknown }).after).toThrow(
    "write static PUT = { 200: page(…) }",
  );
});

it("can be awaited, logged and written as JSON", async () => {
  const part = undeclaredPart("content", model);
  expect(inspect(part)).toBe("{}");
  expect(await Promise.resolve(part)).toBe(part);
  expect(JSON.stringify({ part })).toBe("{}");
  expect(Object.prototype.toString.call(part)).toBe("[object Object]");
});
