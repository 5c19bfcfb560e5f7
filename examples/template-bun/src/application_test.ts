import { expect, test } from "bun:test";
import app from "./application.ts";

const ask = (path: string) => app.request(path);

test("shows a book", async () => {
  const response = await ask("/books/1");
  expect(await response.json()).toEqual({ title: "Kindred", year: 1979 });
});

test("has no other book", async () => {
  expect((await ask("/books/9")).status).toBe(404);
});
