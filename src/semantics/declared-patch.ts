import { described } from "../http/javascript/described.ts";
import type { JsonSchema } from "../json-schema/shape/json-schema.ts";
import { mergePatchSchemaOf } from "../json-schema/shape/merge-patch-schema.ts";
import { jsonSchemaOf, type StandardSchema } from "../json-schema/shape/standard-schema.ts";
import type { DeclaredContent, Operation } from "./declaration/operation.ts";
import type { OwnMember, PatchOperation } from "./declaration/patch-content.ts";
import { madePlan } from "./line/made-plan.ts";
import { patchHandler } from "./line/patch-handler.ts";
import type { Plan } from "./line/plan.ts";
import { isStatus } from "./operation/answer-model.ts";
import { mediaOf } from "./operation/media.ts";
import { checkPatch } from "./operation/patch-check.ts";
import { makePatch, type PatchMaking } from "./operation/patch-making.ts";
import { ReadOnlyMembers } from "../json-schema/library/read-only-members.ts";

/** The members of PUT that say something of PUT alone. */
const ownMembers: ReadonlySet<string> = new Set<OwnMember>([
  "id",
  "summary",
  "description",
  "examples",
  "content",
  "tool",
  "idempotency",
]);

/**
 * Adds PATCH to a class that has GET and PUT. It patches the JSON that GET sends, checks the result with the schema of
 * PUT, and runs PUT. The class has no method `PATCH`, and a `validator()` whose tag changes with each change.
 *
 * Clients send a JSON Merge Patch (RFC 7396) or a JSON Patch (RFC 6902). Members that GET sends and PUT does not take
 * are read-only: a patch that changes one gets 422.
 *
 * With `If-Match`, a change in between gets 412. Without it the patch is applied to the new state, at most three times.
 *
 * @param get the declaration of GET: `this.GET`.
 * @param put the declaration of PUT: `this.PUT`.
 * @throws {TypeError} when one of them is not a declaration.
 * @example
 * ```ts
 * import { patch } from "fingerpost";
 *
 * const book = z.object({ title: z.string(), pages: z.int().optional() });
 * let stored: z.infer<typeof book> = { title: "Emma", pages: 1036 };
 * let version = 1;
 *
 * class Book extends Resource {
 *   paths = ["/book"] as const;
 *
 *   validator() {
 *     return { etag: `"${version}"` };
 *   }
 *
 *   static GET = { 200: book };
 *   GET() {
 *     return stored;
 *   }
 *
 *   static PUT = { content: book, 200: book };
 *   PUT({ content }: Call<typeof Book, "PUT">) {
 *     version++;
 *     return (stored = content);
 *   }
 *
 *   static PATCH = patch(this.GET, this.PUT);
 * }
 * const app = Application.builder().resources(Book).build();
 * const response = await app.request("/book", {
 *   method: "PATCH",
 *   headers: { "content-type": "application/merge-patch+json" },
 *   body: JSON.stringify({ pages: null }),
 * });
 * console.log(await response.text()); // {"title":"Emma"}
 * ```
 */
export function patch<const Get extends object, const Put extends object>(
  get: Get,
  put: Put,
): PatchOperation<Get, Put> {
  for (const [name, declaration] of Object.entries({ GET: get, PUT: put })) {
    if (typeof declaration === "object" && (declaration as unknown) !== null) continue;
    throw new TypeError(
      `Cannot call patch(): expected the declaration of ${name}, got ${described(declaration)}; write ` +
        "patch(this.GET, this.PUT) below both",
    );
  }
  const errors = Object.entries(get).filter(([member]) => isStatus(member) && Number(member) >= 400);
  const ofPut = Object.entries(put).filter(([member]) => !ownMembers.has(member));
  return {
    409: "The patch does not apply to what is there",
    ...Object.fromEntries(errors),
    ...Object.fromEntries(ofPut),
    content: {
      "application/merge-patch+json": patchSchema(() => mergePatchesOf((put as Operation).content!)),
      "application/json-patch+json": jsonPatches,
    },
    "~patch": making,
  } as unknown as PatchOperation<Get, Put>;
}

/** A schema of patches: whether a value is one is said when it is applied, by 400. */
function patchSchema(shown: () => JsonSchema): StandardSchema {
  const converted = (): Record<string, unknown> => ({ ...shown() });
  return {
    "~standard": {
      version: 1,
      vendor: "fingerpost",
      // There is no patch of no bytes.
      validate: (value) => (value === undefined ? { issues: [{ message: "Expected a patch" }] } : { value }),
      jsonSchema: { input: converted, output: converted },
    },
  };
}

const pointer = { type: "string", pattern: "^(/([^~/]|~[01])*)*$" };
const jsonPatches = patchSchema(() => ({
  type: "array",
  description: "Operations, one after another (RFC 6902): all of them are applied, or none",
  items: {
    type: "object",
    properties: {
      op: { enum: ["add", "remove", "replace", "move", "copy", "test"] },
      path: pointer,
      from: pointer,
      value: {},
    },
    required: ["op", "path"],
  },
}));

function mergePatchesOf(content: DeclaredContent): JsonSchema {
  const medium = mediaOf(content).find(({ isJson, schema }) => isJson && schema !== null);
  const shown = mergePatchSchemaOf((medium && jsonSchemaOf(medium.schema!, "input")) ?? { type: "object" });
  return { ...shown, description: "The members to set (RFC 7396); null removes one" };
}

const making: PatchMaking = (models, conversions) => {
  const { medium, shown } = checkPatch(models, conversions);
  const handler = patchHandler(medium, new ReadOnlyMembers(shown));
  makePatch(models, (plan, mounted, dispatcher) => madePlan(handler, plan as Plan, mounted, dispatcher));
};
