import { routedBy } from "../dispatch/input-exchange.ts";
import { Attribute } from "../application/attribute.ts";
import { Middleware, passing, type MiddlewareClass } from "../application/middleware.ts";
import { preferredMediaType } from "../fields/accept.ts";
import { preferredCoding } from "../fields/accept-encoding.ts";
import { preferredLanguage } from "../fields/accept-language.ts";
import { parseMediaType, specificityOf } from "../fields/media-type.ts";
import { ownOf } from "../http/javascript/property.ts";
import { refusal, type HTTPError } from "../http/protocol/http-error.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { Status } from "../http/protocol/status.ts";
import { checkDeclaration, declarable, readDeclaration, type NegotiateOptions } from "./lib/content-declaration.ts";
import { hasContent } from "../fields/request-content.ts";
import { requestField } from "../fields/request-fields.ts";
import { derivingType } from "./lib/deriving-type.ts";
import { answerWithFields, nextOf } from "./lib/response-fields.ts";

/** The chosen representation; `null` where nothing was offered. */
export interface Negotiated {
  /** The media type that was chosen of `produces`. */
  readonly mediaType: string | null;
  /** The language that was chosen of `languages`. */
  readonly language: string | null;
  /** The content coding that was chosen of `codings`. */
  readonly coding: string | null;
}

const negotiated = new Attribute<Negotiated>("negotiated representation");
const none: Negotiated = { mediaType: null, language: null, coding: null };

/**
 * Returns the representation that a client prefers, of those that are offered.
 *
 * @example
 * ```ts
 * class Report extends Resource {
 *   paths = ["/report"];
 *   produces = ["application/json", "text/csv"];
 *
 *   GET(request: Request): Response {
 *     return new Response(negotiatedOf(request).mediaType);
 *   }
 * }
 * const app = Application.builder().resources(Report).middleware(negotiate()).build();
 * const response = await app.request("/report", { headers: { Accept: "text/*" } });
 * console.log(await response.text()); // text/csv
 * ```
 */
export function negotiatedOf(input: object): Negotiated {
  return negotiated.find(input) ?? none;
}

/**
 * Makes middleware that chooses a representation for `negotiatedOf(input)` (RFC 9110 §12.1). It answers 406 if none is
 * acceptable, and 415 to content that the resource does not take.
 *
 * `Vary` names the fields that were read, in responses made from errors too. No language is refused: the first one is
 * better than nothing (RFC 9110 §12.5.4).
 *
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * const group = ResourceGroup.builder()
 *   .middleware(negotiate({ produces: ["application/json", "text/csv"] }))
 *   .build();
 * ```
 */
export function negotiate(options: NegotiateOptions = {}): MiddlewareClass {
  const check = new OptionCheck("negotiate", options, declarable);
  checkDeclaration(check);
  const declared = new WeakMap<object, NegotiateOptions>();

  function declarationOf(resource: object): NegotiateOptions {
    const known = declared.get(resource);
    if (known !== undefined) return known;
    const declaration = ownOf({ ...check.options, ...readDeclaration(resource) });
    declared.set(resource, declaration);
    return declaration;
  }

  return class Negotiate extends Middleware {
    static {
      passing(this);
    }

    static answers(method: string, resource: object): Readonly<Record<number, string>> {
      const { produces, codings, consumes } = declarationOf(resource);
      if (method === "OPTIONS") return {};
      const offered = [produces ?? [], codings ?? []].flat();
      return {
        ...(offered.length > 0 && { 406: `Nothing that is accepted: there is ${offered.join(", ")}` }),
        ...(consumes !== undefined && { 415: `Content of another type: ${consumes.join(", ")} is taken` }),
      };
    }

    ALL(input: object): unknown {
      const resource = this.resourceOf(input);
      // RFC 9110 §9.3.7: OPTIONS is about communication, not about a representation.
      if (resource === null || routedBy(input).method === "OPTIONS") return nextOf(this, input);
      const declaration = declarationOf(resource);
      const vary = fieldsReadFor(declaration);
      negotiated.set(input, chosenFor(input, declaration, vary));
      if (declaration.consumes !== undefined) refuseOthers(input, declaration.consumes, vary);
      return vary.length === 0 ? nextOf(this, input) : answerWithFields(this, input, (fields) => fields.vary(...vary));
    }
  };
}

function fieldsReadFor({ produces, languages, codings }: NegotiateOptions): string[] {
  return [
    ...(produces === undefined ? [] : ["Accept"]),
    ...(languages === undefined ? [] : ["Accept-Language"]),
    ...(codings === undefined ? [] : ["Accept-Encoding"]),
  ];
}

function chosenFor(input: object, declaration: NegotiateOptions, vary: readonly string[]): Negotiated {
  const { produces = [], languages = [], codings = [] } = declaration;
  const mediaType = preferredMediaType(requestField(input, "accept"), produces);
  if (mediaType === null && produces.length > 0) throw notAcceptable(produces, vary);
  if (mediaType !== null) derivingType.set(input, mediaType === produces[0] ? "" : mediaType);
  const coding = preferredCoding(requestField(input, "accept-encoding"), codings);
  if (coding === null && codings.length > 0) throw notAcceptable(codings, vary);
  const language = preferredLanguage(requestField(input, "accept-language"), languages);
  return { mediaType, language, coding };
}

// RFC 9110 §15.5.7: says what there is.
function notAcceptable(offered: readonly string[], vary: readonly string[]): HTTPError {
  return refusal(Status.NotAcceptable, `Available: ${offered.join(", ")}`, { vary: vary.join(", ") });
}

function refuseOthers(input: object, consumes: readonly string[], vary: readonly string[]): void {
  if (!hasContent(input)) return;
  const value = requestField(input, "content-type");
  // RFC 9110 §8.3: content without a type is of any.
  const mediaType = parseMediaType(value ?? "application/octet-stream");
  if (mediaType !== null && consumes.some((range) => specificityOf(parseMediaType(range)!, mediaType) > 0)) return;
  const accept = consumes.join(", ");
  // RFC 9110 §12.5.1, RFC 5789 §3.1: what would have been taken.
  throw refusal(Status.UnsupportedMediaType, `Accepted types: ${accept}`, {
    accept,
    ...(routedBy(input).method === "PATCH" && { "accept-patch": accept }),
    ...(vary.length > 0 && { vary: vary.join(", ") }),
  });
}
