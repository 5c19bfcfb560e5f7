import { Resource, type Call } from "fingerpost";
import { z } from "zod";
import { readingList } from "../reading-list.ts";

/** What only the librarian sees. The group it is added by says who may. */
export class Statistics extends Resource {
  paths = ["/statistics"] as const;

  static GET = { summary: "Counts the books", 200: z.object({ books: z.int() }) };
  GET(_call: Call<typeof Statistics, "GET">) {
    return { books: readingList.all().length };
  }
}
