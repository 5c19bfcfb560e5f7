import type { ReceivedRequest } from "../../dispatch/params.ts";
import { isScope, isToken } from "../../fields/token.ts";
import type { OptionCheck } from "../../http/javascript/option-check.ts";
import { isPlainObject } from "../../http/javascript/property.ts";

/** The options of a guard by bearer tokens, however it reads them. */
export interface TokenOptions<Input extends object = ReceivedRequest> {
  /** Names the protected area. Printable ASCII. Default: `default`. */
  readonly realm?: string | undefined;
  /** The scopes that a token must have, all of them (RFC 6750 §3). */
  readonly scopes?: readonly string[] | undefined;
  /**
   * Whether requests without credentials pass. Handlers then ask an attribute by `find()`, because the user may be
   * unknown. Wrong credentials are still refused. Default: false.
   */
  readonly optional?: boolean | undefined;
  /** The authentication scheme that comes before the token in `Authorization`, and in challenges. Default: `Bearer`. */
  readonly scheme?: string | undefined;
  /** The URL of the metadata of the protected resource, which challenges name (RFC 9728 §5.1). Default: none. */
  readonly resourceMetadataURL?: string | undefined;
  /**
   * Returns further parameters of the challenge for a request, such as `service` and `scope` where clients fetch their
   * tokens. One whose value no header can hold is left out. Default: none.
   */
  readonly challenge?: ((input: Input) => Readonly<Record<string, string | undefined>>) | undefined;
  /**
   * Where the token is: in a header field or a cookie, which the document names, too. Or a function that returns the
   * token of a request, or nothing if it has none. Default: the token in `Authorization`.
   */
  readonly token?: TokenCarrier | ((input: Input) => string | null | undefined) | undefined;
}

type TokenCarrier =
  | { readonly header: string; readonly cookie?: undefined }
  | { readonly cookie: string; readonly header?: undefined };

/** Refuses wrong options that guards by bearer tokens share. */
export function checkTokenOptions<Input extends object>(check: OptionCheck<TokenOptions<Input>>): void {
  const { scheme, token, resourceMetadataURL } = check.options;
  check.printable("realm");
  check.list("scopes", isScope, "scope tokens");
  check.boolean("optional");
  check.require(scheme === undefined || isToken(scheme), "scheme", "an authentication scheme, such as Token");
  check.require(
    resourceMetadataURL === undefined || (typeof resourceMetadataURL === "string" && URL.canParse(resourceMetadataURL)),
    "resourceMetadataURL",
    "a URL, such as https://api.example/.well-known/oauth-protected-resource",
  );
  check.function("challenge");
  // Someone may pass a token in place of the function.
  const isCarrier = token === undefined || typeof token === "function" || isTokenCarrier(token);
  check.requireSecret(isCarrier, "token", 'a function, { header: "X-API-Key" } or { cookie: "session" }');
}

function isTokenCarrier(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  const [[carrier, name] = [], ...more] = Object.entries(value).filter(([, one]) => one !== undefined);
  return (
    (carrier === "header" || carrier === "cookie") && typeof name === "string" && isToken(name) && more.length === 0
  );
}
