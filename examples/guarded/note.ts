import { HTTPError, Resource, Response, Status, type RequestOf } from "fingerpost/native";
import { client } from "./clients.ts";
import { notes, type Note as State } from "./notes.ts";

/** A note. What it offers as validator, the middleware `conditional` compares with what a client has seen. */
export class Note extends Resource {
  paths = ["/notes/:id"] as const;

  validator(request: RequestOf<Note>): { etag: string } | null {
    const note = notes.get(request.params.pathParam("id"));
    return note === undefined ? null : { etag: etagOf(note) };
  }

  GET(request: RequestOf<Note>): Response {
    return Response.json(noteOf(request));
  }

  async PUT(request: RequestOf<Note>): Promise<Response> {
    const id = request.params.pathParam("id");
    const known = notes.get(id);
    const note = { text: await request.text(), author: client.get(request).name, version: (known?.version ?? 0) + 1 };
    notes.set(id, note);
    return new Response(null, { status: known === undefined ? 201 : 204, headers: { etag: etagOf(note) } });
  }

  DELETE(request: RequestOf<Note>): Response {
    noteOf(request);
    notes.delete(request.params.pathParam("id"));
    return new Response(null, Status.NoContent);
  }
}

function noteOf(request: RequestOf<Note>): State {
  const note = notes.get(request.params.pathParam("id"));
  if (note === undefined) throw new HTTPError(404, "There is no such note");
  return note;
}

function etagOf({ version }: State): string {
  return `"${version}"`;
}
