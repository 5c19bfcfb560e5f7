import { Resource, Status } from "fingerpost/modules/http.native.js";
import { readingList } from "../reading-list.ts";
import type { Input } from "./input.ts";

/** Leads from an ISBN to the book. */
export class Edition extends Resource {
  paths = ["/isbn/:isbn(97[89]\\d{10})"];

  GET({ params }: Input): Response {
    const { id } = readingList.withISBN(params.pathParam("isbn")!);
    return new Response(null, { ...Status.SeeOther, headers: { location: `/books/${id}` } });
  }
}
