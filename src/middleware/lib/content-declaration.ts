import { isLanguageTag } from "../../fields/accept-language.ts";
import { parseMediaType, type MediaType } from "../../fields/media-type.ts";
import { isToken } from "../../fields/token.ts";
import { described, nameOf } from "../../http/javascript/described.ts";
import { propertiesOf } from "../../http/javascript/property.ts";
import type { OptionCheck } from "../../http/javascript/option-check.ts";

/**
 * The representations that a resource offers, and the content that it takes. A resource may have these as own
 * properties, which win over the options.
 */
export interface NegotiateOptions {
  /** The media types of its representations, the preferred one first. */
  readonly produces?: readonly string[] | undefined;
  /** The languages of its representations, as language tags, the preferred one first. */
  readonly languages?: readonly string[] | undefined;
  /**
   * The content codings of its representations, the preferred one first. `identity` is among them if there is one
   * without a coding.
   */
  readonly codings?: readonly string[] | undefined;
  /** The media types that it takes, or ranges of them, such as `image/*`. */
  readonly consumes?: readonly string[] | undefined;
}

const kinds = {
  produces: [(text: unknown) => mediaTypeOf(text)?.subtype.includes("*") === false, 'media types such as "text/html"'],
  languages: [isLanguageTag, 'language tags such as "en-GB"'],
  codings: [isToken, 'content codings such as "gzip"'],
  consumes: [(text: unknown) => mediaTypeOf(text) !== null, 'media types such as "text/html", or ranges of them'],
} as const;
/** The names of the declarable properties. */
export const declarable = Object.keys(kinds) as (keyof NegotiateOptions)[];

/** Refuses options that declare nothing, or declare an unknown property. */
export function checkDeclaration(check: OptionCheck<NegotiateOptions>): void {
  for (const name of declarable) {
    const [isMember, expected] = kinds[name as keyof typeof kinds];
    check.list(name, isMember, expected);
    check.require(check.options[name]?.length !== 0, name, "an array with members");
  }
}

/**
 * Reads the declarations that a resource makes by own properties. @throws {TypeError} when a declaration is empty or
 * unknown.
 */
export function readDeclaration(resource: object): NegotiateOptions {
  const own = propertiesOf(resource, declarable) as Readonly<Record<string, unknown>>;
  const declaration: Record<string, readonly string[]> = {};
  for (const [name, [isMember, expected]] of Object.entries(kinds)) {
    const list = own[name];
    if (list === undefined) continue;
    const wrong = Array.isArray(list) && list.length > 0 ? list.filter((member) => !isMember(member)) : [list];
    if (wrong.length > 0) {
      throw new TypeError(
        `Cannot negotiate for ${nameOf(resource.constructor)}: its "${name}" must be an array of ${expected}, got ` +
          `${described(wrong[0])}`,
      );
    }
    declaration[name] = [...(list as string[])];
  }
  return declaration;
}

function mediaTypeOf(text: unknown): MediaType | null {
  return typeof text === "string" ? parseMediaType(text) : null;
}
