import { patch, reply, type Call } from "fingerpost";
import type { z } from "zod";
import { Id, Note as NoteSchema, NoteContent } from "./schemas.ts";
import { me, StoredResource } from "./stored-resource.ts";

const missing = { 404: "You have no such note" } as const;

export class Note extends StoredResource {
  paths = ["/notes/:id"] as const;

  async validator(call: Call<typeof Note, "GET">) {
    const note = await this.#find(call);
    return note === undefined ? null : { etag: `"${note.version}"` };
  }

  static GET = {
    summary: "A note",
    scopes: ["notes:read"],
    path: Id,
    200: NoteSchema,
    ...missing,
    tool: { name: "read_note" },
  };
  async GET(call: Call<typeof Note, "GET">) {
    return (await this.#find(call)) ?? reply(404);
  }

  static PUT = {
    summary: "Changes a note",
    scopes: ["notes:write"],
    path: Id,
    content: NoteContent,
    precondition: true,
    200: NoteSchema,
    ...missing,
    412: "Somebody else was faster",
    tool: { name: "change_note" },
  };
  async PUT(call: Call<typeof Note, "PUT">) {
    const { title, body } = call.content;
    const [note] = await this.services.sql<z.output<typeof NoteSchema>>`
      update notes set title = ${title}, body = ${body}, version = version + 1
      where id = ${call.path.id} and owner = ${me.get(call).id} and version = ${Number(call.version)}
      returning id, title, body`;
    return note ?? reply(412);
  }

  static PATCH = patch(this.GET, this.PUT);

  static DELETE = {
    summary: "Removes a note",
    scopes: ["notes:write"],
    path: Id,
    204: "The note is removed",
    ...missing,
  };
  async DELETE(call: Call<typeof Note, "DELETE">) {
    const [note] = await this.services.sql`
      delete from notes where id = ${call.path.id} and owner = ${me.get(call).id} returning id`;
    return reply(note ? 204 : 404);
  }

  async #find(call: Call<typeof Note, "GET">) {
    const [note] = await this.services.sql<z.output<typeof NoteSchema> & { version: number }>`
      select id, title, body, version from notes where id = ${call.path.id} and owner = ${me.get(call).id}`;
    return note;
  }
}
