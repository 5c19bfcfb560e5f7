import { lines, type Call } from "fingerpost";
import { z } from "zod";
import { Note, NoteContent } from "./schemas.ts";
import { me, StoredResource } from "./stored-resource.ts";

/** All notes of a user as lines: what one application exports, another one imports. */
export class Transfer extends StoredResource {
  paths = ["/notes.jsonl"] as const;

  static GET = { summary: "Exports your notes", scopes: ["notes:read"], 200: lines(Note) };
  async *GET(call: Call<typeof Transfer, "GET">) {
    for (let last = 0, rows: z.output<typeof Note>[]; ; last = rows.at(-1)!.id) {
      rows = await this.services.sql`
        select id, title, body from notes where owner = ${me.get(call).id} and id > ${last} order by id limit 500`;
      yield* rows;
      if (rows.length < 500) return undefined;
    }
  }

  static POST = {
    summary: "Imports notes: all of them, or none",
    scopes: ["notes:write"],
    content: lines(NoteContent, { maxBytes: 100_000_000 }),
    200: z.object({ imported: z.int() }),
  };
  POST(call: Call<typeof Transfer, "POST">) {
    return this.services.transaction(async (sql) => {
      let imported = 0;
      for await (const { title, body } of call.content) {
        await sql`insert into notes (owner, title, body) values (${me.get(call).id}, ${title}, ${body})`;
        imported++;
      }
      return { imported };
    });
  }
}
