import { Resource, Status } from "fingerpost/modules/http.native.js";
import { noteAt, notes } from "../notes.ts";
import type { Input } from "./input.ts";

/** A note: whatever path ends in `.txt`. */
export class Note extends Resource {
  paths = ["/(.+\\.txt)"];

  GET({ params }: Input): Response {
    return new Response(noteAt(params.pathParam("0")!));
  }

  async PUT(request: Input): Promise<Response> {
    notes.set(request.params.pathParam("0")!, await request.text());
    return new Response(null, Status.NoContent);
  }
}
