import { describe, expect, it } from "vitest";
import { mediaTypeOfName } from "../content/media-types.ts";
import { isCompressibleType } from "./compressible-type.ts";

describe("isCompressibleType()", () => {
  it("distinguishes text and similar types from types that are compressed already", () => {
    for (const type of [
      "text/plain",
      "application/json",
      "application/problem+json",
      "image/svg+xml",
      "application/openapi+yaml",
      "application/wasm",
      "font/otf",
      "image/bmp",
      "image/x-icon",
      "image/tiff",
      "application/x-tar",
    ]) {
      expect(isCompressibleType(type), type).toBe(true);
    }
    for (const type of ["image/png", "video/mp4", "application/zip", "application/octet-stream"]) {
      expect(isCompressibleType(type), type).toBe(false);
    }
  });

  it("F8 is true of text and of what is written like it", () => {
    const names = "a.html a.js a.css a.json a.map a.svg a.xml a.rss a.wasm a.webmanifest a.ttf a.ico a.geojson";
    for (const name of names.split(" ")) expect(isCompressibleType(mediaTypeOfName(name)), name).toBe(true);
  });

  it("F8 is false of what is compressed already, and of what is not known", () => {
    for (const name of "a.png a.jpg a.webp a.woff2 a.mp4 a.mp3 a.zip a.gz a.pdf a.docx a.epub a".split(" "))
      expect(isCompressibleType(mediaTypeOfName(name)), name).toBe(false);
  });
});
