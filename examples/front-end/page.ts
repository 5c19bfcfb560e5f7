// The page: it imports the type of the quickstart's application, and none of its code.
import { client } from "fingerpost/client";
import type { application } from "../quickstart/semantics/application.ts";

const api = client<typeof application>(`${location.origin}/api`);
const list = document.querySelector("ul")!;
const form = document.querySelector("form")!;
const message = document.querySelector("output")!;

async function show(): Promise<void> {
  const books = (await api["/books"].GET({ accept: "application/json" })).orThrow();
  if (typeof books === "string") return;
  list.replaceChildren(
    ...books.map(({ title, author }) => {
      const item = document.createElement("li");
      item.textContent = `${title} by ${author}`;
      return item;
    }),
  );
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const values = new FormData(form);
  const content = { title: String(values.get("title")), author: String(values.get("author")) };
  const result = await api["/books"].POST({ content });
  message.value = result.ok ? `Added ${result.content.title}` : (result.content.detail ?? "It cannot be added");
  await show();
});

await show();
