import { lines, type Call } from "fingerpost/semantics";
import { z } from "zod";
import { addNote } from "./note-rows.ts";
import { Note, NoteContent } from "./schemas.ts";
import { me, StoredResource } from "./stored-resource.ts";

/** All notes of a user as lines: what one application exports, another one imports. */
export class Transfer extends StoredResource {
  paths = ["/notes.jsonl"] as const;

  static GET = { summary: "Exports your notes", 200: lines(Note) };
  async *GET(call: Call<typeof Transfer, "GET">) {
    for (let last = 0, rows: z.output<typeof Note>[]; ; last = rows.at(-1)!.id) {
      rows = await this.services.database.sql`
        select id, title, body from notes where owner = ${me.get(call).id} and id > ${last} order by id limit 500`;
      yield* rows;
      if (rows.length < 500) return undefined;
    }
  }

  static POST = {
    summary: "Imports notes: all of them, or none",
    content: lines(NoteContent, { maxBytes: 100_000_000 }),
    200: z.object({ imported: z.int() }),
  };
  POST(call: Call<typeof Transfer, "POST">) {
    return this.services.database.transaction(async (sql) => {
      let imported = 0;
      for await (const note of call.content) {
        await addNote(sql, me.get(call).id, note);
        imported++;
      }
      return { imported };
    });
  }
}
