import { Application, Resource } from "fingerpost";
import { Resource as NativeResource } from "fingerpost/native";
import { describe, expect, it } from "vitest";
import { z } from "zod";

describe("rules of members", () => {
  it("C9.9 have nothing against a tag of content where the line makes none", () => {
    class Written extends Resource {
      override paths = ["/written"];
      static PUT = { etag: "content", content: z.string(), 204: "Stored" };
      override PUT(): void {}
    }
    class Described extends NativeResource {
      override paths = ["/described"];
      static GET = { etag: "content", 204: "Nothing" };
      override GET(): Response {
        return new Response(null, { status: 204 });
      }
    }
    for (const Class of [Written, Described]) {
      const builder = Application.builder().resources(Class as never);
      expect(builder.build()).toBeInstanceOf(Application);
    }
  });

  it("C9.9 refuse a tag of content of a read that never has any", () => {
    class Empty extends Resource {
      override paths = ["/empty"];
      static GET = { etag: "content", 204: "Nothing" };
      override GET(): void {}
    }
    const builder = Application.builder().resources(Empty as never);
    expect(() => builder.build()).toThrow("no content of 200 to make a tag of");
  });
});
