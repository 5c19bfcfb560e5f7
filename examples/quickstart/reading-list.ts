// What the application is about. It knows nothing of either chain; its errors say how a client learns of them.
import { HTTPError } from "fingerpost/native";
import { UnknownBook } from "./unknown-book.ts";

/** What a client sends. */
export interface Draft {
  readonly title: string;
  readonly author: string;
  readonly isbn?: string | undefined;
  readonly shelf?: string | undefined;
}

interface Book extends Draft {
  readonly id: number;
}

const firstBooks: readonly Draft[] = [
  { title: "Kindred", author: "Octavia Butler", isbn: "9780807083697", shelf: "fiction/time-travel" },
  { title: "The Left Hand of Darkness", author: "Ursula K. Le Guin", isbn: "9780441478125", shelf: "fiction/space" },
  { title: "A Wizard of Earthsea", author: "Ursula K. Le Guin", shelf: "fiction" },
];

class ReadingList {
  readonly #books = new Map<string, Book>();
  readonly #versions = new Map<string, number>();
  #lastId = 0;
  #changes = 0;

  constructor() {
    this.reset();
  }

  reset(): void {
    this.#books.clear();
    this.#versions.clear();
    this.#lastId = 0;
    for (const draft of firstBooks) this.add(draft);
  }

  /** All books, or those whose title has a text in it. */
  all(text = ""): Book[] {
    return [...this.#books.values()].filter(({ title }) => title.toLowerCase().includes(text.toLowerCase()));
  }

  by(author: string): Book[] {
    return this.all().filter((book) => book.author === author);
  }

  /** The books on a shelf such as "fiction/space", and on the shelves within it. */
  on(shelf: string): Book[] {
    return this.all().filter((book) => `${book.shelf ?? ""}/`.startsWith(`${shelf}/`));
  }

  book(id: string): Book {
    const book = this.#books.get(id);
    if (book === undefined) throw new UnknownBook(id);
    return book;
  }

  withISBN(isbn: string): Book {
    const book = this.all().find((candidate) => candidate.isbn === isbn);
    if (book === undefined) throw new UnknownBook(`with ISBN ${isbn}`);
    return book;
  }

  add(draft: Draft): Book {
    return this.#stored({ id: ++this.#lastId, ...draft });
  }

  replace(id: string, draft: Draft): Book {
    return this.#stored({ ...draft, id: this.book(id).id });
  }

  remove(id: string): void {
    this.#books.delete(String(this.book(id).id));
    this.#versions.delete(id);
  }

  /** Changes whenever the book does; `undefined` for a book that does not exist. */
  versionOf(id: string): number | undefined {
    return this.#versions.get(id);
  }

  #stored(book: Book): Book {
    this.#books.set(String(book.id), book);
    this.#versions.set(String(book.id), ++this.#changes);
    return book;
  }
}

/** The list that all chains serve. It lives as long as the process. */
export const readingList: ReadingList = new ReadingList();

/** Reads a draft from what a client sent: 400 if it is not JSON, 422 if it does not describe a book. */
export function draftOf(content: string): Draft {
  const { title, author, isbn, shelf } = (parsed(content) ?? {}) as { [Key in keyof Draft]?: unknown };
  if (!isText(title) || !isText(author)) {
    throw new HTTPError(422, 'A book has a "title" and an "author"');
  }
  return { title, author, ...(isText(isbn) && { isbn }), ...(isText(shelf) && { shelf }) };
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (cause) {
    throw new HTTPError(400, "The content is not JSON", { cause });
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
