import { STATUS_CODES } from "node:http";
import { describe, expect, it, vi } from "vitest";
import { isStatus } from "./status-constant.ts";
import { Status, statusOf, type StatusTable } from "./status.ts";

// The compiler compares this table with the interface, the test with the constants.
const registered: StatusTable = {
  Continue: { status: 100, statusText: "Continue" },
  SwitchingProtocols: { status: 101, statusText: "Switching Protocols" },
  Processing: { status: 102, statusText: "Processing" },
  EarlyHints: { status: 103, statusText: "Early Hints" },
  UploadResumptionSupported: { status: 104, statusText: "Upload Resumption Supported" },
  OK: { status: 200, statusText: "OK" },
  Created: { status: 201, statusText: "Created" },
  Accepted: { status: 202, statusText: "Accepted" },
  NonAuthoritativeInformation: { status: 203, statusText: "Non-Authoritative Information" },
  NoContent: { status: 204, statusText: "No Content" },
  ResetContent: { status: 205, statusText: "Reset Content" },
  PartialContent: { status: 206, statusText: "Partial Content" },
  MultiStatus: { status: 207, statusText: "Multi-Status" },
  AlreadyReported: { status: 208, statusText: "Already Reported" },
  IMUsed: { status: 226, statusText: "IM Used" },
  MultipleChoices: { status: 300, statusText: "Multiple Choices" },
  MovedPermanently: { status: 301, statusText: "Moved Permanently" },
  Found: { status: 302, statusText: "Found" },
  SeeOther: { status: 303, statusText: "See Other" },
  NotModified: { status: 304, statusText: "Not Modified" },
  UseProxy: { status: 305, statusText: "Use Proxy" },
  TemporaryRedirect: { status: 307, statusText: "Temporary Redirect" },
  PermanentRedirect: { status: 308, statusText: "Permanent Redirect" },
  BadRequest: { status: 400, statusText: "Bad Request" },
  Unauthorized: { status: 401, statusText: "Unauthorized" },
  PaymentRequired: { status: 402, statusText: "Payment Required" },
  Forbidden: { status: 403, statusText: "Forbidden" },
  NotFound: { status: 404, statusText: "Not Found" },
  MethodNotAllowed: { status: 405, statusText: "Method Not Allowed" },
  NotAcceptable: { status: 406, statusText: "Not Acceptable" },
  ProxyAuthenticationRequired: { status: 407, statusText: "Proxy Authentication Required" },
  RequestTimeout: { status: 408, statusText: "Request Timeout" },
  Conflict: { status: 409, statusText: "Conflict" },
  Gone: { status: 410, statusText: "Gone" },
  LengthRequired: { status: 411, statusText: "Length Required" },
  PreconditionFailed: { status: 412, statusText: "Precondition Failed" },
  ContentTooLarge: { status: 413, statusText: "Content Too Large" },
  URITooLong: { status: 414, statusText: "URI Too Long" },
  UnsupportedMediaType: { status: 415, statusText: "Unsupported Media Type" },
  RangeNotSatisfiable: { status: 416, statusText: "Range Not Satisfiable" },
  ExpectationFailed: { status: 417, statusText: "Expectation Failed" },
  MisdirectedRequest: { status: 421, statusText: "Misdirected Request" },
  UnprocessableContent: { status: 422, statusText: "Unprocessable Content" },
  Locked: { status: 423, statusText: "Locked" },
  FailedDependency: { status: 424, statusText: "Failed Dependency" },
  TooEarly: { status: 425, statusText: "Too Early" },
  UpgradeRequired: { status: 426, statusText: "Upgrade Required" },
  PreconditionRequired: { status: 428, statusText: "Precondition Required" },
  TooManyRequests: { status: 429, statusText: "Too Many Requests" },
  RequestHeaderFieldsTooLarge: { status: 431, statusText: "Request Header Fields Too Large" },
  UnavailableForLegalReasons: { status: 451, statusText: "Unavailable For Legal Reasons" },
  InternalServerError: { status: 500, statusText: "Internal Server Error" },
  NotImplemented: { status: 501, statusText: "Not Implemented" },
  BadGateway: { status: 502, statusText: "Bad Gateway" },
  ServiceUnavailable: { status: 503, statusText: "Service Unavailable" },
  GatewayTimeout: { status: 504, statusText: "Gateway Timeout" },
  HTTPVersionNotSupported: { status: 505, statusText: "HTTP Version Not Supported" },
  VariantAlsoNegotiates: { status: 506, statusText: "Variant Also Negotiates" },
  InsufficientStorage: { status: 507, statusText: "Insufficient Storage" },
  LoopDetected: { status: 508, statusText: "Loop Detected" },
  NotExtended: { status: 510, statusText: "Not Extended" },
  NetworkAuthenticationRequired: { status: 511, statusText: "Network Authentication Required" },
};

