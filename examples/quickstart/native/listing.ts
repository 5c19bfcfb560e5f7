import { type RequestOf, Resource, Response } from "fingerpost/native";
import { listingAs } from "../listing.ts";

/** The whole list for other programs: `/books.csv`, `/books.md`. */
export class Listing extends Resource {
  paths = ["/books.:format"] as const;

  GET({ params }: RequestOf<Listing>): Response {
    const { mediaType, content } = listingAs(params.pathParam("format"));
    return new Response(content, { headers: { "content-type": mediaType } });
  }
}
