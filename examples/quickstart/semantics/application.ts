import { Application, ResourceGroup } from "fingerpost";
import { basic } from "fingerpost/middleware/basic";
import { openapi } from "fingerpost/openapi";
import { Book } from "./book.ts";
import { Books } from "./books.ts";
import { Edition } from "./edition.ts";
import { Statistics } from "./statistics.ts";

const librarians = basic({ realm: "library", users: { librarian: "shelf" } });
const admin = ResourceGroup.builder().resources(Statistics).prefix("/admin").middleware(librarians).build();

/** The reading list with declared operations, its OpenAPI document, and the page to read that. */
export const application = Application.builder()
  .resources(Books, Book, Edition, admin, openapi({ title: "Reading list", version: "1.0.0" }))
  .build();
