import { client, clientEvents, itemsOf, connect } from "fingerpost/client";
import type { Api } from "../server/application.ts";

const api = client<Api>(location.origin, { events: clientEvents });
const found = <Found extends HTMLElement>(selector: string): Found => document.querySelector<Found>(selector)!;
const [status, inside, entrance, notes] = ["[role=status]", "#inside", "#entrance", "#notes"].map((one) => found(one));
const picture = found<HTMLImageElement>("#picture");

/** Runs what a form says, and tells what went wrong. */
function onSubmit(selector: string, act: (fields: FormData, how: string) => Promise<string | undefined>): void {
  found<HTMLFormElement>(selector).addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const how = event.submitter?.getAttribute("value") ?? "";
    status!.textContent = (await act(new FormData(form), how).catch(String)) ?? "";
  });
}

onSubmit("#entrance", async (fields, how) => {
  const content = { email: String(fields.get("email")), password: String(fields.get("password")) };
  const result = how === "up" ? await api["/users"].POST({ content }) : await api["/session"].POST({ content });
  if (!result.ok) return result.content.detail ?? result.content.title;
  await enter(result.content.email);
  return "";
});

onSubmit("#add", async (fields) => {
  const content = { title: String(fields.get("title")), body: String(fields.get("body")) };
  const result = await api["/notes"].POST({ content });
  return result.ok ? `“${result.content.title}” is added` : (result.content.detail ?? result.content.title);
});

onSubmit("#avatar", async (fields) => {
  const content = { picture: fields.get("picture") as File };
  const result = await api["/avatar"].PUT({ type: "multipart/form-data", content });
  if (!result.ok) return result.content.detail ?? result.content.title;
  showPicture();
  return "";
});

found("#leave").addEventListener("click", async () => {
  const result = await api["/session"].DELETE();
  if (result.ok) location.reload();
  else status!.textContent = result.content.title ?? "You are still signed in";
});

async function enter(email: string): Promise<void> {
  entrance!.hidden = true;
  inside!.hidden = false;
  found("#who").textContent = email;
  showPicture();
  void listen().catch(leave);
  await list();
}

/** Shows the entrance again, such as when another window has signed out. */
function leave(reason: unknown): void {
  entrance!.hidden = false;
  inside!.hidden = true;
  status!.textContent = String(reason);
}

function showPicture(): void {
  picture.addEventListener("load", () => (picture.hidden = false));
  picture.src = `/avatar?${Date.now()}`;
}

async function list(): Promise<void> {
  const items: HTMLElement[] = [];
  for await (const note of itemsOf(api["/notes"].GET, {})) {
    const item = document.createElement("li");
    item.append(note.title, " ", removal(note.id, note.title));
    items.push(item);
  }
  notes!.replaceChildren(...items);
}

function removal(id: number, title: string): HTMLElement {
  const button = document.createElement("button");
  button.textContent = "Remove";
  button.setAttribute("aria-label", `Remove ${title}`);
  button.addEventListener("click", () => api["/notes/:id"].DELETE({ path: { id } }));
  return button;
}

/** Lists anew at each change: told by a WebSocket, or by events where a proxy lets no WebSocket pass. */
async function listen(): Promise<void> {
  // What changed while there was no connection was told to nobody here.
  const result = await connect(api["/live"].GET, {}, { reconnect: true, opened: () => void list() });
  if (!result.ok) return leave(result.content.title);
  for await (const _ of result.content) await list();
}

const known = await api["/session"].GET();
if (known.ok) await enter(known.content.email);
