import { Resource, Status } from "fingerpost/polyfill";
import { draftOf, readingList } from "../reading-list.ts";
import { contentOf, sendJSON, sendNothing, type Context } from "./context.ts";

/** The list, and each book of it. What one of the two does not implement gets the answer of the base class, 501. */
export class Books extends Resource {
  paths = ["/books/:id?"] as const;

  GET(context: Context<Books>): unknown {
    const { params } = context;
    const id = params.pathParam("id");
    return sendJSON(context, id === undefined ? readingList.all(params.queryParam("title")) : readingList.book(id));
  }

  async POST(context: Context<Books>): Promise<unknown> {
    if (context.params.pathParam("id") !== undefined) return super.POST(context);
    const book = readingList.add(draftOf(await contentOf(context)));
    context.response.setHeader("location", `/books/${book.id}`);
    return sendJSON(context, book, Status.Created);
  }

  async PUT(context: Context<Books>): Promise<unknown> {
    const id = context.params.pathParam("id");
    if (id === undefined) return super.PUT(context);
    return sendJSON(context, readingList.replace(id, draftOf(await contentOf(context))));
  }

  DELETE(context: Context<Books>): unknown {
    const id = context.params.pathParam("id");
    if (id === undefined) return super.DELETE(context);
    readingList.remove(id);
    return sendNothing(context, Status.NoContent);
  }
}
