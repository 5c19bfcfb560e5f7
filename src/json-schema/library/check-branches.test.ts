import { expect, it } from "vitest";
import { withBranches } from "./check-branches.ts";

it("keeps issues at the place of a union that are of none of its branches, before that of the union", () => {
  const other = { keyword: "minProperties", schemaPath: "#/properties/a/minProperties", instancePath: "/a" };
  const union = { keyword: "anyOf", schemaPath: "#/properties/a/anyOf", instancePath: "/a" };
  expect(withBranches([other, union], {})).toEqual([other, union]);
});
