import { Resource, Status } from "fingerpost/polyfill";
import { readingList } from "../reading-list.ts";
import { sendNothing, type Context } from "./context.ts";

/** Leads from an ISBN to the book. */
export class Edition extends Resource {
  paths = ["/isbn/:isbn(97[89]\\d{10})"] as const;

  GET(context: Context<Edition>): unknown {
    const { id } = readingList.withISBN(context.params.pathParam("isbn"));
    context.response.setHeader("location", `/books/${id}`);
    return sendNothing(context, Status.SeeOther);
  }
}
