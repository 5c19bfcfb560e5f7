import { Application } from "fingerpost";
import { openapi } from "fingerpost/openapi";
import { Book } from "./book.ts";

const documentation = openapi({ title: "Books", version: "1.0.0" });

// "check" validates each answer by its whole schema, for tests and development. Without that line, members and types
// are checked, and constraints such as `min(1)` are not: that costs less.
const app = Application.builder().resources(Book, documentation).replies("check").build();

export default app;
