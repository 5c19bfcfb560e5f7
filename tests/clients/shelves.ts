// What generated clients call: a param, a list in the query, JSON, and a form with a list and a file.
import { Application, form, reply, Resource, upload, type Answer, type Call } from "fingerpost";
import { memory } from "fingerpost/files";
import { z } from "zod";

const shelf = z.object({ shelf: z.string() });
const book = z.object({ title: z.string(), pages: z.int(), isNew: z.boolean().optional() }).meta({ id: "Book" });

class Books extends Resource {
  paths = ["/shelves/:shelf/books"] as const;

  static POST = {
    id: "addBook",
    path: shelf,
    query: z.object({ tag: z.array(z.string()) }),
    content: book,
    201: book.extend({ shelf: z.string(), tag: z.array(z.string()) }).meta({ id: "AddedBook" }),
  };
  POST({ path, query, content }: Call<typeof Books, "POST">): Answer<typeof Books, "POST"> {
    return reply(201, { ...path, ...query, ...content });
  }
}

class Covers extends Resource {
  paths = ["/shelves/:shelf/covers"] as const;

  static POST = {
    id: "addCover",
    path: shelf,
    content: form({ title: z.string(), tags: z.array(z.string()), cover: upload({ maxBytes: 1000, to: memory() }) }),
    200: z
      .object({ shelf: z.string(), title: z.string(), tags: z.array(z.string()), type: z.string(), bytes: z.string() })
      .meta({ id: "Cover" }),
  };
  POST({ path, content }: Call<typeof Covers, "POST">): Answer<typeof Covers, "POST"> {
    const { title, tags, cover } = content;
    return { ...path, title, tags, type: cover.type, bytes: Buffer.from(cover.bytes).toString("latin1") };
  }
}

export const app: Application = Application.builder().resources(Books, Covers).build();
