// Shows the articles that are there, and each that any user publishes. EventSource connects again by itself, and says
// what it has.
const list = document.querySelector("#articles");
const status = document.querySelector("[role=status]");

function show({ slug, title, author }) {
  // Who connects while an article is published can get it twice: in the list, and as an event.
  if (list.querySelector(`[data-slug="${CSS.escape(slug)}"]`) !== null) return;
  const item = document.createElement("li");
  item.dataset.slug = slug;
  item.textContent = `${title}, by ${author}`;
  list.prepend(item);
}

const source = new EventSource("/api/live");
let isListed = Promise.resolve();
source.addEventListener("article", async ({ data }) => {
  await isListed;
  show(JSON.parse(data));
});
source.addEventListener("error", () => (status.textContent = "Connecting again …"));
source.addEventListener("open", () => {
  status.textContent = "Connected";
  isListed = listed();
});

async function listed() {
  const response = await fetch("/api/articles?limit=20");
  if (!response.ok) return;
  const { articles } = await response.json();
  for (const { slug, title, author } of articles.toReversed()) show({ slug, title, author: author.username });
}
