import { Resource } from "fingerpost/polyfill";
import { readingList } from "../reading-list.ts";
import { sendJSON, type Context } from "./context.ts";

/** The books of one author: `/authors/Octavia%20Butler`. */
export class Author extends Resource {
  paths = ["/authors/:name"] as const;

  GET(context: Context<Author>): unknown {
    return sendJSON(context, readingList.by(context.params.pathParam("name")));
  }
}
