// What all candidates know: the content they answer with, and the schemas they validate by.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";

const description =
  "Holds half a liter, pours without a drop on the table, and keeps its heat for an hour and a half if it has its " +
  "cover on.";

/** Some 250 bytes of JSON. */
export function itemOf(id) {
  return { id, name: "Teapot, blue glaze", description, price: 24.5, inStock: true, tags: ["kitchen", "tea", "blue"] };
}

export function shownItemOf(id, { limit, lang }) {
  return { ...itemOf(id), limit, lang };
}

const stock = Array.from({ length: 40 }, (_, at) => itemOf(2000 + at));

/** Some 10 kB of JSON: the list is new each time, its members are not. */
export function listed() {
  return stock.slice();
}

export function createdOf({ name, quantity }) {
  return { id: 1000, name, quantity };
}

export const createdAt = "/items/1000";
export const greeting = "Hello, world";
export const token = "a-token-of-some-length-0123456789";
export const problemType = "application/problem+json";
export const notFound = { title: "Not Found", status: 404 };
export const unfit = { title: "Unprocessable Content", status: 422, detail: "The content does not fit" };

const file = "tea.bin";

/** The folder of the file of 64 kB. */
export function folderOfFile() {
  const folder = mkdtempSync(join(tmpdir(), "bench-files-"));
  writeFileSync(
    join(folder, file),
    Uint8Array.from({ length: 65_536 }, (_, at) => (at * 31) & 255),
  );
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const Params = z.object({ id: z.coerce.number().int() });
export const Query = z.object({ limit: z.coerce.number().int().min(1).max(100), lang: z.enum(["en", "de", "fr"]) });
export const Item = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  price: z.number(),
  inStock: z.boolean(),
  tags: z.array(z.string()),
});
export const ShownItem = Item.extend({ limit: z.int(), lang: z.string() });
export const List = z.array(Item);
export const NewItem = z.object({
  name: z.string().min(1).max(80),
  description: z.string().max(400),
  price: z.number().min(0),
  quantity: z.int().min(1),
  tags: z.array(z.string()).max(10),
  supplier: z.object({ name: z.string(), city: z.string(), email: z.string() }),
});
export const Problem = z.object({ title: z.string(), status: z.int(), detail: z.string().optional() });
export const Created = z.object({ id: z.int(), name: z.string(), quantity: z.int() });

/** The same for those that take JSON Schema. */
export const json = Object.fromEntries(
  Object.entries({ Item, ShownItem, List, NewItem, Created }).map(([name, schema]) => {
    const { $schema: _, ...shape } = z.toJSONSchema(schema);
    return [name, shape];
  }),
);
json.Params = { type: "object", properties: { id: { type: "integer" } }, required: ["id"] };
json.Query = {
  type: "object",
  properties: {
    limit: { type: "integer", minimum: 1, maximum: 100 },
    lang: { type: "string", enum: ["en", "de", "fr"] },
  },
  required: ["limit", "lang"],
};

/** Whether a field `Authorization` has the token, for those who have no guard of their own. */
export function isAuthorized(field) {
  return field === `Bearer ${token}`;
}
