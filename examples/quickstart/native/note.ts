import { type RequestOf, Resource, Response, Status } from "fingerpost/native";
import { noteAt, notes } from "../notes.ts";

/** A note: whatever path ends in `.txt`. */
export class Note extends Resource {
  paths = ["/(.+\\.txt)"] as const;

  GET({ params }: RequestOf<Note>): Response {
    return new Response(noteAt(params.pathParam("0")));
  }

  async PUT(request: RequestOf<Note>): Promise<Response> {
    notes.set(request.params.pathParam("0"), await request.text());
    return new Response(null, Status.NoContent);
  }
}
