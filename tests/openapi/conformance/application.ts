import { Application, bytes, HTTPError, Resource, Status, text, type Answer } from "fingerpost";
import { mcp } from "fingerpost/mcp";
import { z } from "zod";

// The tools that the suite of the protocol asks for, by its names: each is an operation.

/** A picture of one pixel. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));

class SimpleText extends Resource {
  override paths = ["/simple-text"] as const;
  static GET = { summary: "Says something", 200: text(), tool: { name: "test_simple_text" } };
  override GET(): Answer<typeof SimpleText, "GET"> {
    return "This is a simple text response for testing.";
  }
}

class Picture extends Resource {
  override paths = ["/picture"] as const;
  static GET = { summary: "Shows a pixel", 200: bytes("image/png"), tool: { name: "test_image_content" } };
  override GET(): Answer<typeof Picture, "GET"> {
    return bytesOf(pixel);
  }
}

class Sound extends Resource {
  override paths = ["/sound"] as const;
  static GET = { summary: "Plays nothing", 200: bytes("audio/wav"), tool: { name: "test_audio_content" } };
  override GET(): Answer<typeof Sound, "GET"> {
    return bytesOf("UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=");
  }
}

class Embedded extends Resource {
  override paths = ["/embedded"] as const;
  static GET = { summary: "Has a file", 200: bytes("application/pdf"), tool: { name: "test_embedded_resource" } };
  override GET(): Answer<typeof Embedded, "GET"> {
    return bytesOf("JVBERi0=");
  }
}

class Failing extends Resource {
  override paths = ["/failing"] as const;
  static POST = {
    summary: "Always fails",
    200: z.object({ done: z.boolean() }),
    tool: { name: "test_error_handling" },
  };
  override POST(): never {
    throw new HTTPError(Status.Conflict, "This tool intentionally returns an error for testing");
  }
}

const address = z.object({ street: z.string().optional(), city: z.string().optional() }).meta({ id: "address" });

class Typed extends Resource {
  override paths = ["/typed"] as const;
  static POST = {
    summary: "Takes what JSON Schema 2020-12 describes",
    content: z.object({ name: z.string().optional(), address: address.optional() }),
    204: "Taken",
    tool: { name: "json_schema_2020_12_tool" },
  };
  override POST(): void {}
}

export const app = Application.builder()
  .resources(SimpleText, Picture, Sound, Embedded, Failing, Typed, mcp({ name: "conformance", version: "1.0.0" }))
  .build();
