import { validate } from "@readme/openapi-parser";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect } from "vitest";

/** PERF: to make one takes 150 ms, and to ask it 18. */
const validator = new Validator();

/** Asks two validators of others about a document. One does not know OpenAPI 3.2. */
export async function expectValid(document: { readonly openapi: string }): Promise<void> {
  const written = JSON.stringify(document);
  expect(await validator.validate(JSON.parse(written)), written).toEqual({ valid: true });
  if (document.openapi.startsWith("3.1"))
    expect(await validate(JSON.parse(written)), written).toMatchObject({ valid: true });
}
