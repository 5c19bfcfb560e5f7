import { Resource } from "fingerpost/modules/http.native.js";
import { readingList } from "../reading-list.ts";
import type { Input } from "./input.ts";

/** The books on a shelf; shelves stand within shelves: `/shelves/fiction/space`. */
export class Shelf extends Resource {
  paths = ["/shelves/:shelf+"];

  GET({ params }: Input): Response {
    return Response.json(readingList.on(params.pathParam("shelf")!));
  }
}
