import { Middleware, type RequestOf } from "fingerpost/native";
import { librarian, librarianOf } from "../librarian.ts";

/** A guard: it hangs on resources, so whatever way leads to them leads through it. */
export class LibrariansOnly extends Middleware {
  ALL(request: RequestOf): Response | Promise<Response> {
    librarian.set(request, librarianOf(request.headers.get("authorization")));
    return this.next(request);
  }
}
