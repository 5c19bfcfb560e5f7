import { page, reply, type Call } from "fingerpost/semantics";
import type { z } from "zod";
import { addNote } from "./note-rows.ts";
import { Note, NoteContent, NotePlace } from "./schemas.ts";
import { me, StoredResource } from "./stored-resource.ts";

export class Notes extends StoredResource {
  paths = ["/notes"] as const;

  static GET = { summary: "Your notes, by title", 200: page(Note, { by: NotePlace }), tool: { name: "list_notes" } };
  async GET(call: Call<typeof Notes, "GET">) {
    const { after, limit } = call.page;
    const found = await this.services.database.sql<z.output<typeof Note>>`
      select id, title, body from notes
      where owner = ${me.get(call).id}
        and (${after?.title ?? null}::text is null or (title, id) > (${after?.title ?? null}, ${after?.id ?? null}::int))
      order by title, id limit ${limit + 1}`;
    const items = found.slice(0, limit);
    return { items, next: found.length > limit ? items.at(-1)! : null };
  }

  static POST = { summary: "Adds a note", content: NoteContent, 201: Note, tool: { name: "add_note" } };
  async POST(call: Call<typeof Notes, "POST">) {
    const note = await this.services.database.transaction((sql) => addNote(sql, me.get(call).id, call.content));
    return reply(201, note, { Location: `/notes/${note.id}` });
  }
}
