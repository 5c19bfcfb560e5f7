import type { CallInput } from "./calls.ts";
import { filledPath } from "../routing/pattern/filled-path.ts";
import { filledForm } from "./filled-form.ts";

/** Makes the URL of a call. Neither values nor the pattern change the origin or the path of the base. */
export function callUrl(base: string, pattern: string, { path, query }: CallInput): string {
  const search = `${filledForm(new URLSearchParams(), query)}`;
  return base.replace(/\/$/, "") + filledPath(pattern, path) + (search && `?${search}`);
}

/**
 * Refuses a base after which a path would be read as something else, such as part of a query or a host. So it does a
 * base that no request goes to.
 * @throws {TypeError} when the base has a query, a fragment, a scheme without a host, or another one than http or
 * https.
 */
export function checkBase(base: string): void {
  // A URL parser drops control characters, and reads a backslash as a slash.
  if (/[\0- \\?#]|^\/\/+$|^(?!https?:\/\/[^/])[a-z][a-z\d+.-]*:/i.test(base)) {
    throw new TypeError(
      "Cannot make a client: its base must be an http or https URL, or a path, without a query or fragment, such as " +
        '"https://api.example/v1"',
    );
  }
}
