import { Application } from "fingerpost";
import { openapi } from "fingerpost/openapi";
import { Book } from "./book.ts";

const documentation = openapi({ title: "Books", version: "1.0.0" });

// "check" validates each answer by its whole schema, for tests and development. "shape" checks members and types, and
// no constraints such as `min(1)`: that costs less.
const app = Application.builder().resources(Book, documentation).replies("check").build();

export default app;