describe("Status", () => {
  it("has a constant for every registered status code", () => {
    expect(Status).toEqual(registered);
  });

  it("has the reason phrases that Node knows, where those are not out of date", () => {
    const renamed = new Set([104, 208, 302, 413, 414, 416, 422, 425, 451, 509]);
    for (const { status, statusText } of Object.values(registered)) {
      if (!renamed.has(status)) expect(STATUS_CODES[status]).toBe(statusText);
    }
  });

  it("is frozen, and so is each constant", () => {
    expect(Object.isFrozen(Status)).toBe(true);
    expect(Object.values(Status).every(Object.isFrozen)).toBe(true);
  });
});

describe("statusOf()", () => {
  it("returns the constant of every registered status code", () => {
    for (const constant of Object.values(Status)) expect(statusOf(constant.status)).toBe(constant);
    expect(Object.isFrozen(statusOf(402))).toBe(true);
  });

  it("refuses what is not registered, or no number", () => {
    const messageOf = (status: unknown): string => {
      try {
        return JSON.stringify(statusOf(status as number));
      } catch (error) {
        return String(error);
      }
    };
    const of = (value: string): string =>
      `TypeError: Cannot give a status constant: expected a registered status code, got ${value}`;
    for (const other of [0, -1, 99, 299, 306, 418, 600, 404.5, Number.NaN, undefined, null])
      expect(messageOf(other)).toBe(of(String(other)));
    expect(messageOf("404")).toBe(of('"404"'));
    expect(messageOf([404])).toBe(of("an array"));
    expect(messageOf(Status.NotFound)).toBe(of("an object"));
  });
});

describe("isStatus()", () => {
  it("accepts every constant, and its equal from another copy of the package", async () => {
    vi.resetModules();
    const { Status: other } = await import("./status.ts");
    expect(other.NotFound).not.toBe(Status.NotFound);
    expect(Object.values({ ...Status, ...other }).every(isStatus)).toBe(true);
  });

  it("goes by a mark whose name all versions have to keep", () => {
    const mark = Symbol.for("fingerpost.Status");
    expect(isStatus({ [mark]: true })).toBe(true);
    expect(Object.getOwnPropertyDescriptor(Status.NotFound, mark)!.enumerable).toBe(false);
  });

  it("refuses what only looks like one", () => {
    expect(isStatus({ status: 404, statusText: "Not Found" })).toBe(false);
    expect(isStatus({ ...Status.NotFound })).toBe(false);
  });

  it("refuses everything else", () => {
    const primitives = [undefined, null, true, 404, "404", 404n, "Not Found", Symbol("Not Found")];
    const objects = [{}, [], () => Status.NotFound, Status, new Response(null, Status.NotFound)];
    const lookalikes = [
      { status: 404 },
      { statusText: "Not Found" },
      { status: "404", statusText: "Not Found" },
      { status: 404, statusText: "Found" },
      { status: 418, statusText: "I'm a teapot" },
      { status: 999, statusText: undefined },
      { ...Status.NotFound, headers: {} },
    ];
    const others: unknown[] = [...primitives, ...objects, ...lookalikes];
    for (const other of others) expect(isStatus(other)).toBe(false);
  });
});
