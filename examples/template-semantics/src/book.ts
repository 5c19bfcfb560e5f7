import { reply, Resource, type Call } from "fingerpost";
import * as z from "zod";

const book = z.object({ title: z.string().min(1), year: z.int() });
const books = new Map([["1", { title: "Kindred", year: 1979 }]]);

/** A book, such as `/books/1`. */
export class Book extends Resource {
  paths = ["/books/:id"] as const;

  static GET = { 200: book, 404: "No book has this id" };
  GET({ path }: Call<typeof Book, "GET">) {
    return books.get(path.id) ?? reply(404);
  }

  static PUT = { content: book, 204: "The book is stored" };
  PUT({ path, content }: Call<typeof Book, "PUT">) {
    books.set(path.id, content);
    return reply(204);
  }
}
