import { HTTPError } from "fingerpost/native";
import { readingList } from "./reading-list.ts";

/** The whole list in a format for other programs, with its media type. */
export function listingAs(format: string): { readonly mediaType: string; readonly content: string } {
  const books = readingList.all();
  if (format === "csv") {
    const rows = books.map(({ title, author }) =>
      [title, author].map((text) => `"${text.replaceAll('"', '""')}"`).join(","),
    );
    return { mediaType: "text/csv;charset=utf-8", content: rows.map((row) => `${row}\r\n`).join("") };
  }
  if (format === "md") {
    const lines = books.map(({ title, author }) => `- *${title}* by ${author}\n`);
    return { mediaType: "text/markdown;charset=utf-8", content: lines.join("") };
  }
  throw new HTTPError(404, "The list comes as books.csv and as books.md");
}
