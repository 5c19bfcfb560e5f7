import { Resource, Status } from "fingerpost/polyfill";
import { noteAt, notes } from "../notes.ts";
import { contentOf, send, sendNothing, type Context } from "./context.ts";

/** A note: whatever path ends in `.txt`. */
export class Note extends Resource {
  paths = ["/(.+\\.txt)"] as const;

  GET(context: Context<Note>): unknown {
    return send(context, noteAt(context.params.pathParam("0")));
  }

  async PUT(context: Context<Note>): Promise<unknown> {
    notes.set(context.params.pathParam("0"), await contentOf(context));
    return sendNothing(context, Status.NoContent);
  }
}
