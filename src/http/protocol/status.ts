import { described } from "../javascript/described.ts";
import { statusConstant, type StatusPair } from "./status-constant.ts";

/**
 * The status codes of the IANA registry (RFC 9110 §15): each key is the reason phrase in PascalCase.
 *
 * 306 and 418 are registered as unused and have no reason phrase, so they are not here.
 */
export interface StatusTable {
  /** RFC 9110 §15.2.1. */
  readonly Continue: StatusPair<100, "Continue">;
  /** RFC 9110 §15.2.2. */
  readonly SwitchingProtocols: StatusPair<101, "Switching Protocols">;
  /** RFC 2518 §10.1. */
  readonly Processing: StatusPair<102, "Processing">;
  /** RFC 8297 §2. */
  readonly EarlyHints: StatusPair<103, "Early Hints">;
  /** registered by IANA for resumable uploads, for the time being. */
  readonly UploadResumptionSupported: StatusPair<104, "Upload Resumption Supported">;
  /** RFC 9110 §15.3.1. */
  readonly OK: StatusPair<200, "OK">;
  /** RFC 9110 §15.3.2. */
  readonly Created: StatusPair<201, "Created">;
  /** RFC 9110 §15.3.3. */
  readonly Accepted: StatusPair<202, "Accepted">;
  /** RFC 9110 §15.3.4. */
  readonly NonAuthoritativeInformation: StatusPair<203, "Non-Authoritative Information">;
  /** RFC 9110 §15.3.5. */
  readonly NoContent: StatusPair<204, "No Content">;
  /** RFC 9110 §15.3.6. */
  readonly ResetContent: StatusPair<205, "Reset Content">;
  /** RFC 9110 §15.3.7. */
  readonly PartialContent: StatusPair<206, "Partial Content">;
  /** RFC 4918 §11.1. */
  readonly MultiStatus: StatusPair<207, "Multi-Status">;
  /** RFC 5842 §7.1. */
  readonly AlreadyReported: StatusPair<208, "Already Reported">;
  /** RFC 3229 §10.4.1. */
  readonly IMUsed: StatusPair<226, "IM Used">;
  /** RFC 9110 §15.4.1. */
  readonly MultipleChoices: StatusPair<300, "Multiple Choices">;
  /** RFC 9110 §15.4.2. */
  readonly MovedPermanently: StatusPair<301, "Moved Permanently">;
  /** RFC 9110 §15.4.3. */
  readonly Found: StatusPair<302, "Found">;
  /** RFC 9110 §15.4.4. */
  readonly SeeOther: StatusPair<303, "See Other">;
  /** RFC 9110 §15.4.5. */
  readonly NotModified: StatusPair<304, "Not Modified">;
  /** RFC 9110 §15.4.6, deprecated. */
  readonly UseProxy: StatusPair<305, "Use Proxy">;
  /** RFC 9110 §15.4.8. */
  readonly TemporaryRedirect: StatusPair<307, "Temporary Redirect">;
  /** RFC 9110 §15.4.9. */
  readonly PermanentRedirect: StatusPair<308, "Permanent Redirect">;
  /** RFC 9110 §15.5.1. */
  readonly BadRequest: StatusPair<400, "Bad Request">;
  /** RFC 9110 §15.5.2. */
  readonly Unauthorized: StatusPair<401, "Unauthorized">;
  /** RFC 9110 §15.5.3. */
  readonly PaymentRequired: StatusPair<402, "Payment Required">;
  /** RFC 9110 §15.5.4. */
  readonly Forbidden: StatusPair<403, "Forbidden">;
  /** RFC 9110 §15.5.5. */
  readonly NotFound: StatusPair<404, "Not Found">;
  /** RFC 9110 §15.5.6. */
  readonly MethodNotAllowed: StatusPair<405, "Method Not Allowed">;
  /** RFC 9110 §15.5.7. */
  readonly NotAcceptable: StatusPair<406, "Not Acceptable">;
  /** RFC 9110 §15.5.8. */
  readonly ProxyAuthenticationRequired: StatusPair<407, "Proxy Authentication Required">;
  /** RFC 9110 §15.5.9. */
  readonly RequestTimeout: StatusPair<408, "Request Timeout">;
  /** RFC 9110 §15.5.10. */
  readonly Conflict: StatusPair<409, "Conflict">;
  /** RFC 9110 §15.5.11. */
  readonly Gone: StatusPair<410, "Gone">;
  /** RFC 9110 §15.5.12. */
  readonly LengthRequired: StatusPair<411, "Length Required">;
  /** RFC 9110 §15.5.13. */
  readonly PreconditionFailed: StatusPair<412, "Precondition Failed">;
  /** RFC 9110 §15.5.14. */
  readonly ContentTooLarge: StatusPair<413, "Content Too Large">;
  /** RFC 9110 §15.5.15. */
  readonly URITooLong: StatusPair<414, "URI Too Long">;
  /** RFC 9110 §15.5.16. */
  readonly UnsupportedMediaType: StatusPair<415, "Unsupported Media Type">;
  /** RFC 9110 §15.5.17. */
  readonly RangeNotSatisfiable: StatusPair<416, "Range Not Satisfiable">;
  /** RFC 9110 §15.5.18. */
  readonly ExpectationFailed: StatusPair<417, "Expectation Failed">;
  /** RFC 9110 §15.5.20. */
  readonly MisdirectedRequest: StatusPair<421, "Misdirected Request">;
  /** RFC 9110 §15.5.21. */
  readonly UnprocessableContent: StatusPair<422, "Unprocessable Content">;
  /** RFC 4918 §11.3. */
  readonly Locked: StatusPair<423, "Locked">;
  /** RFC 4918 §11.4. */
  readonly FailedDependency: StatusPair<424, "Failed Dependency">;
  /** RFC 8470 §5.2. */
  readonly TooEarly: StatusPair<425, "Too Early">;
  /** RFC 9110 §15.5.22. */
  readonly UpgradeRequired: StatusPair<426, "Upgrade Required">;
  /** RFC 6585 §3. */
  readonly PreconditionRequired: StatusPair<428, "Precondition Required">;
  /** RFC 6585 §4. */
  readonly TooManyRequests: StatusPair<429, "Too Many Requests">;
  /** RFC 6585 §5. */
  readonly RequestHeaderFieldsTooLarge: StatusPair<431, "Request Header Fields Too Large">;
  /** RFC 7725 §3. */
  readonly UnavailableForLegalReasons: StatusPair<451, "Unavailable For Legal Reasons">;
  /** RFC 9110 §15.6.1. */
  readonly InternalServerError: StatusPair<500, "Internal Server Error">;
  /** RFC 9110 §15.6.2. */
  readonly NotImplemented: StatusPair<501, "Not Implemented">;
  /** RFC 9110 §15.6.3. */
  readonly BadGateway: StatusPair<502, "Bad Gateway">;
  /** RFC 9110 §15.6.4. */
  readonly ServiceUnavailable: StatusPair<503, "Service Unavailable">;
  /** RFC 9110 §15.6.5. */
  readonly GatewayTimeout: StatusPair<504, "Gateway Timeout">;
  /** RFC 9110 §15.6.6. */
  readonly HTTPVersionNotSupported: StatusPair<505, "HTTP Version Not Supported">;
  /** RFC 2295 §8.1. */
  readonly VariantAlsoNegotiates: StatusPair<506, "Variant Also Negotiates">;
  /** RFC 4918 §11.5. */
  readonly InsufficientStorage: StatusPair<507, "Insufficient Storage">;
  /** RFC 5842 §7.2. */
  readonly LoopDetected: StatusPair<508, "Loop Detected">;
  /** RFC 2774 §7, obsoleted. */
  readonly NotExtended: StatusPair<510, "Not Extended">;
  /** RFC 6585 §6. */
  readonly NetworkAuthenticationRequired: StatusPair<511, "Network Authentication Required">;
}

/** A constant of `Status`: a status code with its reason phrase. */
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

/**
 * Returns the constant of `Status` for a status code that was stored, or came from another server.
 *
 * 306 and 418 are registered as unused and have none.
 *
 * @throws {TypeError} when the status code is not registered, or no number.
 * @example
 * ```ts
 * statusOf(402); // Status.PaymentRequired
 * ```
 */
export function statusOf(status: number): StatusConstant {
  const constant = registeredStatus(status);
  if (constant === null)
    throw new TypeError(`Cannot give a status constant: expected a registered status code, got ${described(status)}`);
  return constant;
}

/** The constant of a status code; null for one that is not registered. */
export function registeredStatus(status: number): StatusConstant | null {
  return (Object.values(Status) as StatusConstant[]).find((one) => one.status === status) ?? null;
}

function tableOf(): StatusTable {
  const entries = registry.split(",").map((entry) => entryOf(+entry.slice(0, 3), entry.slice(4)));
  return Object.freeze(Object.fromEntries(entries)) as unknown as StatusTable;
}

function entryOf(status: number, statusText: string): [key: string, constant: object] {
  return [statusText.replaceAll(" ", "").replace("-", ""), statusConstant(status, statusText)];
}
