import { Application } from "fingerpost";
import { openapi } from "fingerpost/openapi";
import { resources } from "./library.ts";

/** The library, with its document and a page to read it. */
export const app: Application = Application.builder()
  .resources(...resources, ...openapi({ title: "Library", version: "1.0.0", description: "Books & shelves." }))
  .build();
