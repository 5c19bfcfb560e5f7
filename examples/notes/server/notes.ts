import { page, reply, urlOf, type Call } from "fingerpost";
import type { z } from "zod";
import { Note as NoteResource } from "./note.ts";
import { Note, NoteContent, NotePlace } from "./schemas.ts";
import { me, StoredResource } from "./stored-resource.ts";

export class Notes extends StoredResource {
  paths = ["/notes"] as const;

  static GET = {
    summary: "Your notes, by title",
    scopes: ["notes:read"],
    200: page(Note, { by: NotePlace }),
    tool: { name: "list_notes" },
  };
  async GET(call: Call<typeof Notes, "GET">) {
    const { after, limit } = call.page;
    const found = await this.services.sql<z.output<typeof Note>>`
      select id, title, body from notes
      where owner = ${me.get(call).id}
        and (${after?.title ?? null}::text is null or (title, id) > (${after?.title ?? null}, ${after?.id ?? null}::int))
      order by title, id limit ${limit + 1}`;
    return call.page.of(found);
  }

  static POST = {
    summary: "Adds a note",
    scopes: ["notes:write"],
    content: NoteContent,
    201: Note,
    tool: { name: "add_note" },
  };
  async POST(call: Call<typeof Notes, "POST">) {
    const { title, body } = call.content;
    const [note] = await this.services.sql<z.output<typeof Note>>`
      insert into notes (owner, title, body) values (${me.get(call).id}, ${title}, ${body}) returning id, title, body`;
    return reply(201, note!, { Location: urlOf(call, NoteResource, { id: note!.id }) });
  }
}
