// The server: two resources with declared operations. `main.ts` serves them.
import { Application, reply, Resource, ResourceGroup, type Answer, type Call } from "fingerpost/semantics";
import { z } from "zod";

const book = z.object({ isbn: z.string(), title: z.string().min(1) });
const books = new Map([["9780807083697", "Kindred"]]);

class Books extends Resource {
  paths = ["/books"] as const;

  static GET = { query: z.object({ search: z.string().optional() }), 200: z.array(book) };
  override GET({ query }: Call<typeof Books, "GET">): Answer<typeof Books, "GET"> {
    const all = [...books].map(([isbn, title]) => ({ isbn, title }));
    return all.filter(({ title }) => title.toLowerCase().includes(query.search?.toLowerCase() ?? ""));
  }
}

class Book extends Resource {
  paths = ["/books/:isbn"] as const;

  static PUT = { content: book.pick({ title: true }), 201: book, 409: "The list has this ISBN already" };
  override PUT({ path, content }: Call<typeof Book, "PUT">): Answer<typeof Book, "PUT"> {
    if (books.has(path.isbn)) return reply(409);
    books.set(path.isbn, content.title);
    return reply(201, { isbn: path.isbn, title: content.title });
  }
}

const api = ResourceGroup.builder().resources(Books, Book).prefix("/api").build();
export const app = Application.builder().resources(api).build();
