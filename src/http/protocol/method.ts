/** The methods a resource can implement: RFC 9110 §9.3 and RFC 5789 §2, in alphabetical order. */
export const methods = ["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"] as const;

/** A method a resource can implement. */
export type Method = (typeof methods)[number];

/** Returns whether a method token, case-sensitive as RFC 9110 §9.1 has it, is one of the nine. */
export function isMethod(token: unknown): token is Method {
  return (methods as readonly unknown[]).includes(token);
}
