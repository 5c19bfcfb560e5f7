import { type RequestOf, Resource, Response } from "fingerpost/native";
import { readingList } from "../reading-list.ts";

/** The books of one author: `/authors/Octavia%20Butler`. */
export class Author extends Resource {
  paths = ["/authors/:name"] as const;

  GET({ params }: RequestOf<Author>): Response {
    return Response.json(readingList.by(params.pathParam("name")));
  }
}
