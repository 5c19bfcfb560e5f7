import { describe, expect, it } from "vitest";
import { parseMediaType } from "../fields/media-type.ts";
import { mediaTypeOfName } from "./media-types.ts";

describe("mediaTypeOfName()", () => {
  it("F13 says charset=utf-8 of text, and of nothing else", () => {
    expect(mediaTypeOfName("index.html")).toBe("text/html; charset=utf-8");
    expect(mediaTypeOfName("app.js")).toBe("text/javascript; charset=utf-8");
    expect(mediaTypeOfName("site.css")).toBe("text/css; charset=utf-8");
    expect(mediaTypeOfName("data.json")).toBe("application/json");
    expect(mediaTypeOfName("icon.svg")).toBe("image/svg+xml");
    expect(mediaTypeOfName("photo.jpeg")).toBe("image/jpeg");
  });

  it("F13 decides by the last dot, whatever the case", () => {
    expect(mediaTypeOfName("README.TXT")).toBe("text/plain; charset=utf-8");
    expect(mediaTypeOfName("site.tar.gz")).toBe("application/gzip");
    expect(mediaTypeOfName("a.html.png")).toBe("image/png");
  });

  it("F13 takes nothing else for something that a browser would show", () => {
    for (const name of [
      "",
      "a",
      "a.",
      ".html",
      ".htaccess",
      "html",
      "a.html ",
      "a.exe",
      "a.constructor",
      "a.__proto__",
    ])
      expect(mediaTypeOfName(name), name).toBe("application/octet-stream");
  });

  it("F13 has about 60 media types, each of them well-formed", () => {
    const ends =
      "html css js txt md csv tsv ics vcf vtt json jsonld geojson webmanifest xml xhtml atom rss yaml toml wasm";
    const more =
      "svg png apng jpg gif webp avif heic tif bmp ico woff2 woff ttf otf mp3 m4a aac ogg flac wav mp4 webm ogv mov";
    const types = new Set(
      `${ends} ${more} m3u8 mpd pdf epub rtf docx xlsx pptx odt ods zip gz zst tar 7z`
        .split(" ")
        .map((end) => mediaTypeOfName(`a.${end}`)),
    );
    expect(types.size).toBe(61);
    for (const type of types) expect(parseMediaType(type), type).not.toBeNull();
    expect(types).not.toContain("application/octet-stream");
  });
});
