import { Resource } from "fingerpost/polyfill";
import { listingAs } from "../listing.ts";
import { send, type Context } from "./context.ts";

/** The whole list for other programs: `/books.csv`, `/books.md`. */
export class Listing extends Resource {
  paths = ["/books.:format"] as const;

  GET(context: Context<Listing>): unknown {
    const { mediaType, content } = listingAs(context.params.pathParam("format"));
    return send(context, content, mediaType);
  }
}
