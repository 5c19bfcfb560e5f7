import { OptionCheck } from "../../http/javascript/option-check.ts";
import { isSecret } from "../../http/javascript/text-signer.ts";
import { isSchema, type StandardSchema } from "../../json-schema/shape/standard-schema.ts";
import type { PageRules } from "./page-cursors.ts";

/** What pages of a collection take. */
export interface PagesByOptions {
  /** Number of items on a page if the client names no limit. Default: 20. */
  readonly limit?: number | undefined;
  /** Maximum number of items that a client may request; fingerpost answers more with 400. Default: 100. */
  readonly maxLimit?: number | undefined;
  /**
   * Sign cursors, so that no client makes one. The first signs, and all of them verify. Each has at least 32 bytes.
   * Default: cursors are not signed.
   */
  readonly secrets?: readonly string[] | undefined;
}

/** @throws {TypeError} when an option is wrong. */
export function pageRulesOf(
  name: string,
  options: PagesByOptions & { readonly by?: StandardSchema | undefined },
  known: readonly (keyof PagesByOptions | "by")[],
  by: StandardSchema | undefined = options?.by,
): PageRules {
  const check = new OptionCheck(name, options, known);
  const { limit = 20, maxLimit = 100, secrets = [] } = check.options;
  check.require(isSchema(by), "by", "the schema of the place where a page ends", by);
  check.positive("limit", "maxLimit");
  check.require(limit <= maxLimit, "limit", `at most maxLimit, ${maxLimit}`, limit);
  const areSecrets = Array.isArray(secrets) && secrets.every(isSecret);
  check.requireSecret(areSecrets, "secrets", "an array of strings of at least 32 bytes");
  return { by: by!, limit, maxLimit, secrets };
}
