import { Resource } from "fingerpost/polyfill";
import { librarian } from "../librarian.ts";
import { readingList } from "../reading-list.ts";
import { sendJSON, type Context } from "./context.ts";

/** What only the librarian sees. The group it is added by says who may. */
export class Statistics extends Resource {
  paths = ["/statistics"] as const;

  GET(context: Context<Statistics>): unknown {
    return sendJSON(context, { books: readingList.all().length, seenBy: librarian.get(context) });
  }
}
