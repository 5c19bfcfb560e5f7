import { createHash, timingSafeEqual } from "node:crypto";
import { Attribute, HTTPError } from "fingerpost/native";

/** Who asks, as a guard found out. */
export const librarian: Attribute<string> = new Attribute<string>("librarian");

const expected = `Basic ${btoa("librarian:shelf")}`;

/** Tells from the Authorization field who asks. @throws {HTTPError} 401 unless it is the librarian. */
export function librarianOf(authorization: string | null | undefined): string {
  if (timingSafeEqual(digest(authorization ?? ""), digest(expected))) return "librarian";
  throw new HTTPError(401, "Only the librarian may enter", {
    headers: { "WWW-Authenticate": 'Basic realm="library"' },
  });
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
