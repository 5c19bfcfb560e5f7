import { isPublic } from "../../fields/cache-control.ts";
import type { MountedResource } from "../../dispatch/mounted-resource.ts";
import type { Conversions } from "../../json-schema/library/conversions.ts";
import type { FixedField } from "../operation/answer-field.ts";
import { audienceFieldsOf } from "../operation/fixed-fields.ts";
import { noInput } from "../operation/input-model.ts";
import { askingOf, isPersonal, operationModelOf, type OperationModel } from "../operation/operation-model.ts";

/** A field as it is sent. */
export type Line = readonly [name: string, value: string];

/** How the answers of a read say for whom they are. */
export interface Audience {
  /** The fields of all answers but those that the line itself makes below 400. */
  readonly lines: readonly Line[];
  /** The same where a good answer may be shared. */
  readonly shared: readonly Line[];
  /** Whether an answer with such a `Cache-Control` may be shared: somebody has said so on purpose. */
  readonly mayShare: (cache: string) => boolean;
  /** What asks for credentials, by its name; null where nothing does, or all users get the same. */
  readonly asking: string | null;
}

export function audienceOf(model: OperationModel): Audience {
  const isForOne = isPersonal(model);
  return {
    lines: linesOf(audienceFieldsOf(model)),
    shared: linesOf(audienceFieldsOf(model, isForOne)),
    mayShare: () => !isForOne,
    asking: askingOf(model),
  };
}

/**
 * The audience of a resource that writes its fields itself: its guards decide. Its `public` is on purpose.
 * @throws what `static answers` of a middleware throws.
 */
export function nativeAudienceOf(mounted: MountedResource, conversions: Conversions): Audience {
  const model = operationModelOf(mounted, "GET", undefined, noInput, conversions);
  const lines = linesOf(audienceFieldsOf(model));
  return {
    lines,
    shared: lines,
    mayShare: isPublic,
    asking: null,
  };
}

export function linesOf(fields: readonly FixedField[]): Line[] {
  return fields.map(({ name, value }) => [name.toLowerCase(), value]);
}
