import { reply, Resource, written, type Call } from "fingerpost";
import { z } from "zod";
import { listingAs } from "../listing.ts";
import { readingList } from "../reading-list.ts";
import { book, draft } from "./book-schema.ts";

/** The list: as JSON, or as CSV for clients that prefer it. */
export class Books extends Resource {
  paths = ["/books"] as const;
  static tags = ["books"];

  static GET = {
    summary: "Lists books",
    query: z.object({ title: z.string().default("") }),
    200: {
      content: { "application/json": z.array(book), "text/csv": written("text/csv", () => listingAs("csv").content) },
    },
  };
  GET({ query }: Call<typeof Books, "GET">) {
    return readingList.all(query.title);
  }

  static POST = {
    summary: "Adds a book",
    content: draft,
    examples: { emma: { title: "Emma", author: "Jane Austen" } },
    201: { description: "The book was added", content: book, headers: { location: z.string() } },
  };
  POST({ content }: Call<typeof Books, "POST">) {
    const added = readingList.add(content);
    return reply(201, added, { location: `/books/${added.id}` });
  }
}
