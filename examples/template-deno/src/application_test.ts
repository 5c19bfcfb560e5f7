import assert from "node:assert/strict";
import { document } from "fingerpost/openapi";
import app from "./application.ts";

const ask = (path: string) => app.request(path);

// Fails for what no request shows, such as two schemas of one id.
Deno.test("can be described", () => {
  const { paths } = document(app, { title: "Books", version: "1.0.0" });
  assert.ok("/books/{id}" in paths);
});

Deno.test("shows a book", async () => {
  const response = await ask("/books/1");
  assert.deepEqual(await response.json(), { title: "Kindred", year: 1979 });
});

Deno.test("has no other book", async () => {
  assert.equal((await ask("/books/9")).status, 404);
});
