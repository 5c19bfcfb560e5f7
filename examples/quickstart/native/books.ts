import { type RequestOf, Resource, Response, Status } from "fingerpost/native";
import { draftOf, readingList } from "../reading-list.ts";

/** The list, and each book of it. What one of the two does not implement gets the answer of the base class, 501. */
export class Books extends Resource {
  paths = ["/books/:id?"] as const;

  GET({ params }: RequestOf<Books>): Response {
    const id = params.pathParam("id");
    return Response.json(id === undefined ? readingList.all(params.queryParam("title")) : readingList.book(id));
  }

  async POST(request: RequestOf<Books>): Promise<Response> {
    if (request.params.pathParam("id") !== undefined) return super.POST(request);
    const book = readingList.add(draftOf(await request.text()));
    return Response.json(book, { ...Status.Created, headers: { location: `/books/${book.id}` } });
  }

  async PUT(request: RequestOf<Books>): Promise<Response> {
    const id = request.params.pathParam("id");
    if (id === undefined) return super.PUT(request);
    return Response.json(readingList.replace(id, draftOf(await request.text())));
  }

  DELETE(request: RequestOf<Books>): Response | Promise<Response> {
    const id = request.params.pathParam("id");
    if (id === undefined) return super.DELETE(request);
    readingList.remove(id);
    return new Response(null, Status.NoContent);
  }
}
