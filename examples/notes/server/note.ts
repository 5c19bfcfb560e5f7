import { patch, reply, type Call } from "fingerpost/semantics";
import { z } from "zod";
import { tell } from "./note-rows.ts";
import { Note as NoteSchema, NoteContent } from "./schemas.ts";
import { me, StoredResource } from "./stored-resource.ts";

const missing = { 404: "You have no such note" } as const;
const id = z.object({ id: z.int().max(2 ** 31 - 1) });

export class Note extends StoredResource {
  paths = ["/notes/:id"] as const;

  async validator(call: Call<typeof Note, "GET">) {
    const note = await this.#find(call);
    return note === undefined ? null : { etag: `"${note.version}"` };
  }

  static GET = { summary: "A note", path: id, 200: NoteSchema, ...missing, tool: { name: "read_note" } };
  async GET(call: Call<typeof Note, "GET">) {
    return (await this.#find(call)) ?? reply(404);
  }

  static PUT = {
    summary: "Changes a note",
    path: id,
    content: NoteContent,
    conditional: "required" as const,
    200: NoteSchema,
    ...missing,
    412: "Somebody else was faster",
    tool: { name: "change_note" },
  };
  async PUT(call: Call<typeof Note, "PUT">) {
    const { title, body } = call.content;
    const owner = me.get(call).id;
    return this.services.database.transaction(async (sql) => {
      const [note] = await sql<z.output<typeof NoteSchema>>`
        update notes set title = ${title}, body = ${body}, version = version + 1
        where id = ${call.path.id} and owner = ${owner} and version = ${Number(call.version)}
        returning id, title, body`;
      if (note === undefined) return reply(412);
      await tell(sql, { owner, change: "changed", id: note.id, title });
      return note;
    });
  }

  static PATCH = patch(this.GET, this.PUT);

  static DELETE = { summary: "Removes a note", path: id, 204: "The note is removed", ...missing };
  async DELETE(call: Call<typeof Note, "DELETE">) {
    const owner = me.get(call).id;
    return this.services.database.transaction(async (sql) => {
      const [note] = await sql<{ id: number; title: string }>`
        delete from notes where id = ${call.path.id} and owner = ${owner} returning id, title`;
      if (note === undefined) return reply(404);
      await tell(sql, { owner, change: "removed", ...note });
      return reply(204);
    });
  }

  async #find(call: Call<typeof Note, "GET">) {
    const [note] = await this.services.database.sql<z.output<typeof NoteSchema> & { version: number }>`
      select id, title, body, version from notes where id = ${call.path.id} and owner = ${me.get(call).id}`;
    return note;
  }
}
