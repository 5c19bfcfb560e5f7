import assert from "node:assert/strict";
import { test } from "node:test";
import app from "./application.ts";

const ask = (path: string) => app.request(path);

test("shows a book", async () => {
  const response = await ask("/books/1");
  assert.deepEqual(await response.json(), { title: "Kindred", year: 1979 });
});

test("has no other book", async () => {
  assert.equal((await ask("/books/9")).status, 404);
});
