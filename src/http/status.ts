import { statusConstant } from "./status-constant.ts";

/**
 * The status codes of the IANA registry (RFC 9110 §15): each key is the reason phrase in PascalCase.
 *
 * 306 and 418 are registered as unused and have no reason phrase, so they are not here.
 */
export interface StatusTable {
  /** RFC 9110 §15.2.1. */
  readonly Continue: Constant<100, "Continue">;
  /** RFC 9110 §15.2.2. */
  readonly SwitchingProtocols: Constant<101, "Switching Protocols">;
  /** RFC 2518 §10.1. */
  readonly Processing: Constant<102, "Processing">;
  /** RFC 8297 §2. */
  readonly EarlyHints: Constant<103, "Early Hints">;
  /** registered by IANA for resumable uploads, for the time being. */
  readonly UploadResumptionSupported: Constant<104, "Upload Resumption Supported">;
  /** RFC 9110 §15.3.1. */
  readonly OK: Constant<200, "OK">;
  /** RFC 9110 §15.3.2. */
  readonly Created: Constant<201, "Created">;
  /** RFC 9110 §15.3.3. */
  readonly Accepted: Constant<202, "Accepted">;
  /** RFC 9110 §15.3.4. */
  readonly NonAuthoritativeInformation: Constant<203, "Non-Authoritative Information">;
  /** RFC 9110 §15.3.5. */
  readonly NoContent: Constant<204, "No Content">;
  /** RFC 9110 §15.3.6. */
  readonly ResetContent: Constant<205, "Reset Content">;
  /** RFC 9110 §15.3.7. */
  readonly PartialContent: Constant<206, "Partial Content">;
  /** RFC 4918 §11.1. */
  readonly MultiStatus: Constant<207, "Multi-Status">;
  /** RFC 5842 §7.1. */
  readonly AlreadyReported: Constant<208, "Already Reported">;
  /** RFC 3229 §10.4.1. */
  readonly IMUsed: Constant<226, "IM Used">;
  /** RFC 9110 §15.4.1. */
  readonly MultipleChoices: Constant<300, "Multiple Choices">;
  /** RFC 9110 §15.4.2. */
  readonly MovedPermanently: Constant<301, "Moved Permanently">;
  /** RFC 9110 §15.4.3. */
  readonly Found: Constant<302, "Found">;
  /** RFC 9110 §15.4.4. */
  readonly SeeOther: Constant<303, "See Other">;
  /** RFC 9110 §15.4.5. */
  readonly NotModified: Constant<304, "Not Modified">;
  /** RFC 9110 §15.4.6, deprecated. */
  readonly UseProxy: Constant<305, "Use Proxy">;
  /** RFC 9110 §15.4.8. */
  readonly TemporaryRedirect: Constant<307, "Temporary Redirect">;
  /** RFC 9110 §15.4.9. */
  readonly PermanentRedirect: Constant<308, "Permanent Redirect">;
  /** RFC 9110 §15.5.1. */
  readonly BadRequest: Constant<400, "Bad Request">;
  /** RFC 9110 §15.5.2. */
  readonly Unauthorized: Constant<401, "Unauthorized">;
  /** RFC 9110 §15.5.3. */
  readonly PaymentRequired: Constant<402, "Payment Required">;
  /** RFC 9110 §15.5.4. */
  readonly Forbidden: Constant<403, "Forbidden">;
  /** RFC 9110 §15.5.5. */
  readonly NotFound: Constant<404, "Not Found">;
  /** RFC 9110 §15.5.6. */
  readonly MethodNotAllowed: Constant<405, "Method Not Allowed">;
  /** RFC 9110 §15.5.7. */
  readonly NotAcceptable: Constant<406, "Not Acceptable">;
  /** RFC 9110 §15.5.8. */
  readonly ProxyAuthenticationRequired: Constant<407, "Proxy Authentication Required">;
  /** RFC 9110 §15.5.9. */
  readonly RequestTimeout: Constant<408, "Request Timeout">;
  /** RFC 9110 §15.5.10. */
  readonly Conflict: Constant<409, "Conflict">;
  /** RFC 9110 §15.5.11. */
  readonly Gone: Constant<410, "Gone">;
  /** RFC 9110 §15.5.12. */
  readonly LengthRequired: Constant<411, "Length Required">;
  /** RFC 9110 §15.5.13. */
  readonly PreconditionFailed: Constant<412, "Precondition Failed">;
  /** RFC 9110 §15.5.14. */
  readonly ContentTooLarge: Constant<413, "Content Too Large">;
  /** RFC 9110 §15.5.15. */
  readonly URITooLong: Constant<414, "URI Too Long">;
  /** RFC 9110 §15.5.16. */
  readonly UnsupportedMediaType: Constant<415, "Unsupported Media Type">;
  /** RFC 9110 §15.5.17. */
  readonly RangeNotSatisfiable: Constant<416, "Range Not Satisfiable">;
  /** RFC 9110 §15.5.18. */
  readonly ExpectationFailed: Constant<417, "Expectation Failed">;
  /** RFC 9110 §15.5.20. */
  readonly MisdirectedRequest: Constant<421, "Misdirected Request">;
  /** RFC 9110 §15.5.21. */
  readonly UnprocessableContent: Constant<422, "Unprocessable Content">;
  /** RFC 4918 §11.3. */
  readonly Locked: Constant<423, "Locked">;
  /** RFC 4918 §11.4. */
  readonly FailedDependency: Constant<424, "Failed Dependency">;
  /** RFC 8470 §5.2. */
  readonly TooEarly: Constant<425, "Too Early">;
  /** RFC 9110 §15.5.22. */
  readonly UpgradeRequired: Constant<426, "Upgrade Required">;
  /** RFC 6585 §3. */
  readonly PreconditionRequired: Constant<428, "Precondition Required">;
  /** RFC 6585 §4. */
  readonly TooManyRequests: Constant<429, "Too Many Requests">;
  /** RFC 6585 §5. */
  readonly RequestHeaderFieldsTooLarge: Constant<431, "Request Header Fields Too Large">;
  /** RFC 7725 §3. */
  readonly UnavailableForLegalReasons: Constant<451, "Unavailable For Legal Reasons">;
  /** RFC 9110 §15.6.1. */
  readonly InternalServerError: Constant<500, "Internal Server Error">;
  /** RFC 9110 §15.6.2. */
  readonly NotImplemented: Constant<501, "Not Implemented">;
  /** RFC 9110 §15.6.3. */
  readonly BadGateway: Constant<502, "Bad Gateway">;
  /** RFC 9110 §15.6.4. */
  readonly ServiceUnavailable: Constant<503, "Service Unavailable">;
  /** RFC 9110 §15.6.5. */
  readonly GatewayTimeout: Constant<504, "Gateway Timeout">;
  /** RFC 9110 §15.6.6. */
  readonly HTTPVersionNotSupported: Constant<505, "HTTP Version Not Supported">;
  /** RFC 2295 §8.1. */
  readonly VariantAlsoNegotiates: Constant<506, "Variant Also Negotiates">;
  /** RFC 4918 §11.5. */
  readonly InsufficientStorage: Constant<507, "Insufficient Storage">;
  /** RFC 5842 §7.2. */
  readonly LoopDetected: Constant<508, "Loop Detected">;
  /** RFC 2774 §7, obsoleted. */
  readonly NotExtended: Constant<510, "Not Extended">;
  /** RFC 6585 §6. */
  readonly NetworkAuthenticationRequired: Constant<511, "Network Authentication Required">;
}

