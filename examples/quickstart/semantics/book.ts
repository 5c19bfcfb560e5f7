import { reply, Resource, type Call } from "fingerpost";
import { readingList } from "../reading-list.ts";
import { book, byId, draft } from "./book-schema.ts";

const unknown = "No book has this id";

/** One book. Whoever replaces it says by `If-Match` which version they have seen. */
export class Book extends Resource {
  paths = ["/books/:id"] as const;
  static tags = ["books"];

  validator({ path }: Call<typeof Book, "GET">): { etag: string } | null {
    const version = readingList.versionOf(String(path.id));
    return version === undefined ? null : { etag: `"${version}"` };
  }

  static GET = { summary: "Shows a book", path: byId, 200: book, 404: unknown };
  GET({ path }: Call<typeof Book, "GET">) {
    return readingList.book(String(path.id));
  }

  static PUT = {
    summary: "Replaces a book",
    path: byId,
    content: draft,
    precondition: true,
    200: book,
    404: unknown,
  };
  PUT({ path, content }: Call<typeof Book, "PUT">) {
    return readingList.replace(String(path.id), content);
  }

  static DELETE = { summary: "Removes a book", path: byId, 204: "The book is gone", 404: unknown };
  DELETE({ path }: Call<typeof Book, "DELETE">) {
    readingList.remove(String(path.id));
    return reply(204);
  }
}
