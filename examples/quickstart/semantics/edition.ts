import { reply, Resource, type Call } from "fingerpost";
import { z } from "zod";
import { readingList } from "../reading-list.ts";

/** Leads from an ISBN to the book. */
export class Edition extends Resource {
  paths = ["/isbn/:isbn(97[89]\\d{10})"] as const;
  static tags = ["books"];

  static GET = {
    summary: "Finds a book by its ISBN",
    303: { description: "The book", headers: { location: z.string() } },
    404: "No book has this ISBN",
  };
  GET({ path }: Call<typeof Edition, "GET">) {
    return reply(303, undefined, { location: `/books/${readingList.withISBN(path.isbn).id}` });
  }
}
