import { refusal, type HTTPError } from "../../http/protocol/http-error.ts";
import type { Status } from "../../http/protocol/status.ts";
import { after } from "../../http/javascript/thenable.ts";
import { hasFallback } from "../../json-schema/shape/fallback-members.ts";
import type { StandardResult, StandardSchema } from "../../json-schema/shape/standard-schema.ts";
import { validated } from "../../json-schema/shape/validation.ts";
import type { PartModel } from "../operation/input-model.ts";
import { failuresOf, type Failure, type FailurePart } from "../../json-schema/library/issues.ts";
import type { TextValues } from "../../json-schema/text/text-values.ts";
import type { ReadContent } from "./read-content.ts";

/**
 * Returns the value that a schema makes of what was read. Returns a Promise if the schema is asynchronous. A member
 * that could not be read, and for which the schema has a fallback, is NaN: no type takes that.
 */
export function fitted(
  { schema }: Pick<PartModel, "schema">,
  { values, failures: all }: ReadContent,
  part: FailurePart,
  failures: Failure[],
): unknown {
  const unread = all.length === 0 ? all : unreadOf(schema, values as TextValues, all);
  const outcome = validated(schema, values);
  return after(outcome, valueOf, { schema, values, unread, part, failures });
}

/** What was read of one part, before its schema has answered. */
interface Fitting {
  readonly schema: StandardSchema;
  readonly values: unknown;
  readonly unread: ReadContent["failures"];
  readonly part: FailurePart;
  readonly failures: Failure[];
}

function valueOf(outcome: StandardResult<unknown>, { schema, values, unread, part, failures }: Fitting): unknown {
  if (outcome.issues === undefined && unread.length === 0) return outcome.value;
  const { vendor } = schema["~standard"];
  failures.push(...failuresOf(part, { vendor, schema, sent: values, issues: outcome.issues ?? [], unread }));
  return undefined;
}

/** Lists what could not be read, without the members for which the schema has a fallback. */
function unreadOf(schema: StandardSchema, values: TextValues, all: ReadContent["failures"]): ReadContent["failures"] {
  const unread = all.filter(({ path: [name] }) => !hasFallback(schema, String(name)));
  if (unread.length < all.length) {
    for (const { path } of all) if (!unread.some((one) => one.path[0] === path[0])) values[path[0]!] = Number.NaN;
  }
  return unread;
}

/** Makes the refusal of what does not fit, with a list of all faults. */
export function refusedFor(
  errors: readonly Failure[],
  status: (typeof Status)["BadRequest"] | (typeof Status)["UnprocessableContent"],
  detail: string,
): HTTPError {
  return Object.assign(refusal(status, detail), { errors });
}
