import { Application, ResourceGroup } from "fingerpost/native";
import { Author } from "./author.ts";
import { Books } from "./books.ts";
import { Edition } from "./edition.ts";
import { Home } from "./home.ts";
import { LibrariansOnly } from "./librarians-only.ts";
import { Listing } from "./listing.ts";
import { Note } from "./note.ts";
import { Shelf } from "./shelf.ts";
import { Statistics } from "./statistics.ts";

const admin = ResourceGroup.builder().resources(Statistics).prefix("/admin").middleware(LibrariansOnly).build();

/** The reading list for handlers that take a Request and return a Response. */
export const application: Application = Application.builder()
  .resources(Home, Books, Author, Edition, Listing, Shelf, Note, admin)
  .build();
