import { Application, events, Resource, type Answer, type Call } from "fingerpost";
import { document } from "fingerpost/openapi";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { pageOf } from "./page.ts";

const note = z.object({ words: z.string() }).meta({ id: "Note" });

class Notes extends Resource {
  paths = ["/notes"] as const;

  static GET = { 200: z.union([note]) };
  override GET(_call: Call<typeof Notes, "GET">): Answer<typeof Notes, "GET"> {
    return { words: "" };
  }

  static POST = { 200: events(note) };
  override async *POST(_call: Call<typeof Notes, "POST">): AsyncGenerator<z.infer<typeof note>> {}
}

describe("pageOf()", () => {
  const app = Application.builder().resources(Notes).build();
  const pageIn = (openapiVersion: "3.1" | "3.2", search: string): string =>
    pageOf(document(app, { title: "Notes", version: "1", openapiVersion }), {
      origin: "https://a.example",
      search,
      documentURL: "openapi.json",
    });

  it.each(["3.1", "3.2"] as const)("C10.3 shows the data of events of OpenAPI %s", (version) => {
    expect(pageIn(version, "post")).toContain('JSON of <a href="#schema-Note">Note</a>');
  });

  it("C10.3 writes each operation once, whoever asks for the page, and what for", () => {
    const about = document(app, { title: "Notes", version: "1" });
    let read = 0;
    const counted = {
      ...about,
      get paths() {
        read++;
        return about.paths;
      },
    };
    const pages = ["https://a.example", "https://it's.example"].map((origin) =>
      pageOf(counted, { origin, search: "get", documentURL: "openapi.json" }),
    );
    expect(read).toBe(1);
    expect(pages[0]).toContain("curl 'https://a.example/notes'");
    expect(pages[1]).toContain(String.raw`curl 'https://it'\''s.example/notes'`);
  });

  it("C10.3 shows operations without a tag, too, and a search as it was written", () => {
    class Plain extends Resource {
      paths = ["/plain"] as const;

      static tags = [];
      static GET = { 200: note };
      GET(_call: Call<typeof Plain, "GET">): Answer<typeof Plain, "GET"> {
        return { words: "" };
      }
    }
    const plain = Application.builder().resources(Plain).build();
    const page = pageOf(document(plain, { title: "Plain", version: "1" }), {
      ...{ origin: "", search: "/plain", documentURL: `it's "a" document` },
    });
    expect(page).toContain('<section>\n<article id="getPlain"');
    expect(page).toContain('<a href="it&#39;s &quot;a&quot; document">');
  });

  it("C10.3 has webhooks, which nobody can try, and says whom an operation is for", () => {
    class Old extends Resource {
      paths = ["/old"] as const;

      static audience = "internal";
      static GET = { deprecated: { since: "2026-01-31", sunset: "2027-01-31" }, 200: note };
      GET(_call: Call<typeof Old, "GET">): Answer<typeof Old, "GET"> {
        return { words: "" };
      }
    }
    const noteAdded = { name: "NoteAdded", event: "note.added", POST: { content: note } };
    const old = Application.builder().resources(Old).build();
    const options = { title: "Notes", version: "1", webhooks: [noteAdded] };
    const page = pageOf(document(old, options), { origin: "", search: "", documentURL: "openapi.json" });
    expect(page).toContain("<em>deprecated, gone from 2027-01-31 on</em> <em>internal</em>");
    const [, webhook] = page.split('<article id="noteAdded"');
    expect(webhook).toMatch(/^>\n<h3><b class="post">POST<\/b> <code>note\.added<\/code>/);
    expect(webhook!.slice(0, webhook!.indexOf("</article>"))).not.toContain("Try it");
  });
});
