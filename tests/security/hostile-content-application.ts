import { Application, bytes, Resource, text, type Call } from "fingerpost";
import { decompress } from "fingerpost/middleware/decompress";
import { z } from "zod";

const note = z.object({ text: z.string(), stars: z.int().optional(), tags: z.array(z.unknown()).optional() });

/** An application that takes content of each kind, and says what it got. */
export function contentApplication(onError: (error: unknown) => void): Application {
  class Json extends Resource {
    paths = ["/json"];
    static POST = { content: note, 200: text() };
    override POST({ content }: Call<typeof Json, "POST">): string {
      return Object.keys(content).join();
    }
  }
  class Text extends Resource {
    paths = ["/text"];
    static POST = { content: text(), 200: text() };
    override POST({ content }: Call<typeof Text, "POST">): string {
      return String(content.length);
    }
  }
  class Bytes extends Resource {
    paths = ["/bytes"];
    static POST = { content: bytes("image/png", { maxBytes: 8 }), 200: text() };
    override POST({ content }: Call<typeof Bytes, "POST">): string {
      return String(content.byteLength);
    }
  }
  const form = z.object({ n: z.int() });
  class Form extends Resource {
    paths = ["/form"];
    static POST = {
      content: { "application/x-www-form-urlencoded": form, "multipart/form-data": form },
      200: text(),
    };
    override POST({ content }: Call<typeof Form, "POST">): string {
      return String(content.n);
    }
  }
  class Coded extends Resource {
    static override readonly middleware = [decompress()];
    paths = ["/coded"];
    static POST = { content: note, 200: text() };
    override POST({ content }: Call<typeof Coded, "POST">): string {
      return Object.keys(content).join();
    }
  }
  return Application.builder().resources(Json, Text, Bytes, Form, Coded).onError(onError).build();
}
