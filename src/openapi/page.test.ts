import { document } from "fingerpost/openapi";
import { Application, events, Resource, type Answer, type Call } from "fingerpost/semantics";
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
  const pageIn = (openapi: "3.1" | "3.2", search: string): string =>
    pageOf(document(app, { title: "Notes", version: "1", openapi }), {
      origin: "https://a.example",
      search,
      documentURL: "openapi.json",
    });

  it.each(["3.1", "3.2"] as const)("C10.3 shows the data of events of OpenAPI %s", (version) => {
    const page = pageIn(version, "post");
    expect(page).toContain("contentSchema");
    expect(page).not.toContain("Server-sent events");
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
    expect(pages[0]).toContain("curl &#39;https://a.example/notes&#39;");
    expect(pages[1]).toContain(String.raw`curl &#39;https://it&#39;\&#39;&#39;s.example/notes&#39;`);
  });

  it("C10.3 links a reference inside a schema, be that as short as it may", () => {
    expect(pageIn("3.1", "get")).toMatch(/&quot;anyOf&quot;: [^]*<a href="#schema-Note">Note<\/a>/);
  });
});