type Constant<Code, Phrase> = { readonly status: Code; readonly statusText: Phrase };

/** One of the constants of `Status`: a status code with its reason phrase. */
export type StatusConstant = StatusTable[keyof StatusTable];

// One text is half the size of 63 object literals in a bundle; status.test.ts compares it with the interface.
const registry =
  "100 Continue,101 Switching Protocols,102 Processing,103 Early Hints,104 Upload Resumption Supported,200 OK," +
  "201 Created,202 Accepted,203 Non-Authoritative Information,204 No Content,205 Reset Content,206 Partial Content," +
  "207 Multi-Status,208 Already Reported,226 IM Used,300 Multiple Choices,301 Moved Permanently,302 Found," +
  "303 See Other,304 Not Modified,305 Use Proxy,307 Temporary Redirect,308 Permanent Redirect,400 Bad Request," +
  "401 Unauthorized,402 Payment Required,403 Forbidden,404 Not Found,405 Method Not Allowed,406 Not Acceptable," +
  "407 Proxy Authentication Required,408 Request Timeout,409 Conflict,410 Gone,411 Length Required," +
  "412 Precondition Failed,413 Content Too Large,414 URI Too Long,415 Unsupported Media Type," +
  "416 Range Not Satisfiable,417 Expectation Failed,421 Misdirected Request,422 Unprocessable Content,423 Locked," +
  "424 Failed Dependency,425 Too Early,426 Upgrade Required,428 Precondition Required,429 Too Many Requests," +
  "431 Request Header Fields Too Large,451 Unavailable For Legal Reasons,500 Internal Server Error," +
  "501 Not Implemented,502 Bad Gateway,503 Service Unavailable,504 Gateway Timeout,505 HTTP Version Not Supported," +
  "506 Variant Also Negotiates,507 Insufficient Storage,508 Loop Detected,510 Not Extended," +
  "511 Network Authentication Required";

/**
 * Every registered status code as a frozen `{ status, statusText }`, which is a `ResponseInit` too.
 *
 * @example
 * ```ts
 * new Response("made", Status.Created).status; // 201
 * ```
 */
export const Status: StatusTable = /* @__PURE__ */ tableOf();

function tableOf(): StatusTable {
  const entries = registry.split(",").map((entry) => entryOf(+entry.slice(0, 3), entry.slice(4)));
  return Object.freeze(Object.fromEntries(entries)) as unknown as StatusTable;
}

function entryOf(status: number, statusText: string): [key: string, constant: object] {
  return [statusText.replaceAll(" ", "").replace("-", ""), statusConstant(status, statusText)];
}
