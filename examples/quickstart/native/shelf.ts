import { type RequestOf, Resource, Response } from "fingerpost/native";
import { readingList } from "../reading-list.ts";

/** The books on a shelf; shelves stand within shelves: `/shelves/fiction/space`. */
export class Shelf extends Resource {
  paths = ["/shelves/:shelf+"] as const;

  GET({ params }: RequestOf<Shelf>): Response {
    return Response.json(readingList.on(params.pathParam("shelf")));
  }
}
