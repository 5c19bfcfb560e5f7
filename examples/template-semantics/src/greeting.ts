import { Resource, text, type Call } from "fingerpost/semantics";
import * as z from "zod";

/** Greets whoever the path names: `/hello`, `/hello/Ada`. */
export class Greeting extends Resource {
  paths = ["/hello/:name?"] as const;

  static GET = { path: z.object({ name: z.string().max(40).default("World") }), 200: text() };
  GET({ path }: Call<typeof Greeting, "GET">) {
    return `Hello, ${path.name}\n`;
  }
}
