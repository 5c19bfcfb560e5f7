import type { z } from "zod";
import type { Sql } from "./database.ts";
import type { Note, NoteContent, OwnedChange } from "./schemas.ts";

/** Adds a note, and tells all processes of it if the transaction succeeds. */
export async function addNote(sql: Sql, owner: number, { title, body }: z.output<typeof NoteContent>) {
  const [note] = await sql<z.output<typeof Note>>`
    insert into notes (owner, title, body) values (${owner}, ${title}, ${body}) returning id, title, body`;
  await tell(sql, { owner, change: "added", id: note!.id, title });
  return note!;
}

export async function tell(sql: Sql, change: z.output<typeof OwnedChange>): Promise<void> {
  await sql`select pg_notify('changes', ${JSON.stringify(change)})`;
}
