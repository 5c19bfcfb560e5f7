import { everything, type JsonSchema } from "../../json-schema/shape/json-schema.ts";
import { schemaMembersOf } from "../../json-schema/shape/schema-members.ts";
import type { Operation } from "../declaration/operation.ts";
import type { Conversions } from "../../json-schema/library/conversions.ts";
import { isStatus } from "./answer-model.ts";
import type { RequestMedium } from "./input-model.ts";
import type { Media } from "./media.ts";
import type { OperationModel } from "./operation-model.ts";

/**
 * Refuses a class in which PATCH cannot be made of GET and PUT.
 * @returns the JSON that PUT takes.
 * @throws {TypeError} which says what to write.
 */
export function checkPatch(
  models: ReadonlyMap<string, OperationModel>,
  conversions: Conversions,
): { readonly medium: RequestMedium; readonly shown: JsonSchema } {
  const patched = models.get("PATCH")!;
  const cannot = `Cannot add ${patched.mounted.name} to the application: static ${patched.method}`;
  if (!patched.isOnLine) {
    throw new TypeError(`${cannot} is made by patch(), which its module cannot do; write PATCH(request) { … }`);
  }
  const [get, put] = ["GET", "PUT"].map((method) => {
    const model = models.get(method);
    if (model?.isDeclared !== true) {
      throw new TypeError(
        `${cannot} is made by patch(), and the class declares no ${method}; declare static ${method}`,
      );
    }
    const parts = ["query", "headers", "cookies"] as const;
    const part = parts.find((name) => Number(model[name]?.required.length) > 0);
    if (part === undefined) return model;
    throw new TypeError(
      `${cannot} is made by patch(), and ${method} requires ${part}, which a patch lacks; make each member optional`,
    );
  }) as [OperationModel, OperationModel];
  if (!patched.hasValidator) {
    throw new TypeError(
      `${cannot} is made by patch(), which would lose changes without a validator; write validator(call) { … }`,
    );
  }
  if (patched.isOnce || put.declaration.idempotency === true) {
    throw new TypeError(
      `${cannot} is made by patch(), which takes no Idempotency-Key; leave out idempotency, or write PATCH(call) { … }`,
    );
  }
  if (!get.answers.get(200)?.media.some(isJsonMedium)) {
    throw new TypeError(`${cannot} is made by patch(), and 200 of GET is not JSON; write PATCH(call) { … }`);
  }
  // A patch of one page would replace the whole collection by it.
  if (get.page !== null) {
    throw new TypeError(
      `${cannot} is made by patch(), and 200 of GET is a page of what there is; write PATCH(call) { … }`,
    );
  }
  const { GET, PATCH } = get.mounted.resource.constructor as unknown as Readonly<Record<string, Operation>>;
  for (const [status, answer] of Object.entries(Object(GET) as Operation)) {
    if (!isStatus(status) || Number(status) < 400) continue;
    const other: unknown = (PATCH as Readonly<Record<string, unknown>>)[status];
    if (other === answer || (typeof other === "string" && typeof answer === "string")) continue;
    throw new TypeError(
      `${cannot} is made by patch(), and answers ${status} otherwise than GET; declare the same for GET and PUT`,
    );
  }
  const medium = put.content?.media.find(isJsonMedium);
  const shown = medium && conversions.shown(medium.schema!, "input");
  if (schemaMembersOf(shown, shown ?? everything).named.size === 0) {
    throw new TypeError(
      `${cannot} is made by patch(), and the content of PUT names no members of JSON; write the schema of an object`,
    );
  }
  return { medium: medium!, shown: shown! };
}

function isJsonMedium({ isJson, schema }: Pick<Media, "isJson" | "schema">): boolean {
  return isJson && schema !== null;
}
