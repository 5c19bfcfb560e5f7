import type { StandardSchema } from "../shape/standard-schema.ts";
import { Conversions } from "./conversions.ts";

/**
 * Refuses the place of a page that no cursor holds: a cursor is JSON.
 * @throws {TypeError} when it is a date or a bigint.
 */
export function checkPlace(name: string, by: StandardSchema): void {
  if (new Conversions().instanceIn(by) === undefined) return;
  throw new TypeError(
    `Cannot call ${name}(): its option "by" has a date or a bigint, which no cursor holds; write a schema that reads ` +
      "JSON, such as z.coerce.date()",
  );
}
