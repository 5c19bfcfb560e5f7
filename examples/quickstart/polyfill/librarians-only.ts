import { Middleware } from "fingerpost/polyfill";
import { librarian, librarianOf } from "../librarian.ts";
import type { Context } from "./context.ts";

/** A guard: it hangs on resources, so whatever way leads to them leads through it. */
export class LibrariansOnly extends Middleware {
  ALL(context: Context): unknown {
    librarian.set(context, librarianOf(context.request.headers.authorization));
    return this.next(context);
  }
}
