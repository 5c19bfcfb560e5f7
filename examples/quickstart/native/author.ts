import { Resource } from "fingerpost/modules/http.native.js";
import { readingList } from "../reading-list.ts";
import type { Input } from "./input.ts";

/** The books of one author: `/authors/Octavia%20Butler`. */
export class Author extends Resource {
  paths = ["/authors/:name"];

  GET({ params }: Input): Response {
    return Response.json(readingList.by(params.pathParam("name")!));
  }
}
