import { Resource } from "fingerpost/modules/http.native.js";
import { librarian } from "../librarian.ts";
import { readingList } from "../reading-list.ts";
import type { Input } from "./input.ts";

/** What only the librarian sees. The group it is added by says who may. */
export class Statistics extends Resource {
  paths = ["/statistics"];

  GET(request: Input): Response {
    return Response.json({ books: readingList.all().length, seenBy: librarian.get(request) });
  }
}
