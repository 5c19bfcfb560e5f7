import { expect, test } from "bun:test";
import { document } from "fingerpost/openapi";
import app from "./application.ts";

const ask = (path: string) => app.request(path);

// Fails for what no request shows, such as two schemas of one id.
test("can be described", () => {
  const { paths } = document(app, { title: "Books", version: "1.0.0" });
  expect(Object.keys(paths)).toContain("/books/{id}");
});

test("shows a book", async () => {
  const response = await ask("/books/1");
  expect(await response.json()).toEqual({ title: "Kindred", year: 1979 });
});

test("has no other book", async () => {
  expect((await ask("/books/9")).status).toBe(404);
});
