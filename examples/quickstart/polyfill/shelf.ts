import { Resource } from "fingerpost/polyfill";
import { readingList } from "../reading-list.ts";
import { sendJSON, type Context } from "./context.ts";

/** The books on a shelf; shelves stand within shelves: `/shelves/fiction/space`. */
export class Shelf extends Resource {
  paths = ["/shelves/:shelf+"] as const;

  GET(context: Context<Shelf>): unknown {
    return sendJSON(context, readingList.on(context.params.pathParam("shelf")));
  }
}
