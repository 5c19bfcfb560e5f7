import { HTTPError, Resource, Response, type RequestOf } from "fingerpost/native";

const books = new Map([["1", { title: "Kindred", year: 1979 }]]);

/** A book, such as `/books/1`. */
export class Book extends Resource {
  paths = ["/books/:id"] as const;

  GET({ params }: RequestOf<Book>): Response {
    const book = books.get(params.pathParam("id"));
    if (book === undefined) throw new HTTPError(404, "No book has this id");
    return Response.json(book);
  }
}
