import { type RequestOf, Resource, Response } from "fingerpost/native";
import { librarian } from "../librarian.ts";
import { readingList } from "../reading-list.ts";

/** What only the librarian sees. The group it is added by says who may. */
export class Statistics extends Resource {
  paths = ["/statistics"] as const;

  GET(request: RequestOf<Statistics>): Response {
    return Response.json({ books: readingList.all().length, seenBy: librarian.get(request) });
  }
}
