import { type RequestOf, Resource, Response, Status } from "fingerpost/native";
import { readingList } from "../reading-list.ts";

/** Leads from an ISBN to the book. */
export class Edition extends Resource {
  paths = ["/isbn/:isbn(97[89]\\d{10})"] as const;

  GET({ params }: RequestOf<Edition>): Response {
    const { id } = readingList.withISBN(params.pathParam("isbn"));
    return new Response(null, { ...Status.SeeOther, headers: { location: `/books/${id}` } });
  }
}
