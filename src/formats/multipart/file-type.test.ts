import { describe, expect, it } from "vitest";
import { fileTypeOf, isAccepted, isTextType } from "./file-type.ts";

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const zip = (name: string, content: string): string =>
  `PK\x03\x04${"\0".repeat(14)}` +
  `${String.fromCharCode(content.length)}\0\0\0${"\0".repeat(4)}\x08\0\0\0${name}${content}PK`;

describe("fileTypeOf()", () => {
  it.each([
    ["\x89PNG\r\n\x1a\n\0\0", "text/html", "image/png"],
    ["\xff\xd8\xff\xe0\0\0", "", "image/jpeg"],
    ["GIF89a<script>", "text/html", "image/gif"],
    ["RIFF\x10\0\0\0WEBPVP8 ", "", "image/webp"],
    ["RIFF\x10\0\0\0WAVEfmt ", "", "audio/wav"],
    ["\0\0\0\x1cftypavif", "", "image/avif"],
    ["\0\0\0\x1cftypheic", "", "image/heic"],
    ["\0\0\0\x1cftypisom", "", "video/mp4"],
    ["\0\0\0\x1cftypM4A ", "", "audio/mp4"],
    ["%PDF-1.7\n", "", "application/pdf"],
    ["\x1a\x45\xdf\xa3....webm", "", "video/webm"],
    ["\x1a\x45\xdf\xa3....webm", "audio/webm", "audio/webm"],
    ["\x1a\x45\xdf\xa3....matroska", "audio/webm", "video/matroska"],
    ["OggS\0\0", "video/ogg", "video/ogg"],
    ["OggS\0\0", "text/html", "audio/ogg"],
    ["BM\x8a\0\0\0", "", "image/bmp"],
    ["BMW is a text", "", "text/plain"],
    ["ID3\x04\0\0", "", "audio/mpeg"],
    ["MZ\x90\0", "image/png", "application/vnd.microsoft.portable-executable"],
    ["\0\0\0\0", "image/png", "application/octet-stream"],
    ["\x80\x81", "text/plain", "application/octet-stream"],
  ])("tells %j, claimed to be %j, as %s", (content, claimed, type) => {
    expect(fileTypeOf(bytesOf(content), true, claimed)).toBe(type);
  });

  it.each([
    [zip("mimetype", "application/epub+zip"), "application/zip", "application/epub+zip"],
    [zip("mimetype", "application/vnd.oasis.opendocument.text"), "", "application/vnd.oasis.opendocument.text"],
    [
      zip("mimetype", "application/vnd.oasis.opendocument.text-template"),
      "",
      "application/vnd.oasis.opendocument.text-template",
    ],
    [zip("mimetype", "text/html"), "", "application/zip"],
    [zip("mimetype", "application/pdf"), "", "application/zip"],
    [zip("mimetype", "application/x,text/html"), "", "application/zip"],
    [zip("mimetype", "application/epub+zip\r\nx: y"), "", "application/zip"],
    [zip("mimetype", "application/xhtml+xml"), "", "application/zip"],
    [
      zip("[Content", "x"),
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ],
    [zip("a", "x"), "text/html", "application/zip"],
    ["PK\x05\x06", "application/java-archive", "application/java-archive"],
    ["\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/msword", "application/msword"],
    ["\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "text/html", "application/x-ole-storage"],
  ])("tells what is in a container by its names, or by the client: %#", (content, claimed, type) => {
    expect(fileTypeOf(bytesOf(content), true, claimed)).toBe(type);
  });

  it.each([
    ["a,b", "text/csv; charset=utf-8", "text/csv"],
    ["{}", "application/json", "application/json"],
    ["{}", "application/problem+json", "application/problem+json"],
    ["{}", "image/png", "text/plain"],
    ["x", "text/html x", "text/plain"],
    ["x", "text/html(x", "text/plain"],
    ["x", "text/plain,text/html", "text/plain"],
    ["x", "text/", "text/plain"],
    ["", "image/png", "text/plain"],
    ["<p>A page of Markdown</p>", "text/markdown", "text/markdown"],
    ["x", "text/html", "text/html"],
    [" \n<!DOCTYPE HTML>", "text/plain", "text/html"],
    ["<script>", "text/plain", "text/html"],
    ["<html", "text/plain", "text/html"],
    ["<svg xmlns='http://www.w3.org/2000/svg'>", "image/png", "image/svg+xml"],
    ["<?xml version='1.0'?><!-- --><svg>", "text/plain", "image/svg+xml"],
    ["The tag <svg> begins a drawing", "text/plain", "text/plain"],
    ["<?xml version='1.0'?><a/>", "text/plain", "application/xml"],
    ["<?xml version='1.0'?><html/>", "application/xhtml+xml", "application/xhtml+xml"],
    ["<a/>", "image/svg+xml", "image/svg+xml"],
  ])("tells text %j, claimed to be %j, as %s", (content, claimed, type) => {
    expect(fileTypeOf(bytesOf(content), true, claimed)).toBe(type);
  });

  it("takes a character that is cut at the end for text, unless nothing follows", () => {
    const cut = Uint8Array.of(97, 0xc3);
    expect(fileTypeOf(cut, false, "text/plain")).toBe("text/plain");
    expect(fileTypeOf(cut, true, "text/plain")).toBe("application/octet-stream");
  });
});

describe("isAccepted()", () => {
  it.each([
    ["image/png", undefined, true],
    ["image/png", ["image/png"], true],
    ["image/png", ["image/*"], true],
    ["image/png", ["image/jpeg"], false],
    ["image/png", [], false],
    ["image/svg+xml", undefined, false],
    ["image/svg+xml", ["image/*"], false],
    ["image/svg+xml", ["image/svg+xml"], true],
    ["text/html", undefined, false],
    ["application/xml", undefined, false],
    ["text/xsl", ["text/*"], false],
    ["text/rdf", ["text/*"], false],
    ["text/x-rdf", ["text/*"], true],
    ["text/html", ["text/html"], true],
  ] as const)("answers for %s among %j: %j", (type, accepted, answer) => {
    expect(isAccepted(type, accepted)).toBe(answer);
  });
});

describe("isTextType()", () => {
  it("knows text, JSON and XML", () => {
    const types = [
      "text/csv",
      "application/json",
      "application/a+json",
      "image/svg+xml",
      "image/png",
      "application/zip",
    ];
    expect(types.filter(isTextType)).toEqual(types.slice(0, 4));
  });
});
