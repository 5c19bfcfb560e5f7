import { Application, json, reply, Resource, type Answer, type Call } from "fingerpost";
import { document } from "fingerpost/openapi";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const list = z.array(z.string()).meta({ id: "List" });
const form = z.object({ picture: z.file().max(2_000_000) });

class Lists extends Resource {
  paths = ["/lists"] as const;

  static PUT = { content: json(list, { maxBytes: 2_000_000 }), 200: z.int() };
  override PUT({ content }: Call<typeof Lists, "PUT">): Answer<typeof Lists, "PUT"> {
    return content.length;
  }

  static POST = { content: list, 204: "Stored" };
  override POST(): Answer<typeof Lists, "POST"> {
    return reply(204);
  }

  static PATCH = {
    content: {
      "multipart/form-data": json(form, { maxBytes: 3_000_000 }),
      "application/json": json(list, { maxBytes: 9 }),
    },
    204: "Stored",
  };
  override PATCH(): Answer<typeof Lists, "PATCH"> {
    return reply(204);
  }
}
const app = Application.builder().resources(Lists).build();

async function sent(method: string, body: BodyInit, type = "application/json"): Promise<[number, string | undefined]> {
  const headers = body instanceof FormData ? {} : { "Content-Type": type };
  const response = await app.request("/lists", { method, body, headers });
  const text = await response.text();
  return [response.status, response.ok ? text : (JSON.parse(text) as { detail?: string }).detail];
}

describe("C8.20 json(schema, { maxBytes })", () => {
  it("raises the bound of JSON, which is 1 MiB", async () => {
    const content = JSON.stringify(["x".repeat(1_500_000)]);
    expect(await sent("PUT", content)).toEqual([200, "1"]);
    expect(await sent("POST", content)).toEqual([413, "The content is longer than 1048576 bytes"]);
    expect(await sent("PUT", JSON.stringify(["x".repeat(2_000_000)]))).toEqual([
      413,
      "The content is longer than 2000000 bytes",
    ]);
  });

  it("checks as its schema does", async () => {
    expect((await sent("PUT", "[1]"))[0]).toBe(422);
  });

  it("has a bound for each media type", async () => {
    expect(await sent("PATCH", '["1234567"]')).toEqual([413, "The content is longer than 9 bytes"]);
    const body = new FormData();
    body.set("picture", new Blob([new Uint8Array(2_000_000)]), "a.bin");
    expect(await sent("PATCH", body)).toEqual([204, ""]);
  });

  it("is documented as its schema is", async () => {
    const { paths, components } = await document(app, { title: "Lists", version: "1" });
    const { put } = (paths as Record<string, Record<string, { requestBody: unknown }>>)["/lists"]!;
    expect(put!.requestBody).toEqual({
      required: true,
      content: { "application/json": { schema: { $ref: "#/components/schemas/List" } } },
    });
    expect((components as { schemas: object }).schemas).toMatchObject({ List: { type: "array" } });
  });

  it("is not asked for where a file may be as long as the content, or a text has as many characters", () => {
    class Pictures extends Resource {
      paths = ["/pictures"] as const;
      static POST = {
        content: {
          "multipart/form-data": z.object({ picture: z.file().max(1_048_576), text: z.string().max(2_000_000) }),
        },
        204: "Stored",
      };
      override POST(): Answer<typeof Pictures, "POST"> {
        return reply(204);
      }
    }
    expect(Application.builder().resources(Pictures).build()).toBeInstanceOf(Application);
  });

  it("is asked for where a file may be longer than the content", () => {
    class Pictures extends Resource {
      paths = ["/pictures"] as const;
      static POST = { content: { "multipart/form-data": form }, 204: "Stored" };
      override POST(): Answer<typeof Pictures, "POST"> {
        return reply(204);
      }
    }
    expect(() => Application.builder().resources(Pictures).build()).toThrow(
      'Cannot add Pictures to the application: static POST has a file "picture" of up to 2000000 bytes in content of ' +
        "at most 1048576; write json(schema, { maxBytes })",
    );
  });
});

describe("members of content", () => {
  class Counted extends Resource {
    paths = ["/counted"] as const;

    static PUT = { content: json(z.unknown(), { maxMembers: 3 }), 204: "Stored" };
    override PUT(): Answer<typeof Counted, "PUT"> {
      return reply(204);
    }

    static POST = {
      content: { "application/x-www-form-urlencoded": json(z.record(z.string(), z.unknown()), { maxMembers: 3 }) },
      204: "Stored",
    };
    override POST(): Answer<typeof Counted, "POST"> {
      return reply(204);
    }
  }
  const counting = Application.builder().resources(Counted).build();

  it("C8.11 are bounded before the schema sees them: 413", async () => {
    const put = async (value: unknown): Promise<number> =>
      (await counting.request("/counted", { method: "PUT", json: value })).status;
    expect([await put([1, 2, 3]), await put([1, [2, 3]]), await put({ a: { b: { c: { d: 1 } } } })]).toEqual([
      204, 413, 413,
    ]);
    const post = async (body: string): Promise<number> => {
      const headers = { "Content-Type": "application/x-www-form-urlencoded" };
      return (await counting.request("/counted", { method: "POST", body, headers })).status;
    };
    expect([await post("a=1&b=2&c=3"), await post("a=1&a=2&a=3&a=4"), await post("&a&b&c&d")]).toEqual([204, 413, 413]);
  });
});
