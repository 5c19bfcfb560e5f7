import { describe, expect, it } from "vitest";
import { asking, StoredBytes, ways } from "../../tests/content/stored-bytes.ts";
import { HTTPError } from "../http/protocol/http-error.ts";
import { fileResponse, servedFile, type FileResponseOptions } from "./file-response.ts";
import type { FoundFile } from "./file-source.ts";

const text = "0123456789abcdefghij";

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

function statusThrownBy(run: () => unknown): number {
  const error = thrownBy(run);
  expect(error).toBeInstanceOf(HTTPError);
  return (error as HTTPError).status;
}

describe("fileResponse()", () => {
  it.each(ways)("sends all of a file that is given as %s, and closes it", async (way) => {
    const stored = new StoredBytes(text, way);
    const response = fileResponse(asking(), stored);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toEqual({
      "accept-ranges": "bytes",
      "cache-control": "no-cache",
      "content-length": "20",
      "content-type": "text/plain; charset=utf-8",
      etag: '"1"',
      "last-modified": "Mon, 06 May 2024 07:08:09 GMT",
      "x-content-type-options": "nosniff",
    });
    expect(await response.text()).toBe(text);
    expect(stored.closings).toBe(1);
    expect(stored.reads).toEqual([[0, 20]]);
  });

  it("sends an empty file without reading it", async () => {
    const stored = new StoredBytes("");
    const response = fileResponse(asking(), stored);
    expect(response.headers.get("content-length")).toBe("0");
    expect(await response.text()).toBe("");
    expect(stored).toMatchObject({ closings: 1, reads: [] });
  });

  it("leaves the bytes of a source as they are", () => {
    const bytes = new Uint8Array(20);
    fileResponse(asking(), Object.assign(new StoredBytes(text), { read: () => bytes }));
    expect(Reflect.ownKeys(bytes).filter((key) => typeof key === "symbol")).toEqual([]);
  });

  it("gives more bytes of memory than a response may copy in parts", async () => {
    const lengths = [4_194_304, 4_194_305].map(async (length) => {
      const stored = new StoredBytes(new Uint8Array(length), "bytes");
      const response = fileResponse(asking(), stored);
      expect(stored.closings).toBe(length === 4_194_304 ? 1 : 0);
      let read = 0;
      for await (const part of response.body!) read += part.byteLength;
      expect(stored.closings).toBe(1);
      return read;
    });
    expect(await Promise.all(lengths)).toEqual([4_194_304, 4_194_305]);
  });

  it("is 404 where there is no file", () => {
    expect(statusThrownBy(() => fileResponse(asking(), undefined))).toBe(404);
  });

  it("F12 answers HEAD with the same fields, without reading", async () => {
    const stored = new StoredBytes(text);
    const response = fileResponse(asking({ range: "bytes=0-4" }, "HEAD"), stored, { download: "a.txt" });
    const got = fileResponse(asking(), new StoredBytes(text), { download: "a.txt" });
    expect(response.status).toBe(200);
    expect(response.body).toBeNull();
    expect([...response.headers]).toEqual([...got.headers]);
    expect(stored).toMatchObject({ closings: 1, reads: [] });
    await got.body?.cancel();
  });

  it("RFC 9110 §13.2.1 sends all of the file for other methods, whatever else they ask", async () => {
    const stored = new StoredBytes(text);
    const response = fileResponse(
      asking({ "if-match": '"2"', "if-none-match": '"1"', range: "bytes=0-4" }, "POST"),
      stored,
    );
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(text);
    expect(stored.closings).toBe(1);
  });

  it("F9 says immutable only where that is declared, and else to ask again", () => {
    const cacheControl = (options?: FileResponseOptions): string | null =>
      fileResponse(asking({}, "HEAD"), new StoredBytes(text), options).headers.get("cache-control");
    expect(cacheControl()).toBe("no-cache");
    expect(cacheControl({ immutable: false })).toBe("no-cache");
    expect(cacheControl({ immutable: true })).toBe("public, max-age=31536000, immutable");
    expect(cacheControl({ immutable: true, headers: { "Cache-Control": "private" } })).toBe("private");
  });

  it("F13 has browsers save it under a name, and never guess what it is", () => {
    const disposition = (download: string | boolean): string | null =>
      fileResponse(asking({}, "HEAD"), new StoredBytes(text), { download }).headers.get("content-disposition");
    expect(disposition(false)).toBeNull();
    expect(disposition("rates.pdf")).toBe('attachment; filename="rates.pdf"');
    expect(disposition("€.pdf")).toBe("attachment; filename=\"_.pdf\"; filename*=UTF-8''%E2%82%AC.pdf");
    expect(disposition(true)).toBe("attachment");
    const headers = { "x-content-type-options": "maybe" };
    const response = fileResponse(asking({}, "HEAD"), new StoredBytes(text), { headers });
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("F8 names the coding of what is coded, and says that there may be others", () => {
    const stored = new StoredBytes(text);
    stored.coding = "br";
    const { headers } = fileResponse(asking({}, "HEAD"), stored, { headers: { vary: "Accept" } });
    expect(headers.get("content-encoding")).toBe("br");
    expect(headers.get("vary")).toBe("Accept, Accept-Encoding");
  });

  it("RFC 9110 §8.8.2.1 says of no file that it is younger than the response, nor what nobody knows", () => {
    for (const lastModified of [new Date(Date.now() + 60_000), new Date(Number.NaN), null]) {
      const stored = new StoredBytes(text);
      stored.lastModified = lastModified;
      stored.etag = null;
      const response = fileResponse(asking({ "if-modified-since": "Mon, 06 May 2024 07:08:09 GMT" }, "HEAD"), stored);
      expect(response.status).toBe(200);
      expect(response.headers.has("last-modified")).toBe(false);
      expect(response.headers.has("etag")).toBe(false);
    }
  });
});

describe("fileResponse() and preconditions", () => {
  const before = "Mon, 06 May 2024 07:08:08 GMT";
  const same = "Mon, 06 May 2024 07:08:09 GMT";

  it.each([
    ["nothing", {}, 200],
    ["If-None-Match that matches", { "if-none-match": '"0", "1"' }, 304],
    ["If-None-Match that matches weakly", { "if-none-match": 'W/"1"' }, 304],
    ["If-None-Match *", { "if-none-match": "*" }, 304],
    ["If-None-Match of another", { "if-none-match": '"2"' }, 200],
    [
      "If-None-Match of another, which hides If-Modified-Since",
      { "if-none-match": '"2"', "if-modified-since": same },
      200,
    ],
    ["If-Modified-Since of the same second", { "if-modified-since": same }, 304],
    ["If-Modified-Since of an earlier one", { "if-modified-since": before }, 200],
    ["If-Modified-Since that is no date", { "if-modified-since": "yesterday" }, 200],
    ["If-Match that matches", { "if-match": '"1"' }, 200],
    ["If-Match of another", { "if-match": '"2"' }, 412],
    ["If-Match that matches weakly", { "if-match": 'W/"1"' }, 412],
    ["If-Unmodified-Since of the same second", { "if-unmodified-since": same }, 200],
    ["If-Unmodified-Since of an earlier one", { "if-unmodified-since": before }, 412],
    ["If-Match that matches and If-None-Match, too", { "if-match": '"1"', "if-none-match": '"1"' }, 304],
    ["If-None-Match that matches, and a range", { "if-none-match": '"1"', range: "bytes=0-1" }, 304],
    ["If-None-Match that matches, and a range beyond the end", { "if-none-match": '"1"', range: "bytes=99-" }, 304],
  ] as const)("RFC 9110 §13.2.2 evaluates %s", async (_, headers, status) => {
    for (const method of ["GET", "HEAD"]) {
      const stored = new StoredBytes(text);
      const run = (): Response => fileResponse(asking(headers, method), stored);
      if (status === 412) expect(statusThrownBy(run)).toBe(412);
      else {
        const response = run();
        expect(response.status).toBe(status);
        await response.body?.cancel();
      }
      expect(stored.closings).toBe(1);
      expect(stored.taken).toBe(0);
    }
  });

  it("F6 has 304 carry ETag, Cache-Control, Vary and Content-Location, and nothing of the content", () => {
    const stored = new StoredBytes(text);
    stored.coding = "gzip";
    const headers = { "Content-Location": "/a.txt", "Content-Language": "en", "X-Served-By": "us" };
    const response = fileResponse(asking({ "if-none-match": '"1"' }), stored, {
      headers,
      immutable: true,
      download: true,
    });
    expect(response.status).toBe(304);
    expect(response.body).toBeNull();
    expect(Object.fromEntries(response.headers)).toEqual({
      "cache-control": "public, max-age=31536000, immutable",
      "content-location": "/a.txt",
      etag: '"1"',
      vary: "Accept-Encoding",
      "x-content-type-options": "nosniff",
      "x-served-by": "us",
    });
  });

  it("RFC 9110 §15.4.5 has 304 carry Last-Modified where there is no ETag", () => {
    const stored = new StoredBytes(text);
    stored.etag = null;
    const response = fileResponse(asking({ "if-modified-since": same }), stored);
    expect(response.status).toBe(304);
    expect(response.headers.get("last-modified")).toBe(same);
  });
});

describe("fileResponse() and ranges", () => {
  it.each(ways)("F7 sends one range of a file that is given as %s", async (way) => {
    const stored = new StoredBytes(text, way);
    const response = fileResponse(asking({ range: "bytes=5-11" }), stored);
    expect(response.status).toBe(206);
    expect(response.headers.get("content-range")).toBe("bytes 5-11/20");
    expect(response.headers.get("content-length")).toBe("7");
    expect(response.headers.get("etag")).toBe('"1"');
    expect(await response.text()).toBe("56789ab");
    expect(stored).toMatchObject({ closings: 1, reads: [[5, 12]] });
  });

  it.each(ways)("F7 sends several ranges of a file that is given as %s", async (way) => {
    const stored = new StoredBytes(text, way);
    const response = fileResponse(asking({ range: "bytes=-2, 0-0, 5-11, 99-" }), stored);
    expect(response.status).toBe(206);
    expect(response.headers.has("content-range")).toBe(false);
    const [, boundary] = /^multipart\/byteranges; boundary=([\w-]{36})$/.exec(response.headers.get("content-type")!)!;
    const content = await response.text();
    expect(response.headers.get("content-length")).toBe(String(content.length));
    const head = (range: string): string =>
      `--${boundary}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Range: bytes ${range}/20\r\n\r\n`;
    expect(content).toBe(`${head("18-19")}ij\r\n${head("0-0")}0\r\n${head("5-11")}56789ab\r\n--${boundary}--\r\n`);
    expect(stored).toMatchObject({ closings: 1, reads: [[18, 20], [0, 1], [5, 12]] }); // oxfmt-ignore
  });

  it("RFC 9110 §15.3.7.2 sends one range that is left of several as one", async () => {
    const response = fileResponse(asking({ range: "bytes=99-, 3-4" }), new StoredBytes(text));
    expect(response.headers.get("content-range")).toBe("bytes 3-4/20");
    expect(await response.text()).toBe("34");
  });

  it("F7 sends all if ranges overlap, are too many or malformed", async () => {
    const many = Array.from({ length: 17 }, (_, at) => `${at}-${at}`).join();
    for (const range of ["bytes=0-4,4-5", `bytes=${many}`, "bytes=x", "bytes=5-4", "items=0-1"]) {
      const stored = new StoredBytes(text);
      const response = fileResponse(asking({ range }), stored);
      expect(response.status).toBe(200);
      expect(await response.text()).toBe(text);
      expect(stored.closings).toBe(1);
    }
  });

  it("F7 is 416 with Content-Range beyond the end", () => {
    const stored = new StoredBytes(text);
    const error = thrownBy(() => fileResponse(asking({ range: "bytes=20-" }), stored)) as HTTPError;
    expect(error.status).toBe(416);
    expect(error.headers.get("content-range")).toBe("bytes */20");
    expect(stored).toMatchObject({ closings: 1, reads: [] });
  });

  it("RFC 9110 §13.1.5 compares If-Range strongly, and sends all if it does not match", async () => {
    const modified = "Mon, 06 May 2024 07:08:09 GMT";
    const earlier = "Mon, 06 May 2024 07:08:08 GMT";
    const later = "Mon, 06 May 2024 07:08:10 GMT";
    for (const [ifRange, etag, status] of [
      ['"1"', '"1"', 206],
      ['"2"', '"1"', 200],
      ['W/"1"', '"1"', 200],
      ['W/"1"', 'W/"1"', 200],
      ['"1"', 'W/"1"', 200],
      [modified, '"1"', 206],
      [earlier, '"1"', 200],
      [later, '"1"', 200],
      ["*", '"1"', 200],
      ['"1", "1"', '"1"', 200],
      ['"1"', null, 200],
    ] as const) {
      const stored = new StoredBytes(text);
      stored.etag = etag;
      const response = fileResponse(asking({ range: "bytes=0-1", "if-range": ifRange }), stored);
      expect(response.status, ifRange).toBe(status);
      expect(await response.text()).toBe(status === 206 ? "01" : text);
      // An ignored range cannot be out of bounds, either.
      const beyond = (): Response =>
        fileResponse(
          asking({ range: "bytes=99-", "if-range": ifRange }),
          Object.assign(new StoredBytes(text), { etag }),
        );
      if (status === 206) expect(statusThrownBy(beyond)).toBe(416);
      else expect(beyond().status).toBe(200);
    }
  });

  it("F7 sends ranges of coded content one at a time", async () => {
    const coded = (): StoredBytes => Object.assign(new StoredBytes(text), { coding: "br" });
    const one = fileResponse(asking({ range: "bytes=0-1" }), coded());
    expect([one.status, one.headers.get("content-encoding")]).toEqual([206, "br"]);
    expect(await one.text()).toBe("01");
    const several = fileResponse(asking({ range: "bytes=0-1,3-4" }), coded());
    expect(several.status).toBe(200);
    expect(await several.text()).toBe(text);
  });
});

describe("fileResponse() and what is wrong", () => {
  it("F12 refuses options that are wrong, and closes the file", () => {
    for (const options of [
      { download: 7 },
      { immutable: "yes" },
      { downlaod: "a" },
      null,
      { headers: { "a b": "c" } },
    ]) {
      const stored = new StoredBytes(text);
      expect(() => fileResponse(asking(), stored, options as FileResponseOptions)).toThrow(TypeError);
      expect(stored.closings).toBe(1);
    }
    const wrong = { download: 7 } as unknown as FileResponseOptions;
    expect(() => fileResponse(asking(), new StoredBytes(text), wrong)).toThrow(
      new TypeError('Cannot call fileResponse(): its option "download" must be a file name, true or false, got 7'),
    );
  });

  it("F12 refuses a file that is described by what no field can hold, and closes it", () => {
    for (const fields of [{ type: "text/plain\r\nX: y" }, { etag: "1" }, { etag: '"\r\n"' }, { coding: "b\nr" }]) {
      const stored: StoredBytes = Object.assign(new StoredBytes(text), fields as object);
      expect(() => fileResponse(asking(), stored)).toThrow(TypeError);
      expect(stored.closings).toBe(1);
    }
    expect(() => fileResponse(asking(), Object.assign(new StoredBytes(text), { etag: "abc" }))).toThrow(
      new TypeError('Cannot answer with the file: its etag must be an entity tag, quotes included, got "abc"'),
    );
  });

  it("F12 closes a file whose read() throws, and throws the same", () => {
    const fault = new Error("EIO");
    const stored = new StoredBytes(text);
    stored.read = () => {
      throw fault;
    };
    expect(thrownBy(() => fileResponse(asking(), stored))).toBe(fault);
    expect(stored.closings).toBe(1);
  });

  it("F12 answers although a file cannot be closed", async () => {
    for (const close of [
      () => Promise.reject(new Error("EIO")),
      () => {
        throw new Error("EIO");
      },
    ]) {
      // oxfmt-ignore
      const stored: FoundFile = Object.assign(new StoredBytes(text), { close });
      expect(await fileResponse(asking(), stored).text()).toBe(text);
      expect(fileResponse(asking({}, "HEAD"), stored).status).toBe(200);
    }
  });

  it("F11 refuses bytes that are not as many as were asked for", () => {
    const stored = new StoredBytes(text);
    for (const bytes of [new Uint8Array(19), new Uint8Array(21)]) {
      stored.read = () => bytes;
      expect(() => fileResponse(asking(), stored)).toThrow(
        new Error("Cannot send the file: it changed while it was sent"),
      );
    }
  });
});

describe("servedFile()", () => {
  it("reads short content before it answers, and begins to read longer content when it is asked for", async () => {
    const taken = [65_536, 65_537].map(async (length) => {
      const stored = new StoredBytes(new Uint8Array(length), "iterable", 4096);
      const { body } = await servedFile(asking(), stored, {});
      const before = stored.taken;
      await body!.cancel();
      return before;
    });
    expect(await Promise.all(taken)).toEqual([65_536, 0]);
  });
});
