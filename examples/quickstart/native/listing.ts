import { Resource } from "fingerpost/modules/http.native.js";
import { listingAs } from "../listing.ts";
import type { Input } from "./input.ts";

/** The whole list for other programs: `/books.csv`, `/books.md`. */
export class Listing extends Resource {
  paths = ["/books.:format"];

  GET({ params }: Input): Response {
    const { mediaType, content } = listingAs(params.pathParam("format")!);
    return new Response(content, { headers: { "content-type": mediaType } });
  }
}
