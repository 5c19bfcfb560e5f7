import {
  Application,
  bytes,
  events,
  reply,
  Resource,
  ResourceGroup,
  text,
  written,
  type Answer,
  type Call,
} from "fingerpost";
import { basic } from "fingerpost/middleware/basic";
import { bearer } from "fingerpost/middleware/bearer";
import { csrf } from "fingerpost/middleware/csrf";
import { rateLimit } from "fingerpost/middleware/rate-limit";
import { Resource as NativeResource } from "fingerpost/native";
import { z } from "zod";

const author = z.object({ name: z.string(), born: z.int().optional() }).meta({ id: "Author" });
const book = z
  .object({
    isbn: z.string().regex(/^\d{13}$/),
    title: z.string().min(1).max(200),
    author,
    language: z.enum(["en", "de"]).default("en"),
    subtitle: z.string().nullable().optional(),
  })
  .meta({ id: "Book" });
type Book = z.output<typeof book>;

/** Shelves hold shelves: a schema that refers to itself. */
const shelf = z
  .object({
    name: z.string(),
    get shelves() {
      return z.array(shelf);
    },
  })
  .meta({ id: "Shelf" });

const first: Book = {
  isbn: "9780807083697",
  title: "Kindred",
  author: { name: "Octavia E. Butler", born: 1947 },
  language: "en",
};
const isbn = z.object({ isbn: z.string().regex(/^\d{13}$/) });

export class BookList extends Resource {
  paths = ["/books"] as const;

  static tags = ["books"];
  static GET = {
    summary: "Lists books",
    query: z.object({
      author: z.string().optional(),
      limit: z.int().min(1).max(100).default(20),
      language: z.array(z.enum(["en", "de"])).optional(),
    }),
    200: {
      content: {
        "application/json": z.array(book),
        "text/csv": written("text/csv", (books: Book[]) => books.map(({ title }) => title).join("\r\n")),
      },
    },
    cache: "no-cache",
  };
  GET({ query }: Call<typeof BookList, "GET">): Answer<typeof BookList, "GET"> {
    return [first].slice(0, query.limit);
  }

  static POST = {
    content: book,
    examples: { kindred: first },
    201: { description: "The book was added", content: book, headers: { location: z.string() } },
    409: "A book has this ISBN already",
  };
  POST({ content }: Call<typeof BookList, "POST">): Answer<typeof BookList, "POST"> {
    if (content.isbn === first.isbn) return reply(409);
    return reply(201, content, { location: `/books/${content.isbn}` });
  }

  static QUERY = { content: z.object({ text: z.string() }), 200: z.array(book) };
  override QUERY(): Answer<typeof BookList, "QUERY"> {
    return [];
  }
}

export class BookItem extends Resource {
  paths = ["/books/:isbn", "/isbn/:isbn"] as const;

  static tags = ["books"];
  validator({ path }: Call<typeof BookItem, "GET">): { etag: string } | null {
    return path.isbn === first.isbn ? { etag: '"1"' } : null;
  }

  static GET = { path: isbn, 200: book, 404: "No book has this ISBN" };
  GET({ path }: Call<typeof BookItem, "GET">): Answer<typeof BookItem, "GET"> {
    return path.isbn === first.isbn ? first : reply(404);
  }

  static PUT = { path: isbn, content: book, 200: book, 404: "No book has this ISBN", precondition: true };
  PUT({ path, content }: Call<typeof BookItem, "PUT">): Answer<typeof BookItem, "PUT"> {
    return path.isbn === first.isbn ? content : reply(404);
  }

  static DELETE = { path: isbn, at: ["/books/:isbn"], deprecated: true, 204: "The book is gone" };
  DELETE(): Answer<typeof BookItem, "DELETE"> {
    return undefined;
  }
}

export class Cover extends Resource {
  paths = ["/books/:isbn/cover"] as const;

  static GET = { path: isbn, 200: bytes("image/png") };
  GET(): Answer<typeof Cover, "GET"> {
    return new Uint8Array([137, 80, 78, 71]);
  }

  static PUT = { path: isbn, content: bytes("image/png", { maxBytes: 1000 }), 204: "The cover is stored" };
  PUT(): Answer<typeof Cover, "PUT"> {
    return undefined;
  }
}

export class Shelves extends Resource {
  paths = ["/shelves/:name?"] as const;

  static GET = { summary: "Shows a shelf & what is on it", 200: shelf };
  GET({ path }: Call<typeof Shelves, "GET">): Answer<typeof Shelves, "GET"> {
    return { name: path.name ?? "all", shelves: [{ name: "novels", shelves: [] }] };
  }
}

export class Loans extends Resource {
  paths = ["/loans"] as const;

  static GET = {
    headers: z.object({ "x-reader": z.string() }),
    cookies: z.object({ session: z.string().optional() }),
    200: events(z.object({ isbn: z.string(), at: z.date() })),
  };
  async *GET(): AsyncGenerator<{ isbn: string; at: Date }> {
    yield { isbn: first.isbn, at: new Date(0) };
  }

  static POST = {
    content: { "application/x-www-form-urlencoded": z.object({ isbn: z.string(), days: z.int().min(1).default(14) }) },
    200: z.object({ isbn: z.string(), days: z.int(), due: z.date() }),
  };
  POST({ content }: Call<typeof Loans, "POST">): Answer<typeof Loans, "POST"> {
    return { ...content, due: new Date(0) };
  }
}

export class Notes extends Resource {
  paths = ["/notes/:id(\\d+)"] as const;

  static GET = { summary: "A note", description: "In Markdown", 200: text("text/markdown") };
  GET(): Answer<typeof Notes, "GET"> {
    return "# Note";
  }
}

/** Declares nothing, and is of the native module. */
export class Files extends NativeResource {
  paths = ["/files/:path*"] as const;

  GET(): Response {
    return new Response("file");
  }
}

export class Admin extends Resource {
  paths = ["/settings"] as const;

  static PATCH = { content: z.object({ isOpen: z.boolean() }), 204: "The settings are stored" };
  PATCH(): Answer<typeof Admin, "PATCH"> {
    return undefined;
  }
}

const limiter = {
  points: 1_000_000,
  duration: 1,
  consume: () => Promise.resolve({ remainingPoints: 1, msBeforeNext: 1 }),
};

export const resources = [
  BookList,
  BookItem,
  Cover,
  Shelves,
  Loans,
  Notes,
  Files,
  ResourceGroup.builder()
    .resources(Admin)
    .prefix("/admin")
    .middleware(
      bearer({ tokens: { "a-long-random-token": "ada" } }),
      csrf(),
      rateLimit({ limiter, keyOf: () => "all" }).on("PATCH"),
    )
    .build(),
] as const;

export const app: Application = Application.builder()
  .resources(...resources)
  .build();
export const guarded: Application = Application.builder()
  .resources(Shelves)
  .middleware(basic({ realm: "library", users: { ada: "analytical engine" } }))
  .build();
