import { Application, bytes, Resource, text } from "fingerpost";
import { describe, expect, it } from "vitest";
import { z } from "zod";

class Note extends Resource {
  override paths = ["/note", "/notes/:id"] as const;

  static POST = { at: ["/note"] as const, content: { "text/plain": text(), "image/png": bytes() }, 204: "Stored" };
  override POST(): undefined {}

  static PATCH = { content: z.object({ title: z.string() }), 204: "Changed" };
  override PATCH(): undefined {}

  static QUERY = { content: { "text/csv": text() }, 204: "None" };
  override QUERY(): undefined {}

  static PUT = { content: z.string(), 204: "Stored" };
  override PUT(): undefined {}

  static DELETE = { 204: "Gone" };
  override DELETE(): undefined {}
}

const app = Application.builder().resources(Note).build();

describe("Allowed", () => {
  it("says which methods there are at a pattern, and which content PATCH, POST and QUERY take", async () => {
    const optionsOf = async (path: string): Promise<object> => {
      const { headers } = await app.request(path, { method: "OPTIONS" });
      return Object.fromEntries([...headers].filter(([name]) => name.startsWith("a")));
    };
    const both = { "accept-patch": "application/json", "accept-query": "text/csv" };
    expect(await optionsOf("/note")).toEqual({
      allow: "DELETE, OPTIONS, PATCH, POST, PUT, QUERY",
      "accept-post": "text/plain, image/png",
      ...both,
    });
    expect(await optionsOf("/notes/5")).toEqual({ allow: "DELETE, OPTIONS, PATCH, PUT, QUERY", ...both });
  });
});
