// The page: it imports the type of the application, and none of its code.
import { client } from "fingerpost/client";
import type { app } from "./application.ts";

const api = client<typeof app>(location.origin);
const list = document.querySelector("ul")!;
const form = document.querySelector("form")!;
const message = document.querySelector("output")!;

async function show(): Promise<void> {
  const books = (await api["/api/books"].GET()).orThrow();
  list.replaceChildren(
    ...books.map(({ isbn, title }) => {
      const item = document.createElement("li");
      item.textContent = `${title} (${isbn})`;
      return item;
    }),
  );
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const values = new FormData(form);
  const path = { isbn: String(values.get("isbn")) };
  const result = await api["/api/books/:isbn"].PUT({ path, content: { title: String(values.get("title")) } });
  message.value = result.ok ? `Added ${result.content.title}` : (result.content.detail ?? "It cannot be added");
  await show();
});

await show();
